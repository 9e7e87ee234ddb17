// The Cedar context of one question. Only what the rules of the action can read is built; a value
// that does not have its declared type is an error, never something for Cedar to guess about.
import type { CedarValueJson } from '@cedar-policy/cedar-wasm/nodejs';
import { err, ok, type Result } from '../../core/result.ts';
import type {
  PolicyActionShape,
  PolicyContext,
  PolicyParamShape,
  PolicyParamType,
  PolicyQuestion,
} from '../policy-engine.ts';
import { allParams } from './policy-schema.ts';
import type { RuleReads } from './rule-reads.ts';

/** What to send for one action; `undefined` = the attribute is read by no rule. */
export interface ContextPlan {
  readonly params: readonly PolicyParamShape[] | undefined;
  readonly origin: readonly PolicyParamShape[] | undefined;
  readonly attributes: readonly AttributeName[];
  readonly scopes: boolean;
}

type AttributeName = keyof typeof attributeBuilders;
type CedarRecord = Record<string, CedarValueJson>;
/** A value, or nothing and the reason. */
type Built = Result<CedarValueJson, string>;

/** Decides once, at load, what the rules of an action need. */
export function planContext(shape: PolicyActionShape, reads: readonly RuleReads[]): ContextPlan {
  const params = allParams(shape.params);
  const isRead = (name: string): boolean =>
    reads.some((read) => read.wholeContext || read.attributes.has(name));
  const names = Object.keys(attributeBuilders) as AttributeName[];
  return {
    params: isRead('params') ? params.filter(isReadBelow('params', reads)) : undefined,
    origin: isRead('origin') ? params.filter(isReadBelow('origin', reads)) : undefined,
    attributes: names.filter(isRead),
    scopes: reads.some((read) => read.scopes),
  };
}

/** The context, or why there can be none. */
export function buildContext(
  plan: ContextPlan,
  question: PolicyQuestion,
): Result<CedarRecord, string> {
  const context: CedarRecord = {};
  if (plan.params !== undefined) {
    const params = buildParams(plan.params, question.context.params);
    if (!params.ok) return params;
    context['params'] = params.value;
  }
  if (plan.origin !== undefined) {
    const origin = buildOrigin(plan.origin, question.context.origin);
    if (!origin.ok) return origin;
    context['origin'] = origin.value;
  }
  for (const name of plan.attributes) {
    const built = attributeBuilders[name](question);
    if (!built.ok) return built;
    context[name] = built.value;
  }
  return ok(context);
}

/** Cedar's reader throws on a lone surrogate instead of refusing it. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed();
}

function isReadBelow(
  attribute: string,
  reads: readonly RuleReads[],
): (param: PolicyParamShape) => boolean {
  return (param) =>
    reads.some(
      (read) =>
        read.wholeContext ||
        read.wholeAttributes.has(attribute) ||
        (read.attributes.get(attribute)?.has(param.name) ?? false),
    );
}

function buildParams(
  shapes: readonly PolicyParamShape[],
  given: PolicyContext['params'],
): Result<CedarRecord, string> {
  const params: CedarRecord = {};
  for (const { name, type, optional } of shapes) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined) {
      if (!optional) return err(`the parameter \`${name}\` is missing`);
    } else if (typeTests[type](value)) params[name] = value as CedarValueJson;
    else return err(`the parameter \`${name}\` is not a ${type}`);
  }
  return ok(params);
}

function buildOrigin(
  shapes: readonly PolicyParamShape[],
  given: PolicyContext['origin'],
): Result<CedarRecord, string> {
  const origin: CedarRecord = {};
  for (const { name, optional } of shapes) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined) {
      if (!optional) return err(`the origin of \`${name}\` is missing`);
    } else if (origins.has(value)) origin[name] = value;
    else return err(`the origin of \`${name}\` is unknown`);
  }
  return ok(origin);
}

const origins: ReadonlySet<unknown> = new Set(['system_of_record', 'user_channel', 'untrusted']);

const typeTests: Readonly<Record<PolicyParamType, (value: unknown) => boolean>> = {
  string: isText,
  long: Number.isSafeInteger,
  boolean: (value) => typeof value === 'boolean',
  'string-set': (value) => Array.isArray(value) && value.every(isText),
  'long-set': (value) => Array.isArray(value) && value.every(Number.isSafeInteger),
};

const levels: ReadonlySet<unknown> = new Set([0, 1, 2]);

/** Last instant of the year 9999, beyond which Cedar's `datetime` text has no form. */
const instantMaxMs = 253_402_300_799_999;

const attributeBuilders = {
  approval_level: ({ level }: PolicyQuestion): Built =>
    levels.has(level) ? ok(level) : err('the level is not 0, 1 or 2'),
  mandate: ({ context: { mandate } }: PolicyQuestion): Built => {
    if (mandate === undefined) return missing('mandate');
    const fields = { id: mandate.id, agent: mandate.agent, purpose: mandate.purpose };
    return record('mandate', fields, isText);
  },
  budget: ({ context: { budget } }: PolicyQuestion): Built => {
    if (budget === undefined) return missing('budget');
    const fields = { left: budget.left, calls_left: budget.callsLeft };
    return record('budget', fields, Number.isSafeInteger);
  },
  now: ({ context: { nowMs } }: PolicyQuestion): Built => {
    if (nowMs === undefined) return missing('now');
    const isInstant = Number.isSafeInteger(nowMs) && nowMs >= 0 && nowMs <= instantMaxMs;
    if (!isInstant) return err('`now` is not an instant');
    return ok({ __extn: { fn: 'datetime', arg: new Date(nowMs).toISOString() } });
  },
  channel: ({ context: { channel } }: PolicyQuestion): Built => {
    if (channel === undefined) return missing('channel');
    return isText(channel) ? ok(channel) : err('`channel` is not a text');
  },
} as const;

function missing(name: string): Built {
  return err(`\`context.${name}\` is read by a rule and was not supplied`);
}

// A field that is absent is left out: the schema makes it optional, or the type test refuses it.
function record(
  name: string,
  fields: Readonly<Record<string, string | number | undefined>>,
  isRight: (value: unknown) => boolean,
): Built {
  const built: CedarRecord = {};
  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (!isRight(value)) return err(`\`context.${name}.${field}\` has a wrong type`);
    built[field] = value;
  }
  return ok(built);
}
