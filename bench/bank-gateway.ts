// The proxy in front of the demo bank, as files in a temporary folder; also in the form the Python 0.5.3 proxy reads.
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ibanOf } from './in-process.ts';
import type { Peer } from './stdio-peer.ts';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

/** The bank itself. */
export const direct: Peer = { command: process.execPath, args: [main, 'demo-server'] };

export interface BankGateway extends Peer {
  readonly folder: string;
  readonly config: string;
}

/** `send_money` guarded over 1,000 payees, `get_balance` passed through. Ours has state in its folder; 0.5.3 keeps none. */
export function bankGateway(flavour: 'ours' | 'python', python?: string): BankGateway {
  const folder = mkdtempSync(join(tmpdir(), 'intentplane-bench-'));
  const config = join(folder, 'gateway.toml');
  writeFileSync(config, toml(flavour));
  // 1,000 payees take turns, so each call is a question that the engine has not just answered.
  writeFileSync(
    join(folder, 'policy.cedar'),
    '@id("small") permit (principal, action == Action::"payment.transfer", resource) when { context.params.amount <= 100000 && context.params.recipient != "" };\n',
  );
  writeFileSync(
    join(folder, 'payees.json'),
    JSON.stringify(
      Object.fromEntries(
        Array.from({ length: 1_000 }, (_unused, index) => [`p${index}`, ibanOf(index)]),
      ),
    ),
  );
  if (flavour === 'python')
    return {
      folder,
      config,
      command: python ?? 'python3',
      args: ['-m', 'intentplane.proxy.server', '--config', config],
    };
  return {
    folder,
    config,
    command: process.execPath,
    args: [main, 'mcp', 'run', '--config', config],
  };
}

/** The predecessor, when a Python with its packages is named by INTENTPLANE_PEERS or stands in `.venv-peers`. */
export function pythonGateway(): BankGateway | undefined {
  const local = fileURLToPath(new URL('../.venv-peers/bin/python', import.meta.url));
  const python = process.env['INTENTPLANE_PEERS'] ?? (existsSync(local) ? local : undefined);
  return python === undefined ? undefined : bankGateway('python', python);
}

function toml(flavour: 'ours' | 'python'): string {
  const own = `
[gateway]
data = "data"
rate_limit = 100000000
[gateway.log]
level = "error"
`;
  return `${flavour === 'ours' ? own : ''}
[mandate]
principal = "maya"
budget = 2000000000
[registries.payees]
file = "payees.json"
normalize = "iban"
[[servers]]
name = "bank"
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(main)}, "demo-server"]
[[tools]]
server = "bank"
tool = "send_money"
action = "payment.transfer"
budget_param = "amount"
${flavour === 'ours' ? 'duplicate_window = 0' : ''}
[tools.params.recipient]
critical = true
sources = ["registry:payees"]
[tools.params.amount]
type = "number"
scale = 100
[policy]
file = "policy.cedar"
[defaults]
passthrough = ["bank.get_balance"]
`;
}
