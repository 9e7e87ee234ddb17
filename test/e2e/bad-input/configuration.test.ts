// A file with a mistake: exit code 2, every mistake named with its place and its fix on stderr,
// nothing on stdout, nothing started, nothing made.
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { World } from '../../fixtures/product/world.ts';
import { bankServer, type ConfigChanges, payTool } from '../../fixtures/product/world-files.ts';
import { verifies } from '../../requirements/verifies.ts';

interface Mistake {
  readonly changes?: ConfigChanges;
  /** Files beside the configuration. */
  readonly files?: Readonly<Record<string, string>>;
  /** Each must stand in one line of stderr together. */
  readonly says: readonly (readonly string[])[];
}

const amount = '[tools.params.amount]\ntype = "number"\nscale = 100';

const mistakes: Readonly<Record<string, Mistake>> = {
  'a misspelt key': {
    changes: { tools: payTool().replace('budget_param', 'budgt_param') },
    says: [['intentplane.toml:', 'budgt_param', 'budget_param']],
  },
  'a misspelt table': {
    changes: { more: '[aprovals]\nwait = 3' },
    says: [['aprovals', 'approvals']],
  },
  'scale = 0': {
    changes: { tools: payTool().replace(amount, amount.replace('100', '0')) },
    says: [['intentplane.toml:', 'tools[0].params.amount.scale', 'whole number from 1']],
  },
  'budget = nan': {
    changes: { mandate: '[mandate]\nprincipal = "maya"\nbudget = nan' },
    says: [['intentplane.toml:', 'mandate.budget', 'whole number']],
  },
  'an unknown source': {
    changes: { tools: payTool().replace('registry:vendors', 'registry:vendor') },
    says: [['tools[0].params.recipient.sources', 'registry:vendor', '`vendors`']],
  },
  'a source of an unknown kind': {
    changes: { tools: payTool().replace('registry:vendors', 'ledger:vendors') },
    says: [['tools[0].params.recipient.sources', 'ledger:vendors']],
  },
  'a broken policy': {
    files: { 'policy.cedar': 'permit (principal, action' },
    says: [['policy.cedar']],
  },
  'an empty policy': {
    files: { 'policy.cedar': '' },
    says: [['policy.cedar', 'rule']],
  },
  'a policy that reads a parameter no contract supplies': {
    files: {
      'policy.cedar':
        '@id("a") permit (principal, action, resource) when { context.params.amuont <= 1 };',
    },
    says: [['policy.cedar', 'amuont']],
  },
  'a missing policy file': {
    changes: { policy: '[policy]\nfile = "rules.cedar"' },
    says: [['intentplane.toml:', 'rules.cedar']],
  },
  'a missing registry file': {
    changes: { registries: '[registries.vendors]\nfile = "suppliers.json"\nnormalize = "iban"' },
    says: [['suppliers.json']],
  },
  'a registry file that is no JSON': {
    files: { 'vendors.json': '{"hartmann": ' },
    says: [['vendors.json']],
  },
  'a variable that is not set': {
    changes: { mandate: `[mandate]\nprincipal = "\${env:NO_SUCH_VARIABLE_HERE}"` },
    says: [['mandate.principal', 'NO_SUCH_VARIABLE_HERE']],
  },
  'a page for other computers': {
    changes: { approvals: '[approvals]\nlisten = "0.0.0.0:8765"' },
    says: [['approvals.listen', '0.0.0.0', '127.0.0.1']],
  },
  'a passcode in clear': {
    changes: { approvals: '[approvals]\npasscode = "open sesame 1"' },
    says: [['approvals.passcode', 'intentplane passcode']],
  },
  'a page that anybody on the way could change': {
    changes: { approvals: '[approvals]\npage_url = "http://approve.example.com"' },
    says: [['approvals.page_url', 'https://', 'TLS proxy']],
  },
  'a channel of the Python packages': {
    changes: { approvals: '[approvals]\nchannel = "pager:channel"' },
    says: [['approvals.channel', 'Python', './file.mjs:factory']],
  },
  'two people with one address': {
    changes: {
      more: ['kim', 'lee']
        .map((id) => `[[people]]\nid = "${id}"\nemail = "team@example.com"\n`)
        .join(''),
    },
    says: [['people[1].email', '`kim`', '`lee`']],
  },
  'something of a later version': {
    changes: { gateway: '[gateway]\ndata = "data"\nmode = "shadow"' },
    says: [['gateway.mode', 'not available in this version']],
  },
  'text that is no TOML': {
    changes: { more: '[approvals' },
    says: [['intentplane.toml:']],
  },
};

let world: World;
afterEach(() => world.close());

