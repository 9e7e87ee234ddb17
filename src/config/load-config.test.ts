import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  base,
  configOf,
  folderWith,
  loadText,
  problemsOf,
} from '../../test/fixtures/config-file.ts';
import { verifies } from '../../test/requirements/verifies.ts';
import { loadConfig } from './load-config.ts';

const environment = { variables: {}, platform: process.platform, home: '/home/maya' };
/** A reference to a variable, as the file writes it. */
const env = (name: string): string => `$\{env:${name}}`;
/** What is wrong with a key of `[mandate]`. */
const mandate = (line: string): readonly string[] => problemsOf(`${base}[mandate]\n${line}\n`);
/** What is wrong with a key of one parameter; it stands in line 10. */
const param = (line: string): readonly string[] =>
  problemsOf(`${base}[[tools]]\nserver = "bank"\ntool = "pay"\n[tools.params.x]\n${line}\n`);

describe('loadConfig, the file itself', () => {
  const problem = (path: string): unknown => {
    const loaded = loadConfig(path, { environment });
    return loaded.ok ? undefined : loaded.error;
  };

  verifies('CFG-01', 'names a file that cannot be read and the fix', () => {
    const folder = folderWith({
      'large.toml': `# ${'x'.repeat(1_100_000)}`,
      'bytes.toml': Buffer.from([0xff]),
    });
    const at = (name: string, message: string): void => {
      expect(problem(join(folder, name))).toEqual([{ file: join(folder, name), message }]);
    };
    at('none.toml', 'the file does not exist: create it, or correct the path');
    at('.', 'the file is no file: name the file itself');
    at('bytes.toml', 'the file is no UTF-8 text: save it as UTF-8');
    at('large.toml', 'the file is larger than 1048576 bytes: split it');
  });

  it.skipIf(process.platform === 'win32')('refuses a file that everybody can write', () => {
    const file = join(folderWith({ 'gateway.toml': base }), 'gateway.toml');
    chmodSync(file, 0o666);
    expect(problem(file)).toEqual([
      { file, message: 'the file can be written by everybody: run `chmod o-w` on it' },
    ]);
  });

  verifies('CFG-01', 'names line and column of what is no TOML, without repeating the line', () => {
    expect(problemsOf(`${base}passcode = "secret\n`)).toEqual([
      '6: control characters are not allowed in strings (column 19)',
    ]);
    expect(problemsOf('a = 1\na = 2')).toEqual([
      '2: trying to redefine an already defined table or value (column 1)',
    ]);
    expect(problemsOf('[a]\n"__proto__" = 1')).toEqual([
      '2: `__proto__` and `constructor` cannot be keys: rename it (column 1)',
    ]);
    expect(problemsOf(`a = ${'['.repeat(40)}`)[0]).toMatch(/^1: /);
  });

  it('reads a file with a byte order mark', () => {
    expect(loadText(`\uFEFF${base}`).problems).toEqual([]);
  });

  it('says what every file needs', () => {
    expect(problemsOf('')).toEqual([
      'servers: is missing: add [[servers]] with a name and a command',
      'policy: is missing: add [policy] with file = "policy.cedar"',
    ]);
    expect(problemsOf('servers = []\npolicy = 1')).toEqual([
      '1 servers: must name at least one server',
      '2 policy: must be a table',
    ]);
  });
});

