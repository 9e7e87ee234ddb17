// Drives a proxy through the calls of a case and says what came of each.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import {
  type CaseFolder,
  copyCase,
  type Edit,
  type Outcome,
  type RecordedCall,
} from './case-files.ts';
import { RawClient, type RpcMessage } from './raw-client.ts';

/** The command that runs a proxy on a configuration file. */
export interface ProxyProgram {
  readonly command: string;
  readonly args: readonly string[];
}

/** Our proxy, as built. */
const ourProxy: ProxyProgram = {
  command: process.execPath,
  args: [resolve(import.meta.dirname, '../../dist/cli/mcp.js')],
};

/** An outcome with what only our proxy tells. */
export interface ObservedOutcome extends Outcome {
  readonly status?: string;
  readonly codes: readonly string[];
  readonly fullText: string;
  readonly forms: readonly string[];
}

/** How a session is started. */
export interface SessionOptions {
  readonly base: string;
  readonly proxy?: ProxyProgram;
  readonly elicitation?: boolean;
  readonly edits?: readonly Edit[];
  readonly extraArgs?: readonly string[];
}

const DECISION_KEY = 'io.intentplane/decision';

// A form that got no clear answer holds its call for 45 s.
const ANSWER_WAIT_MS = 55_000;

/** One proxy on a private copy of a case. */
export class CaseSession {
  readonly files: CaseFolder;
  readonly #options: SessionOptions;
  readonly #seen = new Map<string, number>();
  #client: RawClient | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.files = copyCase(options.base);
    for (const edit of options.edits ?? []) applyEdit(this.files.folder, edit);
  }

  get client(): RawClient {
    if (!this.#client) throw new Error('the session is not started');
    return this.#client;
  }

  /** Starts the proxy; the listed tools, or `undefined` when it refused to start. */
  start(): Promise<string[] | undefined> {
    this.launch();
    return this.client.initialize({ elicitation: this.#options.elicitation ?? true });
  }

  /** Starts the process without a handshake. */
  launch(): void {
    const { proxy = ourProxy, extraArgs = [] } = this.#options;
    const args = [...proxy.args, '--config', join(this.files.folder, 'gateway.toml'), ...extraArgs];
    const environment = environmentFor(this.files);
    mkdirSync(this.files.stateFolder, { recursive: true, mode: 0o700 });
    this.#client = new RawClient({
      command: proxy.command,
      args,
      folder: dirname(this.files.folder),
      environment,
    });
  }

  async call(call: Omit<RecordedCall, 'outcome'>): Promise<ObservedOutcome> {
    const formsBefore = this.client.forms.length;
    this.client.answerForms(call.elicitation ?? 'cancel');
    const text = call.rawArguments ?? JSON.stringify(call.arguments ?? {});
    const params = `{"name":${JSON.stringify(call.tool)},"arguments":${text}}`;
    const answer = await this.client.request('tools/call', params, ANSWER_WAIT_MS);
    const forms = this.client.forms.slice(formsBefore);
    return {
      ...observe(answer),
      ...(forms.length > 0 ? { asked: true } : {}),
      forms,
      ...this.#arrived(),
    };
  }

  /** The calls that arrived downstream since the last look. */
  received(): { server: string; tool: string; arguments: unknown }[] {
    const logs = readdirSync(this.files.folder).filter((name) => /^received-.*\.jsonl$/.test(name));
    return logs.sort().flatMap((log) => {
      const lines = readFileSync(join(this.files.folder, log), 'utf8').split('\n').slice(0, -1);
      const fresh = lines.slice(this.#seen.get(log) ?? 0);
      this.#seen.set(log, lines.length);
      const server = basename(log, '.jsonl').replace('received-', '');
      return fresh.map((line) => ({ server, ...JSON.parse(line) }));
    });
  }

  /** Ends the proxy and keeps the folder, so that it can be started again. */
  stop(): Promise<number | null> {
    return this.client.close();
  }

  async end(): Promise<void> {
    if (this.#client) await this.#client.close();
    this.files.remove();
  }

  #arrived(): Partial<Outcome> {
    const calls = this.received();
    if (calls.length > 1) throw new Error(`one call arrived ${calls.length} times`);
    const [call] = calls;
    if (!call) return {};
    return {
      downstreamServer: call.server,
      downstreamTool: call.tool,
      downstreamArguments: call.arguments,
    };
  }
}

function applyEdit(folder: string, edit: Edit): void {
  const file = join(folder, edit.file);
  const text = readFileSync(file, 'utf8');
  if (!text.includes(edit.replace)) throw new Error(`\`${edit.replace}\` is not in ${edit.file}`);
  writeFileSync(file, text.replaceAll(edit.replace, edit.with));
}

function environmentFor(files: CaseFolder): NodeJS.ProcessEnv {
  const path = [files.shimFolder, dirname(process.execPath), process.env['PATH']].join(delimiter);
  return { ...process.env, PATH: path, XDG_STATE_HOME: files.stateFolder };
}

function observe(answer: RpcMessage | undefined): Omit<ObservedOutcome, 'forms'> {
  if (!answer) return { class: 'no-answer', codes: [], fullText: '' };
  if (answer.error) {
    const { code, message } = answer.error;
    return { class: 'error', code, codes: [], fullText: message };
  }
  return observeResult(answer.result ?? {});
}

function observeResult(result: Record<string, unknown>): Omit<ObservedOutcome, 'forms'> {
  const content = result['content'] as readonly { readonly text?: string }[];
  const fullText = content[0]?.text ?? '';
  const { stage: toldStage, ...told } = decisionOf(result);
  // The recording server ends every answer so, also one that reports an error.
  if (result['isError'] !== true || fullText.endsWith(' done')) {
    return { class: 'executed', fullText, ...told };
  }
  const stage = /^Blocked by intentplane: \[(\w+)\]/.exec(fullText)?.[1] ?? toldStage;
  return { class: 'blocked', ...(stage ? { stage } : {}), fullText, ...told };
}

type ToldDecision = Pick<ObservedOutcome, 'codes' | 'status' | 'stage'>;

/** What our proxy says beside the text; the Python proxy says nothing. */
function decisionOf(result: Record<string, unknown>): ToldDecision {
  const meta = (result['_meta'] ?? {}) as Record<string, unknown>;
  const { status, stage, codes = [] } = (meta[DECISION_KEY] ?? {}) as Partial<ToldDecision>;
  return { codes, ...(status ? { status } : {}), ...(stage ? { stage } : {}) };
}

/** All outcomes of a case, in order. */
export interface CaseRun {
  readonly tools: readonly string[];
  readonly outcomes: readonly ObservedOutcome[];
  readonly strayLines: readonly string[];
}

/** Runs the calls of a case one after the other on one proxy. */
export async function runCase(
  options: SessionOptions,
  calls: readonly Omit<RecordedCall, 'outcome'>[],
): Promise<CaseRun> {
  const session = new CaseSession(options);
  try {
    const started = await session.start();
    if (!started) throw new Error(`the proxy did not start: ${session.client.stderr}`);
    const outcomes: ObservedOutcome[] = [];
    for (const call of calls) outcomes.push(await session.call(call));
    // A slow machine may still start servers while the first list is made.
    const tools = [...new Set([...started, ...(await session.client.listTools())])];
    return { tools, outcomes, strayLines: session.client.strayLines };
  } finally {
    await session.end();
  }
}
