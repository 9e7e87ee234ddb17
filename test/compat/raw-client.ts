// A JSON-RPC client over the stdio of a child process that speaks MCP without a library: what it
// sends is the text that a case prescribes, and every line on the child's stdout must be a message.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

/** How a person answers a confirmation form, whatever the form looks like. */
export type FormAnswer = 'approve' | 'reject' | 'text-false' | 'decline' | 'cancel' | 'hold';

/** One JSON-RPC message, read but not checked. */
export interface RpcMessage {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The program that is driven, and where and with which environment it runs. */
export interface ChildCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

interface FormField {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly oneOf?: readonly { readonly const: string }[];
}

type Waiter = (message: RpcMessage | undefined) => void;

// Hosts that decline within a second did not show the form, so a person is slower than that.
const DECLINE_AFTER_MS = 1_200;
const EXIT_WAIT_MS = 10_000;

/** The client side of one MCP session. */
export class RawClient {
  /** The texts of the forms that were shown, oldest first. */
  readonly forms: string[] = [];
  readonly notifications: RpcMessage[] = [];
  /** Lines on stdout that were no JSON-RPC message. */
  readonly strayLines: string[] = [];
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #exit: Promise<number | null>;
  readonly #waiters = new Map<number, Waiter>();
  readonly #heldForms: RpcMessage[] = [];
  #nextId = 0;
  #stderr = '';
  #formAnswer: FormAnswer = 'cancel';

  constructor(child: ChildCommand) {
    const { command, args, folder, environment } = child;
    this.#child = spawn(command, args, { cwd: folder, env: environment });
    this.#exit = new Promise((resolve) => this.#child.once('close', resolve));
    this.#child.stdin.on('error', () => {});
    this.#child.stderr.setEncoding('utf8').on('data', (text) => {
      this.#stderr += text;
    });
    this.#readLines();
    void this.#exit.then(() => this.#dropWaiters());
  }

  /** Everything that the child wrote to stderr so far. */
  get stderr(): string {
    return this.#stderr;
  }

  /** The names of the listed tools, or `undefined` when the child ended instead of answering. */
  async initialize(options: { readonly elicitation: boolean }): Promise<string[] | undefined> {
    const capabilities = options.elicitation ? { elicitation: {} } : {};
    const clientInfo = { name: 'compat', version: '1.0.0' };
    const params = { protocolVersion: '2025-06-18', capabilities, clientInfo };
    if (!(await this.request('initialize', JSON.stringify(params), 30_000))) return undefined;
    this.notify('notifications/initialized', {});
    return this.listTools();
  }

  /** The names of the tools as they are listed now. */
  async listTools(): Promise<string[]> {
    const listed = await this.request('tools/list', '{}', 30_000);
    const tools = (listed?.result?.['tools'] ?? []) as readonly { readonly name: string }[];
    return tools.map((tool) => tool.name);
  }

  /** Sends a request with these parameters, verbatim; `undefined` when no answer comes in time. */
  request(method: string, params: string, waitMs: number): Promise<RpcMessage | undefined> {
    return this.answerTo(this.post(method, params), waitMs);
  }

  /** Sends a request and returns its id at once. */
  post(method: string, params: string): number {
    this.#nextId += 1;
    this.#send(`{"jsonrpc":"2.0","id":${this.#nextId},"method":"${method}","params":${params}}`);
    return this.#nextId;
  }

  answerTo(id: number, waitMs: number): Promise<RpcMessage | undefined> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#settle(id, undefined), waitMs);
      this.#waiters.set(id, (message) => {
        clearTimeout(timer);
        resolve(message);
      });
      if (this.#child.exitCode !== null) this.#settle(id, undefined);
    });
  }

  notify(method: string, params: object): void {
    this.#send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  /** Every form from now on gets this answer. */
  answerForms(answer: FormAnswer): void {
    this.#formAnswer = answer;
  }

  /** Answers the forms that were shown while the answer was `hold`. */
  answerHeldForms(answer: FormAnswer): void {
    this.answerForms(answer);
    for (const form of this.#heldForms.splice(0)) this.#answerForm(form);
  }

  /** Ends the session as a host does; resolves with the exit code. */
  async close(): Promise<number | null> {
    this.#child.stdin.end();
    const killTimer = setTimeout(() => this.#child.kill('SIGKILL'), EXIT_WAIT_MS);
    const code = await this.#exit;
    clearTimeout(killTimer);
    return code;
  }

  #send(line: string): void {
    if (this.#child.stdin.writable) this.#child.stdin.write(`${line}\n`);
  }

  #readLines(): void {
    let rest = '';
    this.#child.stdout.setEncoding('utf8').on('data', (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#receive(line);
    });
  }

  #receive(line: string): void {
    const message = parseMessage(line);
    if (!message) this.strayLines.push(line);
    else if (message.method === 'elicitation/create') this.#showForm(message);
    else if (message.method !== undefined) this.notifications.push(message);
    else if (typeof message.id === 'number') this.#settle(message.id, message);
    else this.#settleLastOne(message);
  }

  // A request that could not be read is answered with id null: it is the one being waited for.
  #settleLastOne(message: RpcMessage): void {
    const id = [...this.#waiters.keys()].at(-1);
    if (id !== undefined) this.#settle(id, message);
  }

  #settle(id: number, message: RpcMessage | undefined): void {
    const waiter = this.#waiters.get(id);
    this.#waiters.delete(id);
    waiter?.(message);
  }

  #dropWaiters(): void {
    for (const id of [...this.#waiters.keys()]) this.#settle(id, undefined);
  }

  #showForm(message: RpcMessage): void {
    this.forms.push(String(message.params?.['message']));
    if (this.#formAnswer === 'hold') this.#heldForms.push(message);
    else this.#answerForm(message);
  }

  #answerForm(message: RpcMessage): void {
    const result = formResult(message.params?.['requestedSchema'], this.#formAnswer);
    const reply = JSON.stringify({ jsonrpc: '2.0', id: message.id, result });
    setTimeout(() => this.#send(reply), this.#formAnswer === 'decline' ? DECLINE_AFTER_MS : 0);
  }
}

function parseMessage(line: string): RpcMessage | undefined {
  try {
    const message = JSON.parse(line);
    return message?.jsonrpc === '2.0' ? message : undefined;
  } catch {
    return undefined;
  }
}

/** The answer of a person to a form with one required field, a boolean or a choice. */
function formResult(requestedSchema: unknown, answer: FormAnswer): object {
  if (answer === 'decline' || answer === 'cancel') return { action: answer };
  const schema = requestedSchema as { required: string[]; properties: Record<string, FormField> };
  const [name = ''] = schema.required;
  const content = { [name]: fieldValue(schema.properties[name] ?? {}, answer) };
  return { action: 'accept', content };
}

function fieldValue(field: FormField, answer: FormAnswer): unknown {
  if (answer === 'text-false') return 'false';
  if (field.type === 'boolean') return answer === 'approve';
  const choices = field.enum ?? field.oneOf?.map((choice) => choice.const) ?? [];
  return choices.find((choice) => choice.startsWith('approve') === (answer === 'approve'));
}
