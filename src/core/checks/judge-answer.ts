// Does the answer look like a success of what was decided? The contract says how to tell.
import type { Contract } from '../contract.ts';
import type { ResolvedValue } from '../decision.ts';
import { isJsonObject, type JsonObject, type JsonValue, numberText } from '../json-value.ts';
import { findsPattern } from './pattern.ts';
import { scaleNumber } from './scaled-number.ts';

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
  if (success.pointer !== undefined) {
    const found = atPointer(structured(result), success.pointer);
    if (found === undefined || !sameValue(found, success.value ?? true)) {
      return `the answer does not say success at ${success.pointer}`;
    }
  }
  if (success.text !== undefined && !findsPattern(success.text, textOf(result))) {
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
    const found = atPointer(structured(result), pointer);
    const param = contract.params.find((declared) => declared.name === name);
    const decided = values.filter((value) => value.param === name);
    if (found === undefined || param === undefined || decided.length === 0) continue;
    const same = decided.some((value) => agrees(found, value, param.scale));
    if (!same) return `the answer names another ${name} than was decided`;
  }
  return undefined;
}

function agrees(found: JsonValue, value: ResolvedValue, scale: number): boolean {
  if (sameValue(found, value.send) || sameValue(found, value.canonical)) return true;
  const text = numberText(found) ?? (typeof found === 'string' ? found : undefined);
  if (typeof value.canonical !== 'number' || text === undefined) return squeeze(found) === squeeze(value.send);
  const scaled = scaleNumber(text, scale);
  return scaled.ok && scaled.value === value.canonical;
}

/** Spaces and case of identifiers are the server's own affair. */
const squeeze = (value: JsonValue): string => String(value).replaceAll(' ', '').toLowerCase();

const sameValue = (a: JsonValue, b: JsonValue): boolean => JSON.stringify(a) === JSON.stringify(b);

const structured = (result: JsonObject): JsonValue => result['structuredContent'] ?? null;

function textOf(result: JsonObject): string {
  const content = result['content'];
  if (!Array.isArray(content)) return '';
  return (content as readonly JsonValue[])
    .map((block) => (isJsonObject(block) && typeof block['text'] === 'string' ? block['text'] : ''))
    .join('\n');
}

/** JSON pointer (RFC 6901); undefined when nothing stands there. */
function atPointer(value: JsonValue, pointer: string): JsonValue | undefined {
  let here: JsonValue | undefined = value;
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(here)) here = (here as readonly JsonValue[])[Number(key)];
    else if (isJsonObject(here)) here = Object.hasOwn(here, key) ? here[key] : undefined;
    else return undefined;
  }
  return here;
}
