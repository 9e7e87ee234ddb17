// One child process of a tool server: started without a shell in a process group of its own,
// spoken to in lines, and ended together with everything it started.
import type { ChildProcess } from 'node:child_process';
import spawn from 'cross-spawn';
import {
  LineReader,
  type LineSender,
  LineWriter,
  type OversizeFrame,
  type QueuedLine,
} from '../json-lines.ts';
import { pythonCommand } from './python-command.ts';
import { StderrLines } from './stderr-lines.ts';

/** A result of 64 MiB is the largest that one call may bring. */
const messageMaxBytes = 64 * 1024 * 1024;
const stdinGraceMs = 2_000;
const termGraceMs = 3_000;
// Nothing survives SIGKILL; the system only needs a moment.
const killGraceMs = 1_000;
const groupPollMs = 25;

export interface ServerProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly secrets: readonly string[];
  readonly onLine: (line: Buffer) => void;
  readonly onOversize: (frame: OversizeFrame) => void;
  readonly onStderr: (line: string) => void;
  /** Called once: the process cannot be talked to any more. */
  readonly onEnd: (reason: string) => void;
}

export class ServerProcess {
  readonly #options: ServerProcessOptions;
  readonly #child: ChildProcess;
  readonly #stderr: StderrLines;
  readonly #writer: LineWriter | undefined;
  readonly #exited: Promise<void>;
  #isOver = false;
  #hasExited = false;
  #ending: Promise<void> | undefined;

  constructor(options: ServerProcessOptions) {
    this.#options = options;
    this.#stderr = new StderrLines({
      onLine: options.onStderr,
      secrets: options.secrets,
      nowMs: () => performance.now(),
    });
    const child = spawn(pythonCommand(options.command, options.env), options.args, {
      cwd: options.cwd,
      env: { ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#child = child;
    this.#exited = new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
    this.#writer = child.stdin === null ? undefined : new LineWriter(child.stdin);
    this.#listen(child);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  write(text: string, sender?: LineSender): QueuedLine {
    return this.#writer?.write(text, sender) ?? { text, sender: undefined, isDropped: true };
  }

  /** A reason together with the last line on stderr, which often holds the cause. */
  withLastLine(reason: string): string {
    const { last } = this.#stderr;
    return last === undefined ? reason : `${reason}; its last line: ${last}`;
  }

  /** Stops or resumes the reading of stdout, so that a slow client slows the server down. */
  setReading(isReading: boolean): void {
    if (isReading) this.#child.stdout?.resume();
    else this.#child.stdout?.pause();
  }

  /**
   * Input closed, then SIGTERM and SIGKILL to the whole group. Resolves when no process of the
   * group is left. `isHurried` skips the wait for a voluntary end.
   */
  end(isHurried = false): Promise<void> {
    this.#ending ??= this.#end(isHurried);
    return this.#ending;
  }

  #listen(child: ChildProcess): void {
    const reader = new LineReader({
      sizeMaxBytes: messageMaxBytes,
      onLine: this.#options.onLine,
      onOversize: this.#options.onOversize,
    });
    child.stdout?.on('data', (chunk: Buffer) => reader.push(chunk));
    child.stdout?.on('error', () => {});
    child.stdout?.on('close', () => this.#onStdoutClose());
    child.stderr?.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    child.stderr?.on('error', () => {});
    // A pipe that broke is told by the exit or by the end of stdout.
    child.stdin?.on('error', () => {});
    child.on('error', (error) => this.#over(`could not be started: ${error.message}`));
    child.on('exit', (code, signal) => {
      this.#hasExited = true;
      this.#onExit(signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`);
    });
  }

  // Its last answers may still stand in the pipe: stdout is read to its end first, but a grandchild
  // that holds the pipe must not hold up the pending calls.
  #onExit(reason: string): void {
    const stdout = this.#child.stdout;
    const finish = (): void => this.#over(reason);
    if (stdout === null || stdout.destroyed || stdout.readableEnded) finish();
    else {
      stdout.once('close', finish);
      setTimeout(finish, 500).unref();
    }
  }

  #onStdoutClose(): void {
    if (this.#hasExited) return;
    // A process that exits closes its pipes first: its exit code says more than "closed".
    setTimeout(() => this.#over('closed its output'), 200).unref();
  }

  #over(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#writer?.close();
    this.#stderr.end();
    void this.end();
    this.#options.onEnd(this.withLastLine(reason));
  }

  async #end(isHurried: boolean): Promise<void> {
    this.#writer?.flush();
    this.#child.stdin?.end();
    const { pid } = this.#child;
    if (pid === undefined) return;
    await this.#gone(isHurried ? 200 : stdinGraceMs);
    // The leader may be gone while something that it started still runs.
    if (signalGroup(pid, 'SIGTERM')) {
      await this.#groupGone(pid, isHurried ? 500 : termGraceMs);
      if (signalGroup(pid, 'SIGKILL')) await this.#groupGone(pid, killGraceMs);
    }
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  async #gone(timeoutMs: number): Promise<void> {
    if (this.#hasExited) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    await Promise.race([this.#exited, late]);
    clearTimeout(timer);
  }

  async #groupGone(pid: number, timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (performance.now() < deadline && signalGroup(pid, 0)) await wait(groupPollMs);
  }
}

/** False when there is no such process or group any more. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    if (process.platform === 'win32') return endWindowsTree(pid, signal);
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

function endWindowsTree(pid: number, signal: NodeJS.Signals | 0): boolean {
  if (signal === 0) return process.kill(pid, 0);
  const args = ['/pid', String(pid), '/T', ...(signal === 'SIGKILL' ? ['/F'] : [])];
  return spawn.sync('taskkill', args, { stdio: 'ignore', windowsHide: true }).status === 0;
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
