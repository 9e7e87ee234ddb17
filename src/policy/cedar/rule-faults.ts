// Faults of one rule, in words that name the rule and the fix.
import type { ValidationError } from '@cedar-policy/cedar-wasm/nodejs';
import { type PolicyActionShape, restParam } from '../policy-engine.ts';
import type { CedarRule } from './parse-policy-file.ts';
import { cedarType, contextAttributes } from './policy-schema.ts';

/** What is wrong, and where in the rule's text (UTF-8 bytes, as Cedar counts). */
export interface Fault {
  readonly byteOffset: number;
  readonly message: string;
}

/** A rule with the actions its head allows and all that are configured. */
export interface RuleSubject {
  readonly rule: CedarRule;
  readonly applicable: readonly PolicyActionShape[];
  readonly configured: readonly PolicyActionShape[];
}

/** Names shown in a message before it says how many more there are. */
const namesMax = 12;

/** Cedar's findings about a rule. One that occurs for several actions is told once. */
export function cedarFaults(
  subject: RuleSubject,
  errors: readonly ValidationError[],
): readonly Fault[] {
  const groups = new Map<string, CedarFinding>();
  for (const error of errors) {
    const finding = readFinding(error);
    const key = `${finding.byteOffset} ${finding.kind} ${finding.subject}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, finding);
    else for (const action of finding.actions) known.actions.add(action);
  }
  return [...groups.values()].map((finding) => ({
    byteOffset: finding.byteOffset,
    message: `rule \`${subject.rule.name}\` ${explain(subject, finding)}`,
  }));
}

/** Faults that Cedar does not report: they only keep a rule from ever doing what it says. */
export function silentFaults(subject: RuleSubject, told: readonly Fault[]): readonly Fault[] {
  const unknown = unsuppliedReads(subject).map((path) => ({
    byteOffset: placeOf(subject.rule.text, path),
    message: `rule \`${subject.rule.name}\` ${unsupplied(subject, path)}`,
  }));
  const messages = new Set(told.map((fault) => fault.message));
  return [...unknown.filter((fault) => !messages.has(fault.message)), ...foreignServer(subject)];
}

/** A rule that Cedar proves to be false for every call. */
export function neverMatches(
  subject: RuleSubject,
  warnings: readonly ValidationError[],
): readonly Fault[] {
  const isImpossible = warnings.some((found) =>
    found.error.message.includes('policy is impossible'),
  );
  // A file that guards nothing has no call at all; the start says that, and no rule is at fault.
  if (!isImpossible || subject.configured.length === 0) return [];
  const why = 'it is false for every call that the contracts allow; correct or remove it';
  return [{ byteOffset: 0, message: `rule \`${subject.rule.name}\` can never match: ${why}` }];
}

type FindingKind = keyof typeof findingForms | 'other';

interface CedarFinding {
  readonly kind: FindingKind;
  /** The attribute path, action, type or entity that the finding is about; else Cedar's words. */
  readonly subject: string;
  readonly help: string;
  readonly byteOffset: number;
  readonly actions: Set<string>;
}

const findingForms = {
  missing: /^attribute `(.+)` in context for Action::"(.+)" not found$/u,
  optional:
    /^unable to guarantee safety .* optional attribute `(.+)` in context for Action::"(.+)"$/u,
  action: /^unrecognized action `Action::"(.+)"`$/u,
  type: /^unrecognized entity type `(.+)`$/u,
  server: /^entity `Resource::"(.*)"` is of an enumerated entity type/u,
  entity: /^attribute `(.+)` on entity type `.+` not found$/u,
} as const;

function readFinding({ error }: ValidationError): CedarFinding {
  const message = withoutPolicyId(error.message);
  const help = withoutPolicyId(error.help ?? '');
  const byteOffset = error.sourceLocations?.[0]?.start ?? 0;
  for (const [kind, form] of Object.entries(findingForms)) {
    const match = form.exec(message);
    if (match === null) continue;
    const [, subject = '', action] = match;
    const actions = new Set(action === undefined ? [] : [action]);
    return { kind: kind as FindingKind, subject, help, byteOffset, actions };
  }
  return { kind: 'other', subject: message, help, byteOffset, actions: new Set() };
}

function withoutPolicyId(text: string): string {
  return text.replace(/^for policy `r\d+`[,:] /u, '');
}

