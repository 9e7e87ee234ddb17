// An answer of a server, read in one of two ways: quickly, when it is written as `JSON.stringify`
// writes, or by its parts.
import { isJsonObject, type JsonObject } from '../../core/json-value.ts';
import type { ToolCallOutcome } from '../tool-servers.ts';

const idFirst = /^\{"jsonrpc":"2\.0","id":(\d{1,15}),"result":/;
const idLast = /,"jsonrpc":"2\.0","id":(\d{1,15})\}$/;
const resultFirst = '{"result":';

export interface CompactAnswer {
  readonly id: number;
  readonly outcome: ToolCallOutcome;
}

/**
 * The answer, when printing its result again gives the very same text: then no number was
 * rounded and no key stood twice. Undefined for everything else.
 */
export function readCompactAnswer(text: string): CompactAnswer | undefined {
  const place = placeResult(text);
  if (place === undefined) return undefined;
  const resultText = text.slice(place.start, place.end);
  const result = parseObject(resultText);
  if (result === undefined || JSON.stringify(result) !== resultText) return undefined;
  return { id: place.id, outcome: { kind: 'result', result, resultText } };
}

/** The outcome that a parsed answer tells. */
export function readAnswer(frame: JsonObject): ToolCallOutcome {
  const { result, error } = frame;
  if (isJsonObject(error)) {
    const { code, message, data } = error;
    if (typeof code === 'number' && typeof message === 'string') {
      return { kind: 'error', error: { code, message, ...(data === undefined ? {} : { data }) } };
    }
  } else if (isJsonObject(result)) {
    return { kind: 'result', result };
  }
  return { kind: 'lost', reason: 'its answer is neither a result nor an error' };
}

interface Place {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

function placeResult(text: string): Place | undefined {
  const first = idFirst.exec(text);
  if (first !== null) {
    return { id: Number(first[1]), start: first[0].length, end: text.length - 1 };
  }
  if (!text.startsWith(resultFirst)) return undefined;
  // Only the end is searched: the pattern would walk through a long text otherwise.
  const last = idLast.exec(text.slice(-48));
  if (last === null) return undefined;
  return { id: Number(last[1]), start: resultFirst.length, end: text.length - last[0].length };
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonObject;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
