// What a server prints on stderr, made safe for our own log: whole lines, bounded in length and
// number, control characters visible, known secrets masked.

const lineMaxBytes = 8 * 1024;
const linesPerSecondMax = 200;
const newline = 0x0a;
// Shorter texts would mask half of every line.
const secretLengthMin = 4;

export interface StderrLinesOptions {
  readonly onLine: (line: string) => void;
  readonly secrets: readonly string[];
  readonly nowMs: () => number;
}

export class StderrLines {
  readonly #options: StderrLinesOptions;
  readonly #secrets: readonly string[];
  #rest: Buffer = Buffer.alloc(0);
  #isCut = false;
  #second = 0;
  #count = 0;
  #dropped = 0;
  /** The last line, for the message about a server that ended. */
  last: string | undefined;

  constructor(options: StderrLinesOptions) {
    this.#options = options;
    this.#secrets = options.secrets.filter((secret) => secret.length >= secretLengthMin);
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#emit();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  /** Emits a last line without a newline and the number of dropped ones. */
  end(): void {
    this.#emit();
    this.#tellDropped();
  }

  #keep(piece: Buffer): void {
    const space = lineMaxBytes - this.#rest.length;
    if (piece.length > space) this.#isCut = true;
    if (space > 0 && piece.length > 0) {
      this.#rest = Buffer.concat([this.#rest, piece.subarray(0, space)]);
    }
  }

  #emit(): void {
    const text = this.#rest.toString('utf8').replace(/\r$/, '');
    const line = visible(this.#mask(text)) + (this.#isCut ? ' … (cut)' : '');
    this.#rest = Buffer.alloc(0);
    this.#isCut = false;
    if (line === '') return;
    this.last = line;
    if (this.#isWithinRate()) this.#options.onLine(line);
    else this.#dropped += 1;
  }

  #mask(text: string): string {
    let masked = text;
    for (const secret of this.#secrets) masked = masked.replaceAll(secret, '***');
    return masked;
  }

  #isWithinRate(): boolean {
    const second = Math.floor(this.#options.nowMs() / 1000);
    if (second !== this.#second) {
      this.#tellDropped();
      this.#second = second;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count <= linesPerSecondMax;
  }

  #tellDropped(): void {
    if (this.#dropped === 0) return;
    this.#options.onLine(`… ${this.#dropped} more lines dropped`);
    this.#dropped = 0;
  }
}

/** Control and direction characters as `U+XXXX`, so that a terminal shows what was printed. */
function visible(text: string): string {
  return text.replace(hidden, (char) => {
    const code = char.codePointAt(0) ?? 0;
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
