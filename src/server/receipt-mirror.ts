// The 0.5.x receipt file: one JSON line per decision and outcome, chained as its readers expect.
import { appendFile, open, rename, stat } from 'node:fs/promises';
import type { LogLine, MirrorEntry, ReceiptMirror } from '../gateway/gateway-parts.ts';
import { type LegacyHead, nextLegacyLine, readLegacyHead } from '../receipts/legacy-chain.ts';

/** A full file is put aside and a new chain begins: 256 MiB. */
const sizeMaxBytes = 256 * 1024 * 1024;
/** How much of the end of an existing file is read to find its last line. */
const tailBytes = 262_144;

export interface MirrorSettings {
  readonly path: string;
  readonly principal: string;
  readonly nowMs: () => number;
  readonly log: LogLine;
}

/** Lines are written in order, behind the calls; a failing write is said once and never refuses anything. */
export class MirrorFile {
  readonly #settings: MirrorSettings;
  readonly #queue: MirrorEntry[] = [];
  #head: LegacyHead | undefined;
  #isRead = false;
  #work: Promise<void> | undefined;
  #isFailing = false;

  constructor(settings: MirrorSettings) {
    this.#settings = settings;
  }

  readonly write: ReceiptMirror = (entry) => {
    this.#queue.push(entry);
    this.#work ??= this.#drain();
  };

  /** Resolves when everything is written. */
  async flush(): Promise<void> {
    await this.#work;
  }

  async #drain(): Promise<void> {
    await Promise.resolve();
    try {
      if (!this.#isRead) this.#head = await readHead(this.#settings.path);
      this.#isRead = true;
      while (this.#queue.length > 0) await this.#append(this.#queue.splice(0, 256));
      this.#isFailing = false;
    } catch (error) {
      this.#queue.length = 0;
      this.#isRead = false;
      if (!this.#isFailing)
        this.#settings.log('error', `the receipt copy cannot be written: ${String(error)}`);
      this.#isFailing = true;
    } finally {
      this.#work = undefined;
    }
  }

  async #append(entries: readonly MirrorEntry[]): Promise<void> {
    const { path, nowMs, principal } = this.#settings;
    let text = '';
    let head = (await rotateIfFull(path)) ? undefined : this.#head;
    for (const { opId, opHash, ...entry } of entries) {
      const data = {
        ...entry,
        reasons: [...entry.reasons],
        principal,
        op_id: opId,
        op_hash: opHash ?? null,
      };
      const next = nextLegacyLine(head, { tsMs: nowMs(), data });
      head = next.head;
      text += next.line;
    }
    await appendFile(path, text, { mode: 0o600 });
    this.#head = head;
  }
}

async function rotateIfFull(path: string): Promise<boolean> {
  const size = await sizeOf(path);
  if (size < sizeMaxBytes) return false;
  await putAside(path);
  return true;
}

/** Nothing of an existing file is changed or lost. */
const putAside = (path: string): Promise<void> => rename(path, `${path}.${Date.now()}`);

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

/** The chain that a file ends with is continued; a file that ends in something else is put aside and a new one begins. */
async function readHead(path: string): Promise<LegacyHead | undefined> {
  const size = await sizeOf(path);
  if (size === 0) return undefined;
  const file = await open(path, 'r');
  try {
    const length = Math.min(size, tailBytes);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    const text = buffer.toString('utf8');
    const head = readLegacyHead(text.trimEnd().split('\n').at(-1) ?? '');
    if (head.ok && text.endsWith('\n')) return head.value;
  } finally {
    await file.close();
  }
  await putAside(path);
  return undefined;
}
