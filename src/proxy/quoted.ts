// A value of the agent inside our own sentences: one line, bounded, nothing hidden in it.

const quotedMaxLength = 80;
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** `"value"`, with control and direction characters as U+XXXX, at most 80 characters. */
export function quoted(text: string): string {
  const shown = visibleText(text);
  const clipped =
    shown.length > quotedMaxLength ? `${shown.slice(0, quotedMaxLength - 1)}…` : shown;
  return `"${clipped}"`;
}

/** The text on one line, with characters that a reader cannot see written as U+XXXX. */
export function visibleText(text: string): string {
  return text.replace(hidden, (char) => {
    const code = char.codePointAt(0) ?? 0;
    return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  });
}
