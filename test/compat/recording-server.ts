// A tiny MCP server over stdio that declares the tools of a JSON file and writes down every call it
// receives. Usage: node recording-server.ts TOOLS.json LOG.jsonl [PAGE_SIZE]
// It has no dependency, so that the same server can stand behind any proxy under comparison.
import { appendFileSync, readFileSync } from 'node:fs';

/** One line of the log: the name and the arguments exactly as they arrived. */
interface ReceivedCall {
  readonly tool: string;
  readonly arguments: unknown;
}

/** A tool of the declarations file: what the client sees, and how the tool behaves. */
interface DeclaredTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: object;
  /** Answers with an error result; the call is still written down. */
  readonly fails?: boolean;
  /** Answers with the names of the environment variables and the working directory. */
  readonly reportsProcess?: boolean;
  /** Writes the call down, then ends the process without an answer. */
  readonly dies?: boolean;
  /** Answers only after this time. */
  readonly delayMs?: number;
  /** Sends this many progress notifications before the answer, when the caller gave a token. */
  readonly progress?: number;
  /** Changes the description of every other tool and announces a changed list. */
  readonly changesTools?: boolean;
}

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

interface Server {
  readonly tools: readonly DeclaredTool[];
  readonly logFile: string;
  readonly pageSize: number;
  areToolsChanged: boolean;
}

type Answer = { readonly result: object } | { readonly error: object };

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function answer(server: Server, message: Message): Answer | Promise<Answer> {
  switch (message.method) {
    case 'initialize':
      return { result: initializeResult(message.params) };
    case 'ping':
      return { result: {} };
    case 'tools/list':
      return { result: listPage(server, Number(message.params?.['cursor'] ?? 0)) };
    case 'tools/call':
      return callTool(server, message.params ?? {});
    default:
      return { error: { code: -32601, message: `unknown method \`${message.method}\`` } };
  }
}

function initializeResult(params: Record<string, unknown> | undefined): object {
  return {
    protocolVersion: params?.['protocolVersion'] ?? '2025-06-18',
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'recording-server', version: '1.0.0' },
  };
}

function listPage(server: Server, start: number): object {
  const end = start + server.pageSize;
  const tools = server.tools.slice(start, end).map((tool) => declaration(server, tool));
  return end < server.tools.length ? { tools, nextCursor: String(end) } : { tools };
}

function declaration(server: Server, tool: DeclaredTool): object {
  const change = server.areToolsChanged && !tool.changesTools ? ' (changed)' : '';
  return {
    name: tool.name,
    description: `${tool.description ?? tool.name}${change}`,
    inputSchema: tool.inputSchema ?? { type: 'object' },
  };
}

async function callTool(server: Server, params: Record<string, unknown>): Promise<Answer> {
  const name = String(params['name']);
  const tool = server.tools.find((candidate) => candidate.name === name);
  if (!tool) return { error: { code: -32602, message: `unknown tool \`${name}\`` } };
  const received: ReceivedCall = { tool: name, arguments: params['arguments'] ?? null };
  appendFileSync(server.logFile, `${JSON.stringify(received)}\n`);
  if (tool.dies) process.exit(1);
  if (tool.delayMs) await new Promise((resolve) => setTimeout(resolve, tool.delayMs));
  if (tool.changesTools) changeTools(server);
  sendProgress(tool, params['_meta']);
  const text = tool.reportsProcess ? processReport() : `${name} done`;
  const content = [{ type: 'text', text }];
  return { result: tool.fails ? { content, isError: true } : { content } };
}

function changeTools(server: Server): void {
  server.areToolsChanged = true;
  send({ method: 'notifications/tools/list_changed' });
}

function sendProgress(tool: DeclaredTool, meta: unknown): void {
  const progressToken = (meta as Record<string, unknown> | undefined)?.['progressToken'];
  if (progressToken === undefined) return;
  for (let progress = 1; progress <= (tool.progress ?? 0); progress += 1) {
    send({ method: 'notifications/progress', params: { progressToken, progress } });
  }
}

function processReport(): string {
  return JSON.stringify({ environment: Object.keys(process.env).sort(), folder: process.cwd() });
}

async function receive(server: Server, line: string): Promise<void> {
  if (line.trim() === '') return;
  const message = JSON.parse(line) as Message;
  if (message.id === undefined || message.method === undefined) return;
  send({ id: message.id, ...(await answer(server, message)) });
}

// Splits at LF only: the readline module also splits at U+2028, which JSON text may hold.
function eachLine(onLine: (line: string) => void): void {
  let rest = '';
  process.stdin.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
}

function main(): void {
  const [toolsFile, logFile, pageSize] = process.argv.slice(2);
  if (!toolsFile || !logFile) throw new Error('usage: recording-server.ts TOOLS.json LOG.jsonl');
  const tools = JSON.parse(readFileSync(toolsFile, 'utf8')) as DeclaredTool[];
  const server = { tools, logFile, pageSize: Number(pageSize ?? 1000), areToolsChanged: false };
  eachLine((line) => void receive(server, line));
}

main();
