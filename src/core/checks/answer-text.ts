// The two halves of a tool result: its structured content and its text.
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts';

/** All text blocks, one below the other. */
export function answerText(result: JsonObject): string {
  const content = result['content'];
  if (!Array.isArray(content)) return '';
  return (content as readonly JsonValue[])
    .map((block) => (isJsonObject(block) && typeof block['text'] === 'string' ? block['text'] : ''))
    .join('\n');
}

/** The structured content; null when there is none. */
export const structuredAnswer = (result: JsonObject): JsonValue =>
  result['structuredContent'] ?? null;
