// A folder with a configuration, registries and a policy for each of the servers that stand behind
// the proxy, and the scenario that the peers play on it. Forms do the approving: they need no page.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bankServerPath } from './python-client.ts';
import type { PeerTarget, Scenario } from './story.ts';

export interface StagedGateway {
  readonly target: PeerTarget;
  readonly scenario: Scenario;
}

const modules = new URL('../../../node_modules/@modelcontextprotocol/', import.meta.url);
const everythingPath = fileURLToPath(new URL('server-everything/dist/index.js', modules));
const filesystemPath = fileURLToPath(new URL('server-filesystem/dist/index.js', modules));
export const proxyPath: string = fileURLToPath(
  new URL('../../../dist/cli/mcp.js', import.meta.url),
);

const vendorIban = 'DE89370400440532013000';
const strangerIban = 'LT121000011101001000';

/** The Python bank: amounts, a record's own spelling, a crash after the effect. */
export function stagePythonBank(folder: string, python: string, effects: string): StagedGateway {
  writeRegistry(folder, 'beneficiaries', { vendor: vendorIban });
  writeFileSync(
    join(folder, 'policy.cedar'),
    `@id("small-transfers")
permit (principal, action == Action::"payment.transfer", resource)
when { context.params.amount <= 100000 };
@id("confirmed-transfers")
permit (principal, action == Action::"payment.transfer", resource)
when { context.params.amount <= 1000000 && context.approval_level >= 1 };
`,
  );
  const target = writeConfig(folder, [
    'budget = 500000.0',
    registryTable('beneficiaries', 'iban'),
    serverTable('bank', python, [bankServerPath, '--effects', effects]),
    `[[tools]]
server = "bank"
tool = "send_money"
action = "payment.transfer"
budget_param = "amount"
[tools.params.recipient]
critical = true
sources = ["registry:beneficiaries"]
normalize = "iban"
[tools.params.amount]
type = "number"
scale = 100
[tools.params.subject]
optional = true`,
    passthroughTable(['bank.get_balance', 'bank.slow']),
  ]);
  return { target, scenario: bankScenario() };
}

function bankScenario(): Scenario {
  const pay = (args: Readonly<Record<string, unknown>>): Scenario['executed'] & object => ({
    call: { name: 'send_money', arguments: { recipient: vendorIban, ...args } },
  });
  const spelled = vendorIban.toLowerCase().replaceAll(/(.{4})(?=.)/gu, '$1 ');
  return {
    name: 'Python bank',
    listed: ['send_money', 'get_balance', 'slow'],
    executed: { ...pay({ recipient: spelled, amount: 480 }), textIncludes: vendorIban },
    refused: {
      ...pay({ recipient: strangerIban, amount: 480 }),
      stage: 'provenance',
      codes: ['PROVENANCE_UNTRUSTED'],
    },
    pending: { ...pay({ amount: 1240 }), by: 'form', textIncludes: '1240' },
    killed: { ...pay({ amount: 5, subject: 'crash' }), kill: 'self', status: 'unknown' },
  };
}

/** server-filesystem: guarded writes on known paths, reads passed through. */
export function stageFilesystem(folder: string): StagedGateway {
  const files = join(folder, 'files');
  mkdirSync(files);
  const free = join(files, 'free.txt');
  const reviewed = join(files, 'reviewed.txt');
  writeRegistry(folder, 'paths', { free, reviewed });
  writeLevelPolicy(folder, { action: 'file.write', parameter: 'path', confirmed: reviewed });
  const target = writeConfig(folder, [
    registryTable('paths'),
    serverTable('files', process.execPath, [filesystemPath, files]),
    `[[tools]]
server = "files"
tool = "write_file"
action = "file.write"
[tools.params.path]
critical = true
sources = ["registry:paths"]`,
    passthroughTable(['files.read_text_file']),
  ]);
  const write = (path: string, content: string) => ({
    call: { name: 'write_file', arguments: { path, content } },
  });
  const scenario: Scenario = {
    name: 'server-filesystem',
    listed: ['write_file', 'read_text_file'],
    executed: { ...write(free, 'one'), textIncludes: 'Successfully wrote' },
    refused: {
      ...write(join(files, 'other.txt'), 'one'),
      stage: 'provenance',
      codes: ['PROVENANCE_UNTRUSTED'],
    },
    pending: { ...write(reviewed, 'one'), by: 'form', textIncludes: 'Successfully wrote' },
    killed: {
      ...write(free, 'two'),
      kill: { commandIncludes: 'server-filesystem' },
      status: 'unknown',
    },
  };
  return { target, scenario };
}