describe('loadConfig, keys', () => {
  verifies('CFG-02', 'names a misspelt key and the nearest one', () => {
    expect(mandate('bugdet = 10')).toEqual([
      '7 mandate.bugdet: unknown key `bugdet`: did you mean `budget`?',
    ]);
    expect(param('criticl = true')).toEqual([
      '10 tools[0].params.x.criticl: unknown key `criticl`: did you mean `critical`?',
    ]);
    expect(problemsOf(`${base}[approvals.expires_in]\n3 = "1m"`)).toEqual([
      '7 approvals.expires_in.3: unknown key `3`: did you mean `1`?',
    ]);
    expect(mandate('colour = "red"')).toEqual([
      '7 mandate.colour: unknown key `colour`: remove it',
    ]);
  });

  verifies('CFG-03', 'refuses every key whose behaviour this version does not have', () => {
    const later = `packs = ["banking"]
${base.replace('command = "true"', 'command = "true"\nurl = "https://example.com"\nresources = ["*"]\nelicitation = ["form"]')}schema_out = "x"
[http]
listen = "127.0.0.1:1"
[gateway]
metrics = "127.0.0.1:2"
[mandate]
anchor = true
token_file = "t"
[keys]
token = "file:t"
[registries.v]
file = "v.json"
ttl = 5
mcp = "bank.list"
[[tools]]
server = "bank"
tool = "pay"
mode = "shadow"
reverse = "bank.undo"
[tools.params.x]
unresolved = "supply"
default = 1
as = "set"
`;
    const problems = problemsOf(later);
    expect(problems.map((problem) => problem.split(' ')[1])).toEqual(
      [
        ...['packs', 'servers[0].url', 'servers[0].resources', 'servers[0].elicitation'],
        ...['policy.schema_out', 'http.listen', 'gateway.metrics', 'mandate.anchor'],
        ...[
          'mandate.token_file',
          'keys.token',
          'registries.v.ttl',
          'registries.v.mcp',
          'tools[0].mode',
          'tools[0].reverse',
        ],
        ...['tools[0].params.x.unresolved', 'tools[0].params.x.default', 'tools[0].params.x.as'],
      ].map((key) => `${key}:`),
    );
    for (const problem of problems) {
      expect(problem).toMatch(/`[a-z_0-9]+` is not available in this version: remove it$/);
    }
  });

  verifies('CFG-03', 'refuses every value whose behaviour this version does not have', () => {
    const text = `[[servers]]
name = "bank"
command = "true"
era = "modern"
[policy]
file = "policy.cedar"
[gateway]
mode = "shadow"
[keys]
log = "pkcs11:x"
`;
    expect(problemsOf(text)).toEqual([
      '4 servers[0].era: must be "legacy": other eras are not available in this version',
      '8 gateway.mode: must be "enforce": other modes are not available in this version',
      '10 keys.log: must be file:<path>: other key stores are not available in this version',
    ]);
  });

  verifies('CFG-01', 'says what a value must be, and never repeats it', () => {
    expect(mandate('principal = 5')).toEqual(['7 mandate.principal: must be a text']);
    expect(mandate('principal = ""')).toEqual([
      '7 mandate.principal: must have at least 1 characters',
    ]);
    expect(mandate(`principal = "${'x'.repeat(201)}"`)).toEqual([
      '7 mandate.principal: must have at most 200 characters',
    ]);
    expect(mandate('claims = { a = [{}] }')).toEqual([
      '7 mandate.claims.a: must be a text, a number, true/false, a day, or a list of these',
    ]);
    expect(problemsOf(`${base}[gateway]\nown_tools = "yes"\nlog = { level = "loud" }`)).toEqual([
      '7 gateway.own_tools: must be true or false',
      '8 gateway.log.level: must be one of: debug, info, warn, error, silent',
    ]);
    expect(problemsOf(`${base}[registries]\nv = "v.json"`)).toEqual([
      '7 registries.v: must be a table',
    ]);
    expect(problemsOf(`${base}[registries.v]\nfile = "v.json"\nalias = 5`)).toEqual([
      '8 registries.v.alias: must be a field or a list of fields',
    ]);
    expect(param('enum = []')).toEqual(['10 tools[0].params.x.enum: must have at least 1 items']);
  });

  verifies('CFG-04', 'refuses a budget that is no whole number', () => {
    const fault = ['7 mandate.budget: must be a whole number from 0 to 2^53-1'];
    for (const value of [
      'nan',
      'inf',
      '-inf',
      '12.5',
      '-1',
      '9007199254740992',
      '"5"',
      'true',
      '[5]',
    ]) {
      expect(mandate(`budget = ${value}`), value).toEqual(fault);
    }
    for (const value of ['0', '5000', '5_000', '5000.0', '9007199254740991']) {
      expect(mandate(`budget = ${value}`), value).toEqual([]);
    }
  });

  verifies('CFG-04', 'refuses a scale that is no whole number from 1 on', () => {
    const fault = [
      '11 tools[0].params.x.scale: must be a whole number from 1 to 1000000000 (100 = hundredths)',
    ];
    for (const value of ['0', '-100', '0.5', 'nan', 'inf', '"100"', '1000000001']) {
      expect(param(`type = "number"\nscale = ${value}`), value).toEqual(fault);
    }
    expect(param('type = "number"\nscale = 100.0')).toEqual([]);
  });

  it('refuses times that are none', () => {
    expect(mandate('expires_in = "soon"')).toEqual([
      '7 mandate.expires_in: must be a time such as 30s, 15m or 12h',
    ]);
    expect(mandate('expires_in = 0')).toEqual(['7 mandate.expires_in: must be longer than 0']);
    expect(configOf(`${base}[mandate]\nexpires_in = 90`).mandate.expiresInMs).toBe(90_000);
  });
});

