// Does the answer look like a success of what was decided? The contract says how to tell.
import type { Contract, ParamContract } from '../contract.ts';
import type { ResolvedValue } from '../decision.ts';
import { type JsonObject, type JsonValue, numberText } from '../json-value.ts';
import { answerText, structuredAnswer } from './answer-text.ts';
import { atPointer } from './at-pointer.ts';
import { findsPattern } from './pattern.ts';
import { scaleNumber } from './scaled-number.ts';
import { unitsOf } from './value-bounds.ts';

/** One line that says what is odd, without values; undefined = it looks as it should. */
export function judgeAnswer(
  contract: Contract,
  values: readonly ResolvedValue[],
  result: JsonObject,
): string | undefined {
  return judgeShape(contract, result) ?? judgeExpected(contract, values, result);
}

function judgeShape({ success }: Contract, result: JsonObject): string | undefined {
  if (success === undefined) return undefined;
  const { pointer, value = true, text } = success;
  if (pointer !== undefined && !isSame(atPointer(structuredAnswer(result), pointer), value)) {
    return `the answer does not say success at ${pointer}`;
  }
  if (text !== undefined && !findsPattern(text, answerText(result))) {
    return 'the text of the answer does not say success';
  }
  return undefined;
}

/** A field that names another recipient or amount than was decided. A field that is absent says nothing. */
function judgeExpected(
  contract: Contract,
  values: readonly ResolvedValue[],
  result: JsonObject,
): string | undefined {
  for (const [pointer, name] of Object.entries(contract.expect)) {
    const found = atPointer(structuredAnswer(result), pointer);
    const param = contract.params.find((declared) => declared.name === name);
    const decided = values.filter((value) => value.param === name);
    if (found === undefined || param === undefined || decided.length === 0) continue;
    const named = Array.isArray(found) ? (found as readonly JsonValue[]) : [found];
    const isDecided = (each: JsonValue): boolean =>
      decided.some((value) => agrees(param, each, value));
    if (!named.every(isDecided)) return `the answer names another ${name} than was decided`;
  }
  return undefined;
}

/** Amounts agree in the tool's own unit; 1250 is no answer to 12.50. */
function agrees(
  param: ParamContract,
  found: JsonValue,
  { canonical, send }: ResolvedValue,
): boolean {
  if (typeof canonical !== 'number') return squeezed(found) === squeezed(send);
  const text = numberText(found) ?? found;
  const scaled = typeof text === 'string' ? scaleNumber(text, unitsOf(param)) : undefined;
  return scaled?.ok === true && scaled.value === canonical;
}

/** Spaces and case of identifiers are the server's own affair. */
function squeezed(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replaceAll(' ', '').toLowerCase();
}

const isSame = (found: JsonValue | undefined, wanted: JsonValue): boolean =>
  JSON.stringify(found) === JSON.stringify(wanted);
