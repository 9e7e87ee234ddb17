// A policy file becomes rules that know their name and place, or problems with line and column.
import type {
  DetailedError,
  EntityUidJson,
  PolicyJson,
  PolicyToJsonAnswer,
} from '@cedar-policy/cedar-wasm/nodejs';
import type { PolicyProblem } from '../policy-engine.ts';
import { withCedar } from './cedar-instance.ts';
import { type RuleReads, ruleReads } from './rule-reads.ts';
import { charOffset, placeAt, type RuleText, splitRules } from './split-rules.ts';

/** One rule of a policy set. */
export interface CedarRule {
  /** Unique inside the set; never shown. */
  readonly id: string;
  /** `@id`, or file and line where there is none. */
  readonly name: string;
  readonly text: string;
  readonly file: string;
  readonly fileText: string;
  /** Where the rule starts in its file, in characters. */
  readonly offset: number;
  /** Actions of the rule's head; undefined = every action. */
  readonly actions: ReadonlySet<string> | undefined;
  /** Server named in the rule's head. */
  readonly resource: string | undefined;
  readonly reads: RuleReads;
}

/** A file of the set. */
export interface PolicyFile {
  readonly name: string;
  readonly text: string;
}

// Cedar evaluates on a fixed stack of 1 MiB: a chain of 200 operators still passed, 400 did not.
const depthMax = 128;
const tooDeep = `nests more than ${depthMax} levels; split it, or use a set: […].contains(…)`;

const notUnicode = 'the rule is not valid Unicode; save the file as UTF-8';

/** All rules of the files in order, and every problem found on the way. */
export function parsePolicyFiles(files: readonly PolicyFile[]): {
  readonly rules: readonly CedarRule[];
  readonly problems: readonly PolicyProblem[];
} {
  const rules: CedarRule[] = [];
  const problems: PolicyProblem[] = [];
  for (const file of files) {
    for (const ruleText of splitRules(file.text)) {
      const parsed = parseRule(file, ruleText, `r${rules.length}`);
      if ('message' in parsed) problems.push(parsed);
      else rules.push(parsed);
    }
  }
  return { rules, problems };
}

/** The part of a rule that says where it stands. */
export type RulePlace = Pick<CedarRule, 'file' | 'fileText' | 'text' | 'offset'>;

/** A problem at a byte offset of a rule, as Cedar counts; 0 = where the rule starts. */
export function problemInRule(
  place: RulePlace,
  byteOffset: number,
  message: string,
): PolicyProblem {
  const offset = place.offset + charOffset(place.text, byteOffset);
  return { file: place.file, ...placeAt(place.fileText, offset), message };
}

function parseRule(file: PolicyFile, ruleText: RuleText, id: string): CedarRule | PolicyProblem {
  const place = { file: file.name, fileText: file.text, ...ruleText };
  if (!ruleText.text.isWellFormed()) return problemInRule(place, 0, notUnicode);
  const answer = readRule(ruleText.text);
  if (answer === undefined) return problemInRule(place, 0, `the rule ${tooDeep}`);
  if (answer.type === 'failure') return parseProblem(place, answer.errors[0]);
  const reads = ruleReads(answer.json.conditions.map((condition) => condition.body));
  if (reads.depth > depthMax) return problemInRule(place, 0, `the rule ${tooDeep}`);
  return { ...place, id, name: ruleName(place, answer.json), ...headOf(answer.json), reads };
}

// On valid Unicode the parser throws only when its stack runs out.
function readRule(text: string): PolicyToJsonAnswer | undefined {
  try {
    return withCedar((cedar) => cedar.policyToJson(text));
  } catch {
    return undefined;
  }
}

function parseProblem(place: RulePlace, error: DetailedError | undefined): PolicyProblem {
  const reason =
    error?.message.replace(/^failed to parse policy from string: /, '') ?? 'unreadable';
  const at = error?.sourceLocations?.[0];
  if (reason.includes('got a template')) {
    const slot = reason.match(/\?\w+/)?.[0] ?? '?principal';
    const fix = 'templates are not supported, write out whom it means';
    return problemInRule(place, at?.start ?? 0, `the rule holds the slot \`${slot}\`; ${fix}`);
  }
  const hints = [at?.label, error?.help].filter((hint) => typeof hint === 'string');
  return problemInRule(place, at?.start ?? 0, `cannot be parsed: ${[reason, ...hints].join('; ')}`);
}

function ruleName(place: RulePlace, json: PolicyJson): string {
  // Cedar gives `null` for an annotation without a value.
  const id: string | null | undefined = json.annotations?.['id'];
  if (typeof id === 'string' && id !== '') return id;
  return `${place.file}:${placeAt(place.fileText, place.offset).line}`;
}

function headOf(json: PolicyJson): Pick<CedarRule, 'actions' | 'resource'> {
  return { actions: actionsOf(json.action), resource: resourceOf(json.resource) };
}

function actionsOf(head: PolicyJson['action']): ReadonlySet<string> | undefined {
  if (head.op === 'All') return undefined;
  if ('entities' in head) return new Set(head.entities.map(entityId));
  // INVARIANT: a rule with a slot did not parse, so there is an entity.
  return new Set('entity' in head ? [entityId(head.entity)] : []);
}

function resourceOf(head: PolicyJson['resource']): string | undefined {
  if ((head.op === '==' || head.op === 'in') && 'entity' in head) return entityId(head.entity);
  if (head.op === 'is' && head.in !== undefined && 'entity' in head.in) {
    return entityId(head.in.entity);
  }
  return undefined;
}

function entityId(uid: EntityUidJson): string {
  return '__entity' in uid ? uid.__entity.id : uid.id;
}
