// What the answer of a look-up means. Only an answer that has exactly one meaning settles anything.
import type { LookupMatch, LookupRule } from '../contract.ts';
import { type JsonObject, type JsonValue, numberText } from '../json-value.ts';
import { answerText, structuredAnswer } from './answer-text.ts';
import { atPointer } from './at-pointer.ts';
import { findsPattern } from './pattern.ts';
import { scaleNumber } from './scaled-number.ts';

/** What a target said about one operation. */
export type LookupFinding =
  | {
      readonly kind: 'succeeded';
      /** In budget units. */
      readonly amount?: number;
      /** The target's own name of what happened. */
      readonly reference?: string;
    }
  /** Certainly no effect, now and later. */
  | { readonly kind: 'failed' }
  /** Nothing is there yet. */
  | { readonly kind: 'absent' }
  /** One line without values; `isAlarm`: somebody must look. */
  | { readonly kind: 'unclear'; readonly reason: string; readonly isAlarm: boolean };

/** Which operation was asked about, and the scale of its amount. */
export interface LookupSubject {
  readonly key: string;
  readonly scale: number;
}

/** Longest reference that is kept, in UTF-16 units. */
const referenceMax = 200;

/** The one meaning of the answer, or why it has none. */
export function judgeLookup(
  rule: LookupRule,
  subject: LookupSubject,
  result: JsonObject,
): LookupFinding {
  const meanings = (['succeeded', 'failed', 'absent'] as const).filter((kind) =>
    fits(rule[kind], result),
  );
  const [kind, second] = meanings;
  if (kind === undefined) return unclear('the answer fits none of `succeeded`, `failed`, `absent`');
  if (second !== undefined) return alarm(`the answer means ${kind} and ${second} at once`);
  const foreign = foreignKey(rule, subject, { kind, result });
  if (foreign !== undefined) return alarm(foreign);
  return kind === 'succeeded' ? succeeded(rule, subject, result) : { kind };
}

const unclear = (reason: string): LookupFinding => ({ kind: 'unclear', reason, isAlarm: false });
const alarm = (reason: string): LookupFinding => ({ kind: 'unclear', reason, isAlarm: true });

function fits(match: LookupMatch | undefined, result: JsonObject): boolean {
  if (match === undefined || match.isError !== (result['isError'] === true)) return false;
  const { pointer, values, text } = match;
  if (text !== undefined && !findsPattern(text, answerText(result))) return false;
  if (pointer === undefined) return true;
  const found = atPointer(structuredAnswer(result), pointer);
  if (found === undefined) return false;
  return values === undefined || values.some((value) => isSame(found, value));
}

const isSame = (found: JsonValue, wanted: JsonValue): boolean =>
  JSON.stringify(found) === JSON.stringify(wanted);

/** Only an absent operation may come without a key. */
function foreignKey(
  { key: pointer }: LookupRule,
  { key }: LookupSubject,
  answer: { readonly kind: string; readonly result: JsonObject },
): string | undefined {
  if (pointer === undefined) return undefined;
  const found = atPointer(structuredAnswer(answer.result), pointer);
  if (found === key) return undefined;
  const isNothing = found === undefined || found === null;
  if (isNothing && answer.kind === 'absent') return undefined;
  return isNothing ? 'the answer names no key' : 'the answer is about the key of another operation';
}

function succeeded(rule: LookupRule, { scale }: LookupSubject, result: JsonObject): LookupFinding {
  const { amount: amountAt, reference: referenceAt } = rule;
  const answer = structuredAnswer(result);
  const reference = referenceAt === undefined ? undefined : referenceOf(answer, referenceAt);
  const named = reference === undefined ? {} : { reference };
  if (amountAt === undefined) return { kind: 'succeeded', ...named };
  const found = atPointer(answer, amountAt);
  const text = numberText(found) ?? found;
  const scaled = typeof text === 'string' ? scaleNumber(text, scale) : undefined;
  if (scaled?.ok !== true || scaled.value < 0) return alarm('the answer names no whole amount');
  return { kind: 'succeeded', amount: scaled.value, ...named };
}

function referenceOf(answer: JsonValue, pointer: string): string | undefined {
  const found = atPointer(answer, pointer);
  const text = typeof found === 'string' ? found : numberText(found);
  return text === undefined || !text.isWellFormed()
    ? undefined
    : text.slice(0, referenceMax).toWellFormed();
}
