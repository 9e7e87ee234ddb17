// Texts that PostgreSQL would refuse or change. U+0000 is in none of its texts, so it is escaped by
// U+001A (substitute), which is escaped itself; every other text is stored as it is.
import { StoreError } from '../store.ts';

/** Equal texts have equal forms and different ones different forms, so that lookups hold. */
export function encodeText(text: string): string {
  if (!text.isWellFormed()) {
    throw new StoreError('STORE_FAILED', 'a text with a lone surrogate cannot be stored');
  }
  if (!text.includes(nul) && !text.includes(substitute)) return text;
  return text.replaceAll(substitute, `${substitute}1`).replaceAll(nul, `${substitute}0`);
}

/** The text that was encoded. */
export function decodeText(stored: string): string {
  if (!stored.includes(substitute)) return stored;
  return stored.replaceAll(`${substitute}0`, nul).replaceAll(`${substitute}1`, substitute);
}

const nul = '\u0000';
const substitute = '\u001a';