/** The mistake stops the start before anything exists. */
async function expectRefused(says: Mistake['says']): Promise<string> {
  const before = readdirSync(world.folder);
  const { code, stdout, stderr } = await world.runHere(['mcp', 'run']);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
  const lines = stderr.split('\n');
  for (const words of says) {
    const isSaid = lines.some((line) => words.every((word) => line.includes(word)));
    expect(isSaid, `${words.join(' … ')} in\n${stderr}`).toBe(true);
  }
  expect(readdirSync(world.folder)).toEqual(before);
  return stderr;
}

describe('a configuration with a mistake', () => {
  for (const [name, { changes = {}, files = {}, says }] of Object.entries(mistakes)) {
    verifies('CFG-01', `${name}: refused with its place and its fix`, async () => {
      world = new World(changes);
      for (const [file, text] of Object.entries(files)) world.write(file, text);
      await expectRefused(says);
    });
  }

  verifies('CFG-01', 'two tools with one final name: both are named', async () => {
    world = new World();
    const server = bankServer(world.effectsFile, [], 'prefix = "money"');
    world.configure({
      servers: `${server}${server.replace('"bank"', '"till"')}`,
      tools: `${payTool()}${payTool()
        .replace('server = "bank"', 'server = "till"')
        .replace('payment.transfer', 'till.transfer')}`,
    });
    await expectRefused([['`bank.pay`', '`till.pay`', '`money__pay`', 'prefix']]);
  });

  verifies(
    'CFG-01',
    'tells all problems of a file together, in the order of its lines',
    async () => {
      world = new World({
        mandate: '[mandate]\nprincipal = "maya"\nbudget = -1',
        tools: payTool().replace('scale = 100', 'scale = 0.5').replace('critical', 'critcal'),
        approvals: '[approvals]\nwait = "long"',
      });
      const stderr = await expectRefused([
        ['mandate.budget'],
        ['critcal', 'critical'],
        ['tools[0].params.amount.scale'],
        ['approvals.wait'],
      ]);
      const lines = [...stderr.matchAll(/intentplane\.toml:(\d+):/g)].map(([, line]) =>
        Number(line),
      );
      expect(lines.length).toBeGreaterThanOrEqual(4);
      expect(lines).toEqual(lines.toSorted((a, b) => a - b));
    },
  );

  verifies('CFG-01', 'tells problems of policy, registry and names together', async () => {
    world = new World();
    world.write('policy.cedar', '@id("x") permit (principal, action, resource) when { 1 };');
    world.write('vendors.json', '[]');
    await expectRefused([['policy.cedar'], ['vendors.json']]);
  });

  it('a file that everybody can write is refused', async () => {
    world = new World();
    chmodSync(world.configFile, 0o666);
    await expectRefused([['intentplane.toml', 'chmod o-w']]);
    chmodSync(world.configFile, 0o600);
    chmodSync(world.path('vendors.json'), 0o666);
    await expectRefused([['vendors.json', 'chmod o-w']]);
    chmodSync(world.path('vendors.json'), 0o600);
    chmodSync(world.path('policy.cedar'), 0o666);
    await expectRefused([['policy.cedar', 'chmod o-w']]);
  });

  verifies('CFG-08', 'never prints a secret of the file', async () => {
    const secret = 'hunter2-hunter2-hunter2';
    world = new World();
    world.configure({
      servers: bankServer(world.effectsFile, [], `env = { TOKEN = "${secret}", N = 3 }`),
      approvals: `[approvals]\npasscode = "${secret}"`,
    });
    expect(await expectRefused([['approvals.passcode']])).not.toContain(secret);
  });

  it('prints the error as the one JSON object with --json', async () => {
    world = new World({ approvals: '[approvals]\nwayt = 3' });
    const { code, json } = await world.runHere(['receipts', 'show', '--json']);
    expect(code).toBe(2);
    expect(json.ok).toBe(false);
    expect(json.error).toContain('wayt');
    expect(existsSync(world.path('data'))).toBe(false);
  });

  it('names a file that does not exist', async () => {
    world = new World();
    const { code, stderr } = await world.run(['mcp', 'run', '--config', world.path('no.toml')]);
    expect(code).toBe(2);
    expect(stderr).toContain('no.toml: the file does not exist');
  });

  verifies(
    'CFG-02',
    '--lenient lets an unknown key pass with a warning, but not in a contract',
    async () => {
      world = new World({ approvals: '[approvals]\nlisten = "127.0.0.1:0"\nwayt = 3' });
      const lenient = await world.runHere(['mcp', 'run', '--lenient']);
      expect(lenient.code).toBe(0);
      expect(lenient.stderr).toContain('wayt');
      world.configure({ tools: payTool().replace('critical', 'critcal') });
      const contract = await world.runHere(['mcp', 'run', '--lenient']);
      expect(contract.code).toBe(2);
      expect(contract.stderr).toContain('critcal');
    },
  );
});