describe('loadConfig, several problems', () => {
  verifies('CFG-01', 'reports all of them together, in the order of their lines', () => {
    const text = `[[servers]]
name = "bank"
command = "true"
[mandate]
bugdet = 10
[[tools]]
server = "bonk"
tool = "pay"
[tools.params.to]
criticl = true
[[tools]]
server = "bank"
tool = "mail"
[tools.params.to]
critical = true
[policy]
file = "none.cedar"
`;
    expect(problemsOf(text)).toEqual([
      '5 mandate.bugdet: unknown key `bugdet`: did you mean `budget`?',
      '7 tools[0].server: there is no server `bonk`: add it to [[servers]]; did you mean `bank`?',
      '10 tools[0].params.to.criticl: unknown key `criticl`: did you mean `critical`?',
      '14 tools[1].params.to.sources: `to` is critical and has no source: name one, such as "registry:<name>"',
      '17 policy.file: the policy file `~/none.cedar` does not exist: create it, or correct the path',
    ]);
  });

  it('leaves out what only follows from another one', () => {
    expect(param('souces = ["registry:x"]\ncritical = true')).toEqual([
      '10 tools[0].params.x.souces: unknown key `souces`: did you mean `sources`?',
    ]);
    const text = `${base}[[tools]]\nserver = "bank"\ntool = "pay"\nbudget_param = "x"\n[tools.params.x]\ntype = "nubmer"`;
    expect(problemsOf(text)).toEqual([
      '11 tools[0].params.x.type: must be one of: string, integer, number, boolean, money, date, datetime, list, object',
    ]);
    expect(
      problemsOf(`${base}[registries.v]\nfile = 5\n[[tools]]\nserver = "bank"\ntool = "pay"`),
    ).toEqual(['7 registries.v.file: must be a text']);
  });
});

describe('loadConfig, lenient', () => {
  const lenient = { lenient: true };

  verifies('CFG-02', 'leaves unknown keys out with a warning, except inside parameters', () => {
    const config = configOf(`${base}[mandate]\ncolour = "red"\nbugdet = 5`, lenient);
    expect(config.warnings).toEqual(
      expect.arrayContaining([
        'mandate.colour: unknown key `colour`: remove it; ignored',
        'mandate.bugdet: unknown key `bugdet`: did you mean `budget`?; ignored',
      ]),
    );
    const text = `${base}[mandate]\ncolour = "red"\n[[tools]]\nserver = "bank"\ntool = "pay"\n[tools.params.x]\ncriticl = true`;
    expect(problemsOf(text, lenient)).toEqual([
      '12 tools[0].params.x.criticl: unknown key `criticl`: did you mean `critical`?',
    ]);
  });

  it('does not leave out keys of later versions, nor wrong values', () => {
    expect(problemsOf(`${base}[packs]\n[mandate]\ncolour = 1\nbudget = nan`, lenient)).toEqual([
      '6 packs: `packs` is not available in this version: remove it',
      '9 mandate.budget: must be a whole number from 0 to 2^53-1',
    ]);
  });
});

