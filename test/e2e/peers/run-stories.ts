// Tells the stories through a connected TypeScript client; the client itself is an adapter of
// a few lines per SDK.
import { listDescendants } from '../../fixtures/process-tree.ts';
import type {
  Approve,
  CallObservation,
  DecisionObject,
  FormObservation,
  Scenario,
  StoryReport,
  ToolCall,
} from './story.ts';

/** One connection to a gateway. */
export interface StoryClient {
  readonly peer: string;
  readonly protocolVersion: string;
  readonly pid: number;
  /** Forms the client was asked so far. */
  readonly forms: readonly FormObservation[];
  listTools(): Promise<StoryReport['tools']>;
  callTool(call: ToolCall): Promise<CallObservation>;
  close(): Promise<void>;
}

// A stopped server does not read, so the call surely is in its pipe after this time.
const dispatchMs = 700;

/** Closes the client in the end. */
export async function runStories(
  client: StoryClient,
  scenario: Scenario,
  approve: Approve,
): Promise<StoryReport> {
  try {
    const { executed, refused } = scenario;
    const tools = await client.listTools();
    return {
      peer: client.peer,
      protocolVersion: client.protocolVersion,
      tools,
      executed: executed === undefined ? null : await client.callTool(executed.call),
      refused: refused === undefined ? null : await client.callTool(refused.call),
      pending: await tellPending(client, scenario, approve),
      killed: await tellKilled(client, scenario),
      isAlive: await client.listTools().then(
        (listed) => listed.length > 0,
        () => false,
      ),
    };
  } finally {
    await client.close();
  }
}

async function tellPending(
  client: StoryClient,
  { pending }: Scenario,
  approve: Approve,
): Promise<StoryReport['pending']> {
  if (pending === undefined) return null;
  const first = await client.callTool(pending.call);
  const { forms } = client;
  const decision = first.kind === 'result' ? first.decision : null;
  if (pending.by === 'form' || decision === null) return { forms, first, second: null };
  await approve(decision);
  return { forms, first, second: await client.callTool(pending.call) };
}

async function tellKilled(
  client: StoryClient,
  { killed }: Scenario,
): Promise<StoryReport['killed']> {
  if (killed === undefined) return null;
  if (killed.kill === 'self') return client.callTool(killed.call);
  const { commandIncludes } = killed.kill;
  const below = listDescendants(client.pid);
  const pids = below.filter((info) => info.command.includes(commandIncludes)).map(({ pid }) => pid);
  if (pids.length === 0) throw new Error(`no process below the gateway runs ${commandIncludes}`);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  const answer = client.callTool(killed.call);
  await new Promise((resolve) => setTimeout(resolve, dispatchMs));
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  return answer;
}

/** The parts of a result that all SDKs agree on. */
export interface ToolResult {
  readonly content?: unknown;
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

export async function observeCall(call: () => Promise<ToolResult>): Promise<CallObservation> {
  let result: ToolResult;
  try {
    result = await call();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    const message = error instanceof Error ? error.message : String(error);
    return { kind: 'error', code: typeof code === 'number' ? code : null, message };
  }
  const blocks = (result.content ?? []) as readonly {
    readonly type: string;
    readonly text?: string;
  }[];
  const decision = result._meta?.['io.intentplane/decision'] as DecisionObject | undefined;
  return {
    kind: 'result',
    isError: result.isError ?? false,
    text: blocks.flatMap((block) => (block.type === 'text' ? [block.text ?? ''] : [])).join('\n'),
    structured: result.structuredContent ?? null,
    decision: decision ?? null,
  };
}

/** The answer of a person who approves: the one property, with the choice that says approve. */
export function approveForm(requestedSchema: unknown): Record<string, string> {
  const { properties = {} } = requestedSchema as { properties?: Record<string, unknown> };
  const [entry, ...others] = Object.entries(properties);
  if (entry === undefined || others.length > 0) throw new Error('the form needs one property');
  const [name, schema] = entry;
  const { oneOf = [] } = schema as { oneOf?: readonly { const: string }[] };
  const choice = oneOf.map((option) => option.const).find((value) => value === 'approve');
  if (choice === undefined) throw new Error('the form has no choice `approve`');
  return { [name]: choice };
}
