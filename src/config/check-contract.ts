// What can be told of one tool and its parameters together.

import { canonicalOf } from '../core/checks/canonical-value.ts';
import { constantValue } from '../core/checks/constant-value.ts';
import { fullPath, pathText } from '../core/checks/find-values.ts';
import { isPattern } from '../core/checks/pattern.ts';
import type { Contract, ParamContract, SourceRef } from '../core/contract.ts';
import type { Report } from './build-context.ts';
import type { ToolShape } from './file-shape.ts';
import { hint } from './nearest-key.ts';

/** Most parameters one contract declares. */
const paramsMax = 64;

type Draft = Omit<Contract, 'digest'>;

export function checkContract(
  tool: ToolShape,
  contract: Draft,
  { servers, report }: { readonly servers: readonly string[]; readonly report: Report },
): void {
  if (!servers.includes(tool.server)) {
    report(
      ['server'],
      `there is no server \`${tool.server}\`: add it to [[servers]]${hint(tool.server, servers)}`,
    );
  }
  if (contract.params.length > paramsMax)
    report(['params'], `declares more than ${paramsMax} parameters`);
  checkBudgetParam(contract, report);
  for (const param of contract.params) {
    checkRecord(param, contract, report);
    checkConstants(param, report);
  }
  checkOverlaps(contract, report);
  checkAnswerRules(contract, report);
  checkVolatile(contract, report);
  checkSentence(contract, report);
}

const namesOf = ({ params }: Draft): readonly string[] => params.map((param) => param.name);

const undeclared = (name: string, contract: Draft): string =>
  `\`${name}\` is not a declared parameter${hint(name, namesOf(contract))}`;

const isMany = (param: ParamContract): boolean =>
  fullPath(param).some((step) => step.kind === 'each');

/** One number per call: of several, which one would be charged? */
function checkBudgetParam(contract: Draft, report: Report): void {
  const { budgetParam: name } = contract;
  if (name === undefined) return;
  const param = contract.params.find((declared) => declared.name === name);
  if (param === undefined) report(['budget_param'], undeclared(name, contract));
  else if (!['number', 'integer', 'money'].includes(param.type) || isMany(param)) {
    report(
      ['budget_param'],
      `\`${name}\` must be one number: give it the type number, integer or money`,
    );
  }
}

/** A constant that is no value of the parameter would never equal one. */
function checkConstants(param: ParamContract, report: Report): void {
  for (const [index, source] of param.sources.entries()) {
    if (source.kind !== 'const') continue;
    const read = canonicalOf(constantValue(source.value, param), param);
    if (read.ok) continue;
    const message = `\`${source.value}\` is no ${param.normalize ?? param.type} (${read.hint ?? read.detail})`;
    report(['params', param.name, 'sources', index], message);
  }
}

/** A bound value and the one that selects its record come from one registry. */
function checkRecord(param: ParamContract, contract: Draft, report: Report): void {
  const { record, name } = param;
  if (record === undefined) return;
  const say = (message: string): void => report(['params', name, 'record'], message);
  const selector = contract.params.find((declared) => declared.name === record);
  if (selector === undefined) say(undeclared(record, contract));
  else if (!param.critical)
    say(`\`${name}\` is not critical: only a trusted value comes from a record`);
  else if (selector === param || selector.record !== undefined) {
    say(`\`${record}\` is bound to a record itself: name the parameter that selects it`);
  } else if (!selector.critical || isMany(selector)) {
    say(`\`${record}\` selects no record: it must be one critical value`);
  } else {
    const registries = new Set(registriesOf(selector.sources));
    const own = registriesOf(param.sources);
    if (own.length < param.sources.length || own.some((registry) => !registries.has(registry))) {
      say(
        `\`${name}\` has a source that no record of \`${record}\` can fill: name the same registry`,
      );
    }
  }
}

const registriesOf = (sources: readonly SourceRef[]): readonly string[] =>
  sources.flatMap((source) => (source.kind === 'registry' ? [source.registry] : []));

/** Two parameters for one argument would judge one value and send another. */
function checkOverlaps({ params }: Draft, report: Report): void {
  const paths = params.map((param) => fullPath(param));
  for (const [index, param] of params.entries()) {
    const path = paths[index] ?? [];
    const other = params.find((_each, at) => at !== index && isWithin(path, paths[at] ?? []));
    if (other === undefined) continue;
    const message = `\`${pathText(path)}\` is inside the parameter \`${other.name}\`: declare only one of them`;
    report(['params', param.name], message);
  }
}

type Path = ReturnType<typeof fullPath>;

const isWithin = (path: Path, outer: Path): boolean =>
  outer.every((step, depth) => JSON.stringify(step) === JSON.stringify(path[depth]));

function checkAnswerRules(contract: Draft, report: Report): void {
  const { success, expect } = contract;
  for (const [pointer, name] of Object.entries(expect)) {
    if (!namesOf(contract).includes(name)) report(['expect', pointer], undeclared(name, contract));
    if (!pointer.startsWith('/')) report(['expect', pointer], notPointer(pointer));
  }
  if (success === undefined) return;
  const { pointer, value, text } = success;
  if (pointer === undefined && text === undefined) {
    report(['success'], 'says nothing: add `pointer` and `value`, or `text`');
  }
  if (pointer === undefined && value !== undefined)
    report(['success', 'value'], 'stands nowhere: add `pointer`');
  if (pointer !== undefined && !pointer.startsWith('/'))
    report(['success', 'pointer'], notPointer(pointer));
  if (text !== undefined && !isPattern(text))
    report(['success', 'text'], 'is no valid pattern (RE2 syntax)');
}

const notPointer = (pointer: string): string =>
  `\`${pointer}\` is no JSON pointer: begin it with /`;

/** What decides about an effect cannot be ignored when two calls are compared. */
function checkVolatile({ volatile, params, budgetParam }: Draft, report: Report): void {
  for (const [index, name] of volatile.entries()) {
    const param = params.find(({ path: [step] }) => step?.kind === 'key' && step.key === name);
    if (param !== undefined && (param.critical || param.name === budgetParam)) {
      report(
        ['volatile', index],
        `\`${name}\` is critical or charged: calls that differ in it are different`,
      );
    }
  }
}

function checkSentence(contract: Draft, report: Report): void {
  for (const [, name = ''] of (contract.sentence ?? '').matchAll(/\{([^{}]+)\}/g)) {
    if (!namesOf(contract).includes(name)) report(['sentence'], undeclared(name, contract));
  }
}
