// The stories, told by test/peers/python_client.py with the Python package `mcp`.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Approve, DecisionObject, PeerTarget, Scenario, StoryReport } from './story.ts';

const scriptPath = fileURLToPath(new URL('../../peers/python_client.py', import.meta.url));

/** The Python server to put behind a gateway: `python <this> --effects FILE`. */
export const bankServerPath: string = fileURLToPath(
  new URL('../../peers/bank_server.py', import.meta.url),
);

const storiesTimeoutMs = 120_000;

interface PythonOptions {
  /** The interpreter, from `describeWithPython`. */
  readonly python: string;
  /** `legacy`, `auto`, or a modern revision. */
  readonly mode: string;
}

export async function runPythonStories(
  { python, mode, ...target }: PeerTarget & PythonOptions,
  scenario: Scenario,
  approve: Approve,
): Promise<StoryReport> {
  const folder = mkdtempSync(join(tmpdir(), 'python-peer-'));
  const approver = await listenForApproval(approve);
  try {
    const scenarioFile = join(folder, 'scenario.json');
    writeFileSync(scenarioFile, JSON.stringify(scenario));
    const environment = Object.entries(target.env ?? {}).flatMap(([name, value]) => [
      '--env',
      `${name}=${value}`,
    ]);
    const options = ['--scenario', scenarioFile, '--mode', mode, '--approve-url', approver.url];
    const args = [scriptPath, ...options, ...environment, '--', target.command, ...target.args];
    return JSON.parse(await runProgram(python, args, target.cwd)) as StoryReport;
  } finally {
    approver.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface ApprovalListener {
  readonly url: string;
  readonly close: () => void;
}

async function listenForApproval(approve: Approve): Promise<ApprovalListener> {
  const server = createServer((httpRequest, httpResponse) => {
    readBody(httpRequest)
      .then((body) => approve(JSON.parse(body) as DecisionObject))
      .then(
        () => httpResponse.end('approved'),
        (error: unknown) => httpResponse.writeHead(500).end(String(error)),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

async function readBody(httpRequest: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of httpRequest) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function runProgram(
  command: string,
  args: readonly string[],
  cwd: string | undefined,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd, timeout: storiesTimeoutMs, maxBuffer: 64 * 1024 * 1024 };
    execFile(command, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`the Python peer failed: ${error.message}\n${stderr.slice(-3_000)}`));
    });
  });
}
