import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { base, configOf, folderWith } from '../../test/fixtures/config-file.ts';
import { verifies } from '../../test/requirements/verifies.ts';
import { loadConfig } from './load-config.ts';

const noPerson =
  'no [approvals] passcode: only clients that can show forms can confirm; make one with `intentplane passcode`';
const files = { 'v.json': '{}' };
/** Warnings but the one about the passcode, which every file below has. */
const warnings = (text: string): readonly string[] =>
  configOf(text, { files }).warnings.filter((warning) => warning !== noPerson);
const tool = (lines: string): string => `[[tools]]\nserver = "bank"\ntool = "pay"\n${lines}\n`;
const passing = (...names: readonly string[]): string =>
  `[defaults]\npassthrough = [${names.map((name) => `"bank.${name}"`).join(', ')}]\n`;

describe('warnings of a start', () => {
  it('are none for a file that guards what it shows', () => {
    expect(warnings(base + tool('[tools.params.to]'))).toEqual([]);
  });

  verifies('CFG-14', 'count the tools that run without a decision', () => {
    expect(warnings(base + tool('') + passing('read', 'list'))).toEqual([
      '2 of 3 exposed tools run without a decision',
    ]);
    expect(warnings(base + passing('read', 'list'))).toEqual([
      'all 2 exposed tools run without a decision: nothing is guarded',
    ]);
  });

  verifies('CFG-14', 'name every passed tool that runs whatever it is given', () => {
    const names = [
      'execute_code',
      'runQuery',
      'make-request',
      'sql',
      'BASH',
      'list_files',
      'requester',
    ];
    expect(warnings(base + passing(...names)).slice(1)).toEqual(
      ['execute_code', 'runQuery', 'make-request', 'sql', 'BASH'].map(
        (name) =>
          `\`bank.${name}\` is passed through and looks as if it runs code, commands or queries: that is a way around every guarded tool`,
      ),
    );
    expect(warnings(base + tool('').replace('pay', 'execute_code'))).toEqual([]);
  });

  it('tell that a tool in both lists is guarded', () => {
    expect(warnings(base + tool('') + passing('pay'))).toEqual([
      '`bank.pay` is in passthrough and in [[tools]]: it is guarded',
    ]);
  });

  it('name a claim that nobody made, once', () => {
    const param =
      '[tools.params.to]\ncritical = true\nsources = ["mandate:landlord", "mandate:own"]\n';
    const twice = `${tool(`action = "x"\n${param}`)}${tool(`action = "x"\n${param}`).replace('"pay"', '"send"')}`;
    expect(warnings(`${base}${twice}[mandate.claims]\nown = "a"`)).toEqual([
      '`x`: the source `mandate:landlord` of `to` has no claim in [mandate.claims], so nothing matches it',
    ]);
  });

  it('name a claim that holds no such value, and a request that nobody made', () => {
    const param = (lines: string): string =>
      tool(`[tools.params.to]\ncritical = true\nnormalize = "iban"\n${lines}`);
    const claims = (value: string): string =>
      `${base}${param('sources = ["mandate:own"]')}[mandate.claims]\nown = ${value}`;
    expect(warnings(claims('"DE00370400440532013000"'))).toEqual([
      '`bank.pay`: the source `mandate:own` of `to` holds no iban (an IBAN whose check digits are right), so nothing matches it',
    ]);
    expect(warnings(claims('[5, "DE89370400440532013000"]'))).toEqual([]);
    expect(warnings(claims('[]'))).toEqual([]);
    const asked = `${base}${param('sources = ["request"]')}`;
    expect(warnings(asked)).toEqual([
      '`bank.pay`: the source `request` of `to` has no request in [mandate], so nothing matches it',
    ]);
    expect(warnings(`${asked}[mandate]\nrequest = "pay"`)).toEqual([]);
  });

  it('tell that records of the principal are out of reach of another owner', () => {
    const registries =
      '[registries.v]\nfile = "v.json"\n[registries.w]\nfile = "v.json"\nowner = "*"\n[mandate]\nprincipal = "maya"\n';
    expect(warnings(`${base}${registries}[mandate.claims]\ntenant = "acme"`)).toEqual([
      'registry `v` has no `owner` and belongs to `maya`, and the mandate to `acme`: nothing resolves from it; add owner = "*" or the field that names the owner',
    ]);
    expect(warnings(`${base}${registries}[mandate.claims]\ntenant = "maya"`)).toEqual([]);
  });

  it('name keys that change nothing', () => {
    expect(warnings(`${base}[mandate]\nbudget = 5`)).toEqual([
      '[mandate] budget is never charged: no tool names a budget_param',
    ]);
    expect(warnings(base + tool('[tools.params.to]\nnormalize = "email"'))).toEqual([
      '`bank.pay`: `normalize` of `to` has no effect: the value is not critical',
    ]);
    const registry = (lines: string): string =>
      `${base}[registries.v]\nfile = "v.json"\n${lines}\n${tool('[tools.params.to]\ncritical = true\nnormalize = "email"\nsources = ["registry:v", "registry:v.mail"]')}`;
    expect(warnings(registry(''))).toEqual([
      '`bank.pay`: `normalize` of `to` is not that of the registry `v`, which compares exactly: add `normalize` there',
    ]);
    expect(warnings(registry('normalize = "email"'))).toEqual([]);
  });

  verifies('CFG-14', 'list what leaves without being looked at', () => {
    const params = '[tools.params.body]\ntext = "free"\n[tools.params.note]';
    expect(warnings(base + tool(`undeclared = "free"\n${params}`))).toEqual([
      '`bank.pay`: undeclared arguments are not looked at (undeclared = "free")',
      '`bank.pay`: the text `body` is not looked at (text = "free")',
    ]);
  });

  it('tell who can confirm', () => {
    expect(configOf(base).warnings).toEqual([noPerson]);
    const passcode = `scrypt$16$8$2$${'A'.repeat(22)}$${'A'.repeat(43)}`;
    expect(configOf(`${base}[approvals]\npasscode = "${passcode}"`).warnings).toEqual([]);
    const nobody = `[approvals]\npasscode = "${passcode}"\nrequire = { 1 = ["passcode"] }\n`;
    expect(configOf(base + nobody).warnings).toEqual([]);
  });
});

