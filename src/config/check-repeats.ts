// What can be told of `idempotency`, `reconcile` and `once` before anything is sent.
import { fullPath } from '../core/checks/find-values.ts';
import { templateNames } from '../core/checks/lookup-arguments.ts';
import { isPattern } from '../core/checks/pattern.ts';
import type { Contract, LookupMatch, LookupRule, ParamContract } from '../core/contract.ts';
import type { Report } from './build-context.ts';
import type { ToolShape } from './file-shape.ts';
import type { KeyPath } from './key-path.ts';
import { hint } from './nearest-key.ts';

type Draft = Omit<Contract, 'digest'>;

export function checkRepeats(tool: ToolShape, contract: Draft, report: Report): void {
  checkEffect(contract, report);
  checkIdempotency(contract, report);
  checkOnce(contract, report);
  if (contract.reconcile !== undefined && tool.reconcile !== undefined)
    checkLookup(contract.reconcile, contract, report);
}

/** A read leaves nothing behind that could be doubled or looked for. */
function checkEffect({ effect, idempotency, reconcile, once }: Draft, report: Report): void {
  if (effect !== 'read') return;
  for (const [key, value] of Object.entries({ idempotency, reconcile, once })) {
    if (value !== undefined)
      report([key], `means nothing for a tool with effect = "read": remove it`);
  }
}

function checkIdempotency({ idempotency, params, when }: Draft, report: Report): void {
  if (idempotency === undefined) return;
  const { argument } = idempotency;
  const isDeclared = params.some(
    ({ path: [step] }) => step?.kind === 'key' && step.key === argument,
  );
  if (isDeclared || Object.hasOwn(when, argument)) {
    report(
      ['idempotency', 'argument'],
      `\`${argument}\` is declared for this tool: the gateway writes it, so declare it nowhere else`,
    );
  }
}

function checkOnce({ once = [], params }: Draft, report: Report): void {
  for (const [index, name] of once.entries()) {
    const fault = faultOfOne(name, params);
    if (fault !== undefined) report(['once', index], fault);
    else if (params.some((param) => param.name === name && param.optional)) {
      report(['once', index], `\`${name}\` is optional: a call without it could not be told apart`);
    }
  }
}

/** One declared value, or why it is none. */
function faultOfOne(name: string, params: readonly ParamContract[]): string | undefined {
  const param = params.find((declared) => declared.name === name);
  if (param === undefined) {
    return `\`${name}\` is not a declared parameter${hint(
      name,
      params.map((declared) => declared.name),
    )}`;
  }
  const isMany = fullPath(param).some((step) => step.kind === 'each');
  const isOpen = param.type === 'list' || param.type === 'object';
  return isMany || isOpen ? `\`${name}\` is not one value: name a plain parameter` : undefined;
}

function checkLookup(rule: LookupRule, contract: Draft, report: Report): void {
  const say = (path: KeyPath, message: string): void => report(['reconcile', ...path], message);
  checkArguments(rule, contract, say);
  for (const kind of ['succeeded', 'failed', 'absent'] as const) {
    const match = rule[kind];
    if (match !== undefined) checkMatch(match, (path, message) => say([kind, ...path], message));
  }
  for (const key of ['amount', 'reference', 'key'] as const) {
    const pointer = rule[key];
    if (pointer !== undefined && !pointer.startsWith('/')) say([key], notPointer(pointer));
  }
  if (rule.amount !== undefined && contract.budgetParam === undefined)
    say(['amount'], 'is charged to nothing: add `budget_param` to the tool, or remove it');
  if (rule.absenceFinalAfterMs !== undefined && rule.absent === undefined)
    say(['absence_final_after'], 'never begins: say with `absent` which answer means it');
}

const notPointer = (pointer: string): string =>
  `\`${pointer}\` is no JSON pointer: begin it with /`;

/** A question that names no operation would settle one by the fate of another. */
function checkArguments(rule: LookupRule, { params }: Draft, say: Report): void {
  let isAboutOne = false;
  for (const [key, value] of Object.entries(rule.arguments)) {
    if (typeof value !== 'string') continue;
    for (const name of templateNames(value)) {
      isAboutOne = true;
      const fault = faultOfTemplate(name, params);
      if (fault !== undefined) say(['arguments', key], fault);
    }
  }
  if (!isAboutOne)
    say(
      ['arguments'],
      `name no operation: use \${key}, \${op_id} or \${param.NAME} in one of them`,
    );
}

function faultOfTemplate(name: string, params: readonly ParamContract[]): string | undefined {
  if (name === 'key' || name === 'op_id') return undefined;
  if (!name.startsWith('param.')) {
    return `\`\${${name}}\` is not known: use \${key}, \${op_id} or \${param.NAME}`;
  }
  return faultOfOne(name.slice('param.'.length), params);
}

function checkMatch({ pointer, values, text }: LookupMatch, say: Report): void {
  if (pointer === undefined && text === undefined)
    say([], 'fits every answer: add `pointer` (and `value`), or `text`');
  if (pointer === undefined && values !== undefined)
    say(['value'], 'stands nowhere: add `pointer`');
  if (pointer !== undefined && !pointer.startsWith('/')) say(['pointer'], notPointer(pointer));
  if (text !== undefined && !isPattern(text)) say(['text'], 'is no valid pattern (RE2 syntax)');
}

/** Looking must change nothing: the tool that is asked is none that this file guards as a write. */
export function checkLookups(contracts: readonly Contract[], report: Report): void {
  for (const [index, { reconcile }] of contracts.entries()) {
    if (reconcile === undefined) continue;
    const path = [index, 'reconcile', 'tool'];
    if (reconcile.server === '') {
      report(path, `\`${reconcile.tool}\` names no tool of a server: write server.tool`);
    } else if (contracts.some((other) => isWrite(other, reconcile))) {
      report(
        path,
        `\`${reconcile.server}.${reconcile.tool}\` is a guarded tool that writes: name one that only reads (effect = "read")`,
      );
    }
  }
}

const isWrite = (contract: Contract, { server, tool }: LookupRule): boolean =>
  contract.server === server && contract.tool === tool && contract.effect === 'write';
