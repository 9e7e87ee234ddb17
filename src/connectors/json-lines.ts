// Newline-delimited messages, the wire of MCP over stdio: bounded reading, and writing that puts
// all frames of one turn of the event loop into a single write.
import type { Writable } from 'node:stream';

const newline = 0x0a;
const carriageReturn = 0x0d;
/** Bytes kept of both ends of a frame that is too large, to find out whose it is. */
const keptOfOversizeBytes = 4096;

/** A frame above the limit. Only its two ends are kept. */
export interface OversizeFrame {
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly sizeBytes: number;
}

export interface LineReaderOptions {
  readonly sizeMaxBytes: number;
  /** One frame without its newline. Never empty. */
  readonly onLine: (line: Buffer) => void;
  readonly onOversize: (frame: OversizeFrame) => void;
}

/** Cuts a byte stream into frames. Holds at most one frame of the allowed size. */
export class LineReader {
  readonly #options: LineReaderOptions;
  #parts: Buffer[] = [];
  #sizeBytes = 0;
  #head: Buffer | undefined;
  #tail: Buffer = Buffer.alloc(0);

  constructor(options: LineReaderOptions) {
    this.#options = options;
  }

  push(chunk: Buffer): void {
    let start = 0;
    let end = chunk.indexOf(newline);
    while (end !== -1) {
      this.#finish(chunk.subarray(start, end));
      start = end + 1;
      end = chunk.indexOf(newline, start);
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  /** What stands after the last newline; a stream that ends may leave half a frame. */
  get restBytes(): number {
    return this.#sizeBytes;
  }

  #finish(piece: Buffer): void {
    if (this.#parts.length === 0 && this.#head === undefined) {
      if (piece.length <= this.#options.sizeMaxBytes) this.#emit(piece);
      else this.#options.onOversize(endsOf(piece));
      return;
    }
    this.#keep(piece);
    const { head, tail, sizeBytes } = {
      head: this.#head,
      tail: this.#tail,
      sizeBytes: this.#sizeBytes,
    };
    const line = head === undefined ? Buffer.concat(this.#parts) : undefined;
    this.#reset();
    if (line !== undefined) this.#emit(line);
    else if (head !== undefined) this.#options.onOversize({ head, tail, sizeBytes });
  }

  #emit(line: Buffer): void {
    const end = line[line.length - 1] === carriageReturn ? line.length - 1 : line.length;
    if (end > 0) this.#options.onLine(end === line.length ? line : line.subarray(0, end));
  }

  #keep(piece: Buffer): void {
    this.#sizeBytes += piece.length;
    if (this.#head !== undefined) {
      this.#tail = lastBytes(this.#tail, piece);
      return;
    }
    this.#parts.push(piece);
    if (this.#sizeBytes <= this.#options.sizeMaxBytes) return;
    const ends = endsOf(Buffer.concat(this.#parts));
    this.#parts = [];
    this.#head = ends.head;
    this.#tail = ends.tail;
  }

  #reset(): void {
    this.#parts = [];
    this.#sizeBytes = 0;
    this.#head = undefined;
    this.#tail = Buffer.alloc(0);
  }
}

function endsOf(frame: Buffer): OversizeFrame {
  // Copies, so that the two small ends do not hold the whole frame in memory.
  const head = Buffer.from(frame.subarray(0, keptOfOversizeBytes));
  const tail = Buffer.from(frame.subarray(-keptOfOversizeBytes));
  return { head, tail, sizeBytes: frame.length };
}

function lastBytes(tail: Buffer, piece: Buffer): Buffer {
  if (piece.length >= keptOfOversizeBytes) return Buffer.from(piece.subarray(-keptOfOversizeBytes));
  return Buffer.from(Buffer.concat([tail, piece]).subarray(-keptOfOversizeBytes));
}

/** Who wants to know when the first byte of a frame is written. */
export interface LineSender {
  /** Called just before that. */
  markSent(): void;
}

/** One frame that waits for its write. Dropping it before that means that nothing was sent. */
export interface QueuedLine {
  readonly text: string;
  readonly sender: LineSender | undefined;
  isDropped: boolean;
}

export interface LineWriterOptions {
  /** Called when the peer stops reading (`true`) and when it reads again (`false`). */
  readonly onBlocked?: (isBlocked: boolean) => void;
}

/**
 * Writes frames, one write per turn of the event loop. While the peer does not read, frames wait
 * here unsent.
 */
export class LineWriter {
  readonly #stream: Writable;
  readonly #options: LineWriterOptions;
  #queue: QueuedLine[] = [];
  #queuedUnits = 0;
  #isScheduled = false;
  #isBlocked = false;
  #isClosed = false;

  constructor(stream: Writable, options: LineWriterOptions = {}) {
    this.#stream = stream;
    this.#options = options;
    stream.on('drain', () => this.#onDrain());
  }

  /** Queues one frame; the newline is added here. */
  write(text: string, sender?: LineSender): QueuedLine {
    const line: QueuedLine = { text, sender, isDropped: false };
    if (this.#isClosed) {
      line.isDropped = true;
      return line;
    }
    this.#queue.push(line);
    this.#queuedUnits += text.length;
    this.#schedule();
    return line;
  }

  /** Characters that wait here and in the stream. */
  get waitingUnits(): number {
    return this.#queuedUnits + this.#stream.writableLength;
  }

  readonly #flush = (): void => this.flush();

  /** Writes what is queued now, unless the peer does not read. */
  flush(): void {
    this.#isScheduled = false;
    if (this.#isBlocked || this.#isClosed || this.#queue.length === 0) return;
    const lines = this.#queue;
    this.#queue = [];
    this.#queuedUnits = 0;
    let text = '';
    for (const line of lines) {
      if (line.isDropped) continue;
      line.sender?.markSent();
      text += line.text;
      text += '\n';
    }
    if (text === '' || this.#stream.write(text)) return;
    this.#isBlocked = true;
    this.#options.onBlocked?.(true);
  }

  /** Nothing queued is written any more. */
  close(): void {
    this.#isClosed = true;
    for (const line of this.#queue) line.isDropped = true;
    this.#queue = [];
    this.#queuedUnits = 0;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isBlocked) return;
    this.#isScheduled = true;
    // After everything that this event and its promises still write; a turn of the loop later
    // would cost two more system calls per message.
    process.nextTick(this.#flush);
  }

  #onDrain(): void {
    if (!this.#isBlocked) return;
    this.#isBlocked = false;
    this.#options.onBlocked?.(false);
    if (this.#queue.length > 0) this.#schedule();
  }
}
