// A plain JSON-RPC client over stdio: no SDK, every answer is checked, ids are integers.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A command with its arguments. */
export interface Peer {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

interface Answer {
  readonly id?: number;
  readonly result?: { readonly isError?: boolean };
  readonly error?: { readonly message: string };
}

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

export class StdioPeer {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #rest = '';
  #nextId = 1;
  /** From the start of the process to the answer of `initialize`. */
  startMs = 0;

  constructor(peer: Peer) {
    this.#child = spawn(peer.command, [...peer.args], {
      stdio: ['pipe', 'pipe', 'ignore'],
      ...(peer.cwd === undefined ? {} : { cwd: peer.cwd }),
      env: { ...process.env, ...peer.env },
    });
    this.#child.stdout?.setEncoding('utf8');
    this.#child.stdout?.on('data', (chunk: string) => this.#receive(chunk));
    this.#child.on('error', (error) => this.#fail(error));
    this.#child.on('exit', (code) => this.#fail(new Error(`${peer.command} ended with ${code}`)));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async initialize(): Promise<void> {
    const start = performance.now();
    await this.ask('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1' },
    });
    this.startMs = performance.now() - start;
    this.#write({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await this.ask('tools/list', {});
  }

  /** One call; throws when the result is not what was expected. */
  async call(name: string, args: unknown, isError: boolean): Promise<void> {
    const { result, error } = await this.ask('tools/call', { name, arguments: args });
    if (error !== undefined) throw new Error(error.message);
    if ((result?.isError === true) !== isError)
      throw new Error(`${name}: ${JSON.stringify(result).slice(0, 300)}`);
  }

  ask(method: string, params: unknown): Promise<Answer> {
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#write({ jsonrpc: '2.0', id, method, params });
    });
  }

  /** Resident memory in MiB, of this process alone. */
  rssMib(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }

  async close(): Promise<void> {
    const exited = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()));
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 8_000);
    await exited;
    clearTimeout(timer);
  }

  /** `kill -9`: nothing is written any more. */
  async kill(): Promise<void> {
    const exited = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()));
    this.#child.kill('SIGKILL');
    await exited;
  }

  /** Nobody waits for an answer that cannot come. */
  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #write(message: unknown): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  #receive(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') continue;
      const answer = JSON.parse(line) as Answer;
      if (answer.id === undefined) continue;
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      waiting?.resolve(answer);
    }
  }
}