function explain(subject: RuleSubject, finding: CedarFinding): string {
  const { configured } = subject;
  const named = `\`${finding.subject}\``;
  switch (finding.kind) {
    case 'missing':
      return unsuppliedReads(subject).includes(finding.subject)
        ? unsupplied(subject, finding.subject)
        : missingInSome(finding);
    case 'optional':
      return `${reads(finding.subject)} may be absent; write ${presenceTest(finding.subject)}`;
    case 'action': {
      const actions = configured.map((shape) => shape.action);
      return `names the action ${named}, which no guarded tool has; ${choices('actions', actions)}`;
    }
    case 'server': {
      const servers = choices(
        'servers',
        configured.map((shape) => shape.server),
      );
      return `names the server ${named}, which has no guarded tool; ${servers}`;
    }
    case 'type':
      return `names the entity type ${named}; there are only ${listed(entityTypes)}`;
    case 'entity':
      return `reads ${named} of an entity; entities have no attribute but \`principal.scopes\``;
    case 'other': {
      const parts = [finding.subject, finding.help, typesRead(subject)];
      return `is not valid: ${parts.filter((part) => part !== '').join('; ')}`;
    }
  }
}

const entityTypes = ['Principal', 'Action', 'Resource'];

function reads(path: string): string {
  return `reads \`context.${path}\`, which`;
}

function missingInSome({ subject, actions }: CedarFinding): string {
  const lacking = `${reads(subject)} ${listed([...actions].sort())} does not have`;
  return `${lacking}; name the actions in the rule's head, or write ${presenceTest(subject)}`;
}

function unsupplied({ applicable }: RuleSubject, path: string): string {
  const root = /^[A-Za-z_]\w*/u.exec(path)?.[0] ?? path;
  if (root === 'params' || root === 'origin') {
    const names = applicable.flatMap((shape) => shape.params.map((param) => param.name));
    const known = choices('parameters', [...names, restParam]);
    return `${reads(path)} no contract supplies; ${known}`;
  }
  const below = contextAttributes.get(root);
  const record = below === undefined ? 'context' : `context.${root}`;
  const known = listed(below ?? [...contextAttributes.keys()]);
  return `${reads(path)} nothing supplies; \`${record}\` has ${known}`;
}

// An attribute that is only tested with `has` is no fault for Cedar: the test is just never true.
function unsuppliedReads({ rule, applicable }: RuleSubject): readonly string[] {
  const params = applicable.flatMap((shape) => shape.params.map((param) => param.name));
  const paths: string[] = [];
  for (const [attribute, names] of rule.reads.attributes) {
    const isPerParam = attribute === 'params' || attribute === 'origin';
    const known = isPerParam ? [...params, restParam] : contextAttributes.get(attribute);
    if (known === undefined) paths.push(attribute);
    else if (known.length > 0) {
      const unknown = [...names].filter((name) => !known.includes(name));
      paths.push(...unknown.map((name) => pathText(attribute, name)));
    }
  }
  return paths;
}

function foreignServer({ rule, configured }: RuleSubject): readonly Fault[] {
  const { actions, resource } = rule;
  if (actions === undefined || resource === undefined) return [];
  const own = configured.filter((shape) => actions.has(shape.action));
  if (own.length === 0 || own.some((shape) => shape.server === resource)) return [];
  const servers = listed([...new Set(own.map((shape) => shape.server))].sort());
  const why = `its actions belong to ${servers}, not to \`${resource}\`; correct the server`;
  return [{ byteOffset: 0, message: `rule \`${rule.name}\` can never match: ${why}` }];
}

// The types of what the rule reads, so that a type error explains itself.
function typesRead({ rule, applicable }: RuleSubject): string {
  const names = rule.reads.attributes.get('params') ?? new Set();
  const types = applicable
    .flatMap((shape) => shape.params)
    .filter((param) => names.has(param.name))
    .map((param) => `\`${param.name}\` is ${cedarType(param)}`);
  return [...new Set(types)].sort().slice(0, namesMax).join(', ');
}

function presenceTest(path: string): string {
  const [, record, name] = /^(\w+)\.(\w+)$/u.exec(path) ?? [];
  return record === undefined
    ? 'a test with `has` first'
    : `\`context.${record} has ${name} && \u2026\``;
}

// As Cedar writes it.
function pathText(attribute: string, name: string): string {
  return /^[A-Za-z_]\w*$/u.test(name)
    ? `${attribute}.${name}`
    : `${attribute}[${JSON.stringify(name)}]`;
}

// Cedar's JSON form holds no places, so the name is looked up in the text of the conditions.
function placeOf(ruleText: string, path: string): number {
  const name = /(\w+)(?:"\])?$/u.exec(path)?.[1] ?? path;
  const at = ruleText.indexOf(name, ruleText.indexOf('{'));
  return at < 0 ? 0 : Buffer.byteLength(ruleText.slice(0, at), 'utf8');
}

function choices(what: string, names: readonly string[]): string {
  const unique = [...new Set(names)].sort();
  return unique.length === 0 ? `there are no ${what}` : `the ${what} are ${listed(unique)}`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, namesMax).map((name) => `\`${name}\``);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
