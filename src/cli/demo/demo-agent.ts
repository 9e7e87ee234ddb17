// The scripted agent: a small MCP client that talks to the real proxy as a child process.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A tool result as the client sees it. */
export interface AgentResult {
  readonly isError?: boolean;
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

interface Reply {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** How long any answer may take. */
const answerMaxMs = 30_000;

export class DemoAgent {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  readonly #ended: Promise<void>;
  #endReason: string | undefined;
  #nextId = 1;
  /** Forms that were shown to "the person". */
  formsAnswered = 0;

  constructor(command: readonly string[], options: { readonly env: NodeJS.ProcessEnv }) {
    const [program = '', ...args] = command;
    this.#child = spawn(program, args, { env: options.env, stdio: ['pipe', 'pipe', 'inherit'] });
    if (this.#child.stdout === null) throw new Error('the proxy has no standard output');
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#receive(line));
    // Writing to a proxy that has ended is told by its end.
    this.#child.stdin?.on('error', () => {});
    this.#ended = new Promise((resolve) => {
      this.#child.once('error', (error) => this.#end(error.message, resolve));
      this.#child.once('close', (code, signal) =>
        this.#end(`the proxy ended with ${code ?? signal}`, resolve),
      );
    });
  }

  async start(): Promise<void> {
    await this.#ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: {} },
      clientInfo: { name: 'demo-agent', version: '1' },
    });
    this.#send({ method: 'notifications/initialized' });
    await this.#ask('tools/list', {});
  }

  async call(name: string, args: Readonly<Record<string, unknown>>): Promise<AgentResult> {
    return (await this.#ask('tools/call', { name, arguments: args })) as AgentResult;
  }

  /** Ends the session as a host does: by closing the pipe. */
  async stop(): Promise<void> {
    this.#child.stdin?.end();
    await this.#ended;
  }

  #end(reason: string, resolve: () => void): void {
    this.#endReason = reason;
    const error = { message: reason };
    for (const settle of this.#waiting.values()) settle({ error });
    this.#waiting.clear();
    resolve();
  }

  #ask(method: string, params: unknown): Promise<unknown> {
    if (this.#endReason !== undefined) return Promise.reject(new Error(this.#endReason));
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`the proxy did not answer ${method}`)),
        answerMaxMs,
      );
      this.#waiting.set(id, (reply) => {
        clearTimeout(timer);
        if (reply.error === undefined) resolve(reply.result);
        else reject(new Error(reply.error.message));
      });
      this.#send({ id, method, params });
    });
  }

  #receive(line: string): void {
    const message = JSON.parse(line) as Reply;
    if (message.method === 'elicitation/create') {
      this.formsAnswered += 1;
      this.#send({
        id: message.id,
        result: { action: 'accept', content: { decision: 'approve' } },
      });
    } else if (message.method === undefined && message.id !== undefined) {
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
    }
  }

  #send(message: Readonly<Record<string, unknown>>): void {
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}