describe('warnings about reachable files', () => {
  /** Warnings of a folder with `conf/` (the product's files) and `work/` (an agent's). */
  function reached(server: string, more = ''): readonly string[] {
    const folder = folderWith({
      'conf/gateway.toml': `[[servers]]\nname = "files"\ncommand = "x"\n${server}\n[policy]\nfile = "policy.cedar"\n[gateway]\ndata = "../state"\n${more}`,
      'conf/policy.cedar': '',
      'work/a.txt': '',
      'code/pager.mjs': '',
    });
    mkdirSync(join(folder, 'state'));
    symlinkSync(join(folder, 'conf'), join(folder, 'link'));
    const loaded = loadConfig(join(folder, 'conf/gateway.toml'), {
      environment: { variables: {}, platform: process.platform, home: '/home/maya' },
    });
    return loaded.ok
      ? loaded.value.warnings
          .filter((warning) => warning !== noPerson)
          .map((warning) => warning.replaceAll(folder, '~'))
      : loaded.error.map(({ message }) => message);
  }
  const warning = (file: string): readonly string[] => [
    `the server \`files\` is started on a folder that holds \`${file}\`: an agent could change what protects you; keep these files elsewhere`,
  ];

  verifies('CFG-14', 'name a server that is started on them, by argument or folder', () => {
    expect(reached('args = ["."]')).toEqual(warning('~/conf/gateway.toml'));
    expect(reached('args = ["--root=.."]')).toEqual(warning('~/conf/gateway.toml'));
    expect(reached('args = ["../link"]')).toEqual(warning('~/conf/gateway.toml'));
    expect(reached('args = ["../state"]')).toEqual(warning('~/state'));
    expect(reached('cwd = "."')).toEqual(warning('~/conf/gateway.toml'));
    expect(reached('cwd = "/"')).toEqual(warning('~/conf/gateway.toml'));
  });

  it('name the module of a channel, which runs inside the gateway', () => {
    const channel = '[approvals]\nchannel = "../code/pager.mjs:pager"';
    expect(reached('args = ["../code"]', channel)).toEqual(warning('~/code/pager.mjs'));
    expect(reached('args = ["../code"]')).toEqual([]);
  });

  it('say nothing of other folders, files, flags, and of the folder where every server starts', () => {
    expect(
      reached('args = ["../work", "-v", "--root=../work", "policy.cedar", "", "no-such"]'),
    ).toEqual([]);
    expect(reached('cwd = "../work"')).toEqual([]);
    expect(reached('')).toEqual([]);
  });
});