/** server-everything: a tool without an output schema. */
export function stageEverything(folder: string): StagedGateway {
  writeRegistry(folder, 'messages', { hello: 'hello', loud: 'loud', bye: 'bye' });
  writeLevelPolicy(folder, { action: 'message.say', parameter: 'message', confirmed: 'loud' });
  const target = writeConfig(folder, [
    registryTable('messages'),
    serverTable('everything', process.execPath, [everythingPath, 'stdio']),
    `[[tools]]
server = "everything"
tool = "echo"
action = "message.say"
[tools.params.message]
critical = true
sources = ["registry:messages"]`,
    passthroughTable(['everything.get-sum', 'everything.get-env']),
  ]);
  const say = (message: string) => ({ call: { name: 'echo', arguments: { message } } });
  const scenario: Scenario = {
    name: 'server-everything',
    listed: ['echo', 'get-sum', 'get-env'],
    executed: { ...say('hello'), textIncludes: 'Echo: hello' },
    refused: { ...say('psst'), stage: 'provenance', codes: ['PROVENANCE_UNTRUSTED'] },
    pending: { ...say('loud'), by: 'form', textIncludes: 'Echo: loud' },
    killed: {
      ...say('bye'),
      kill: { commandIncludes: 'server-everything' },
      status: 'unknown',
    },
  };
  return { target, scenario };
}

function writeConfig(folder: string, parts: readonly string[]): PeerTarget {
  const file = join(folder, 'intentplane.toml');
  const text = [
    '[gateway]\ndata = "data"\n[approvals]\nlisten = "127.0.0.1:0"',
    '[policy]\nfile = "policy.cedar"\n[mandate]\nprincipal = "maya"',
    ...parts,
  ].join('\n');
  writeFileSync(file, `${text}\n`, { mode: 0o600 });
  return { command: process.execPath, args: [proxyPath, '--config', file] };
}

function writeRegistry(folder: string, name: string, records: Record<string, string>): void {
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(records), { mode: 0o600 });
}

interface LevelRule {
  readonly action: string;
  readonly parameter: string;
  /** The value that needs a person. */
  readonly confirmed: string;
}

function writeLevelPolicy(folder: string, { action, parameter, confirmed }: LevelRule): void {
  const value = JSON.stringify(confirmed);
  writeFileSync(
    join(folder, 'policy.cedar'),
    `@id("free")
permit (principal, action == Action::"${action}", resource)
when { context.params.${parameter} != ${value} };
@id("confirmed")
permit (principal, action == Action::"${action}", resource)
when { context.approval_level >= 1 };
`,
  );
}

function registryTable(name: string, normalize?: string): string {
  const lines = [`[registries.${name}]`, `file = "${name}.json"`];
  if (normalize !== undefined) lines.push(`normalize = "${normalize}"`);
  return lines.join('\n');
}

function serverTable(name: string, command: string, args: readonly string[]): string {
  const parts = [`name = "${name}"`, `command = ${JSON.stringify(command)}`];
  return ['[[servers]]', ...parts, `args = ${JSON.stringify(args)}`].join('\n');
}

function passthroughTable(tools: readonly string[]): string {
  return `[defaults]\npassthrough = ${JSON.stringify(tools)}`;
}
