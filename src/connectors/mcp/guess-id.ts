// Whose answer is a frame that cannot be read? Most peers write the id first or last.

const idFirst = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15})\s*,/;
const idLast = /"id"\s*:\s*(\d{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** The integer id, when it stands at one of the two usual places. */
export function guessId(head: string, tail: string): number | undefined {
  const match = idFirst.exec(head) ?? idLast.exec(tail);
  return match === null ? undefined : Number(match[1]);
}
