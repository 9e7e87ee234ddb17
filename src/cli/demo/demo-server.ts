// The demo bank and mailbox as an MCP server over stdio, revisions 2024-11-05 to 2025-11-25.
// It imports no SDK: it is also what the benchmarks measure the proxy against.
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { createDemoBank, type DemoBank, type DemoOutcome } from './demo-bank.ts';
import { demoTools } from './demo-tools.ts';
import { demoWorld } from './demo-world.ts';
import { isRecord, type RpcAnswer, rpcCodes, serveRpcLines } from './json-rpc-lines.ts';

export interface DemoServerOptions {
  /** Each executed effect is appended here as one JSON line: `{seq, tool, arguments}`. */
  readonly effectsFile?: string;
  /** Default: standard input. */
  readonly input?: Readable;
  /** Default: standard output. */
  readonly output?: Writable;
}

type WriteEffect = (tool: string, args: unknown) => void;

interface Session {
  readonly bank: DemoBank;
  readonly writeEffect: WriteEffect;
  isInitialized: boolean;
}

const revisions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
const serverInfo = {
  name: 'intentplane-demo-server',
  title: 'Demo bank and mail',
  version: '1.0.0',
};
const toolList = JSON.stringify({ tools: [...demoTools.values()].map((tool) => tool.definition) });

/** Serves until the input ends. Throws before it reads anything if the file cannot be opened. */
export async function runDemoServer(options: DemoServerOptions = {}): Promise<void> {
  const effects = openEffectsFile(options.effectsFile);
  const session: Session = {
    bank: createDemoBank(demoWorld),
    writeEffect: effects.write,
    isInitialized: false,
  };
  await serveRpcLines({
    input: options.input ?? process.stdin,
    output: options.output ?? process.stdout,
    answer: (method, params) => answerRequest(session, method, params),
  });
  effects.close();
}

function answerRequest(session: Session, method: string, params: unknown): RpcAnswer {
  if (params !== undefined && !isRecord(params)) {
    return fail(rpcCodes.invalidParams, '`params` must be an object');
  }
  switch (method) {
    case 'initialize':
      return initialize(session, params);
    case 'ping':
      return { ok: true, json: '{}' };
    case 'tools/list':
    case 'tools/call':
      if (!session.isInitialized) return fail(rpcCodes.invalidRequest, '`initialize` comes first');
      return method === 'tools/call' ? callTool(session, params) : listTools(params);
    default:
      return fail(rpcCodes.methodNotFound, `unknown method \`${method.slice(0, 80)}\``);
  }
}

function initialize(session: Session, params: Readonly<Record<string, unknown>> = {}): RpcAnswer {
  if (session.isInitialized) return fail(rpcCodes.invalidRequest, 'already initialized');
  session.isInitialized = true;
  const asked = params['protocolVersion'];
  const protocolVersion = revisions.find((revision) => revision === asked) ?? revisions[0];
  return succeed({ protocolVersion, capabilities: { tools: {} }, serverInfo });
}

function listTools(params: Readonly<Record<string, unknown>> = {}): RpcAnswer {
  if (params['cursor'] !== undefined) return fail(rpcCodes.invalidParams, 'unknown cursor');
  return { ok: true, json: toolList };
}

function callTool(session: Session, params: Readonly<Record<string, unknown>> = {}): RpcAnswer {
  const { name, arguments: args = {} } = params;
  if (typeof name !== 'string') return fail(rpcCodes.invalidParams, '`name` must be a text');
  const tool = demoTools.get(name);
  if (tool === undefined) {
    return fail(rpcCodes.invalidParams, `unknown tool \`${name.slice(0, 80)}\``);
  }
  if (!isRecord(args)) return fail(rpcCodes.invalidParams, '`arguments` must be an object');
  const unknown = Object.keys(args).find((key) => !tool.argumentNames.has(key));
  if (unknown !== undefined) {
    return answerOutcome({ ok: false, message: `unknown argument \`${unknown.slice(0, 80)}\`` });
  }
  const outcome = tool.run(session.bank, args);
  if (outcome.ok && tool.hasEffect) session.writeEffect(name, args);
  return answerOutcome(outcome);
}

/** Bad input is a tool error, as the revision of 2025-11-25 asks: the agent can read and fix it. */
function answerOutcome(outcome: DemoOutcome): RpcAnswer {
  if (!outcome.ok) {
    return succeed({ content: [{ type: 'text', text: outcome.message }], isError: true });
  }
  const json = JSON.stringify(outcome.value);
  const content = `[{"type":"text","text":${JSON.stringify(json)}}]`;
  return { ok: true, json: `{"content":${content},"structuredContent":${json}}` };
}

function succeed(result: unknown): RpcAnswer {
  return { ok: true, json: JSON.stringify(result) };
}

function fail(code: number, message: string): RpcAnswer {
  return { ok: false, error: { code, message } };
}

function openEffectsFile(path: string | undefined): { write: WriteEffect; close: () => void } {
  if (path === undefined) return { write: () => {}, close: () => {} };
  const descriptor = openForAppend(path);
  let seq = 0;
  return {
    write: (tool, args) => {
      seq += 1;
      writeSync(descriptor, `${JSON.stringify({ seq, tool, arguments: args })}\n`);
    },
    close: () => closeSync(descriptor),
  };
}

function openForAppend(path: string): number {
  try {
    return openSync(path, 'a', 0o600);
  } catch (cause) {
    throw new Error(`cannot append to the effects file \`${path}\`: name a writable file`, {
      cause,
    });
  }
}