describe('loadConfig, references', () => {
  verifies('CFG-05', 'fills in variables of the environment', () => {
    const args = `["--key=${env('KEY')}", "$HOME", "$(x)"]`;
    const text = base.replace('"true"', () => `"${env('BIN')}/server"\nargs = ${args}`);
    const { servers } = configOf(text, { variables: { BIN: '/opt', KEY: 'k' } });
    expect(servers[0]).toMatchObject({
      command: '/opt/server',
      args: ['--key=k', '$HOME', '$(x)'],
    });
  });

  verifies('CFG-05', 'names a variable that is not set, and a reference that is none', () => {
    const args = `["${env('')}", "${env('A-B')}", "${env('A').slice(0, -1)}"]`;
    const text = base.replace('"true"', () => `"${env('MISSING')}"\nargs = ${args}`);
    const isNone = (reference: string): string =>
      `\`${reference}\` is no reference: write ${env('NAME')}`;
    expect(problemsOf(text, { variables: { A: 'x' } })).toEqual([
      '3 servers[0].command: the environment variable `MISSING` is not set: set it, or write the value',
      `4 servers[0].args[0]: ${isNone(env(''))}`,
      `4 servers[0].args[1]: ${isNone(env('A-B'))}`,
      `4 servers[0].args[2]: ${isNone(env('A').slice(0, -1))}`,
    ]);
  });

  it('takes nothing that every object has for a variable', () => {
    const names = `"${env('toString')}${env('__proto__')}"`;
    expect(problemsOf(base.replace('"true"', () => names))).toHaveLength(2);
  });

  it('leaves keys, numbers and days as they are', () => {
    const text = `${base}[mandate.claims]\n"${env('A')}" = 5\nday = 2026-11-30\nat = 2026-11-30T10:00:00Z`;
    expect(configOf(text, { variables: { A: 'x' } }).mandate.claims).toEqual({
      [env('A')]: [5],
      day: ['2026-11-30'],
      at: ['2026-11-30T10:00:00.000Z'],
    });
  });
});

describe('loadConfig, the result', () => {
  verifies('CFG-06', 'is complete with a server and a policy', () => {
    const { config, folder } = loadText(base);
    expect(config).toMatchObject({
      file: join(folder, 'gateway.toml'),
      folder,
      gateway: { rateLimit: 10_000, ownTools: true, log: { level: 'info', format: 'pretty' } },
      mandate: {
        principal: 'user',
        tenant: 'user',
        agent: 'agent',
        claims: {},
        budgets: [],
        scopes: [],
      },
      registries: [],
      servers: [
        {
          name: 'bank',
          command: 'true',
          args: [],
          env: {},
          inheritEnv: [],
          cwd: folder,
          timeoutMs: 30_000,
          callTimeoutMs: 300_000,
          restart: 'on-crash',
          prefix: undefined,
          pin: 'on',
        },
      ],
      contracts: [],
      tools: [],
      policies: [
        { name: join(folder, 'policy.cedar'), text: 'permit (principal, action, resource);' },
      ],
      receiptMirror: undefined,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('is frozen to the last list', () => {
    const config = configOf(`${base}[mandate.claims]\na = ["x"]`);
    const isFrozen = (value: unknown): boolean =>
      typeof value !== 'object' ||
      value === null ||
      (Object.isFrozen(value) && Object.values(value).every(isFrozen));
    expect(isFrozen(config)).toBe(true);
  });

  it('tells where a key stands', () => {
    const { config, folder } = loadText(`${base}[mandate.claims]\na = ["x"]`);
    const file = join(folder, 'gateway.toml');
    expect(config?.placeOf(['mandate', 'claims', 'a', 0])).toEqual({
      file,
      line: 7,
      key: 'mandate.claims.a[0]',
    });
    expect(config?.placeOf([])).toEqual({ file });
  });

  it('has a digest of the text', () => {
    const digest = (text: string): string => configOf(text).digest;
    expect(digest(base)).toBe(digest(base));
    expect(digest(base)).not.toBe(digest(`${base}# other`));
  });
});
