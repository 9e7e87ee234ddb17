import { chmodSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { base, type FolderFiles, folderWith } from '../../test/fixtures/config-file.ts';
import { verifies } from '../../test/requirements/verifies.ts';
import { ConfigError, prepare } from './prepare.ts';

const permit = 'permit (principal, action, resource);';

/** The message of the error, with the folder written as `~`. */
function problems(text: string, files: FolderFiles = {}): readonly string[] {
  const folder = folderWith({ 'policy.cedar': permit, ...files, 'gateway.toml': text });
  try {
    prepare(join(folder, 'gateway.toml'));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.replaceAll(folder, '~').split('\n');
  }
  return [];
}

const tool = '[[tools]]\nserver = "bank"\ntool = "pay"\n';
const registry = `${base}[registries.vendors]\nfile = "vendors.json"\nnormalize = "iban"\n${tool}`;
const vendors = (text: string): FolderFiles => ({ 'vendors.json': text });

describe('prepare', () => {
  it('gives everything that a start needs', () => {
    const folder = folderWith({
      'policy.cedar': permit,
      'vendors.json': '{"v1": "DE89370400440532013000"}',
      'gateway.toml': `${registry}[gateway.log]\nlevel = "silent"\n`,
    });
    const { config, parts, names } = prepare(join(folder, 'gateway.toml'));
    expect(config.contracts).toHaveLength(1);
    expect([...parts.registries.keys()]).toEqual(['vendors']);
    expect(names.names).toEqual(['pay']);
    expect(parts.warnings).toEqual([]);
  });

  it('tells problems of the file itself with their place', () => {
    expect(problems(`${base}[mandate]\nbugdet = 5`)).toEqual([
      '~/gateway.toml:7: mandate.bugdet: unknown key `bugdet`: did you mean `budget`?',
    ]);
    expect(() => prepare('/nowhere/gateway.toml')).toThrow(
      '/nowhere/gateway.toml: the file does not exist: create it, or correct the path',
    );
  });

  verifies('CFG-10', 'names the key of a registry file that is not there, empty or unsafe', () => {
    const place = '~/gateway.toml:7: registries.vendors.file: `~/vendors.json`';
    expect(problems(registry)).toEqual([`${place} cannot be read: create it, or correct the path`]);
    expect(problems(registry, vendors(''))).toEqual([
      `${place} is empty: write {} or {"<record id>": <value>}`,
    ]);
    expect(problems(registry, vendors('[]'))).toEqual([
      `${place} must be one object: {"<record id>": <value>}`,
    ]);
    expect(problems(registry, { 'vendors.json': Buffer.from([0xff]) })).toEqual([
      `${place} is no UTF-8 text: save it as UTF-8`,
    ]);
  });

  it.skipIf(process.platform === 'win32')(
    'refuses registries and policies that everybody can write',
    () => {
      const folder = folderWith({
        'policy.cedar': permit,
        'vendors.json': '{}',
        'gateway.toml': registry,
      });
      const message = (): string => {
        try {
          prepare(join(folder, 'gateway.toml'));
          return '';
        } catch (error) {
          return (error as Error).message.replaceAll(folder, '~');
        }
      };
      chmodSync(join(folder, 'vendors.json'), 0o666);
      expect(message()).toBe(
        '~/gateway.toml:7: registries.vendors.file: `~/vendors.json` can be written by everybody: run `chmod o-w` on it',
      );
      chmodSync(join(folder, 'vendors.json'), 0o600);
      chmodSync(join(folder, 'policy.cedar'), 0o666);
      expect(message()).toBe(
        '~/gateway.toml:5: policy.file: the policy file `~/policy.cedar` can be written by everybody: run `chmod o-w` on it',
      );
    },
  );

  verifies('CFG-10', 'names the line of a registry file that is broken', () => {
    expect(problems(registry, vendors('{\n"v1": "DE89370400440532013000"\n"v2": 1}'))).toEqual([
      '~/vendors.json:3: registry `vendors` is no strict JSON (json_syntax)',
    ]);
    expect(problems(registry, vendors('{"v1": "x",\n"v1": "y"}'))).toEqual([
      '~/vendors.json:2: registry `vendors` has a record id or a field twice',
    ]);
    const csv = registry.replace('vendors.json', 'vendors.csv');
    expect(
      problems(csv, {
        'vendors.csv': 'id,value\nv1,DE89370400440532013000\nv1,DE89370400440532013000\n',
      }),
    ).toEqual(['~/vendors.csv:3: registry `vendors` record `v1`: its id is there twice']);
  });

  verifies(
    'CFG-10',
    'names the record that cannot be read, and for accounts the lenient type',
    () => {
      expect(problems(registry, vendors('{"v1": "DE00370400440532013000"}'))).toEqual([
        '~/gateway.toml:7: registries.vendors.file: `~/vendors.json` record `v1`: is no iban (an IBAN whose check digits are right); for accounts without valid check digits: normalize = "iban-lenient"',
      ]);
    },
  );

  it('starts with a file that guards nothing, and says so', () => {
    const passing = `${base}[defaults]\npassthrough = ["bank.read", "bank.list"]\n`;
    const folder = folderWith({ 'policy.cedar': permit, 'gateway.toml': passing });
    expect(prepare(join(folder, 'gateway.toml')).config.warnings).toContain(
      'all 2 exposed tools run without a decision: nothing is guarded',
    );
  });

  it('tells problems of policies and registries together', () => {
    const found = problems(registry, { 'policy.cedar': 'permit (principal;', 'vendors.json': '' });
    expect(found.map((line) => line.split(':')[0])).toEqual(['~/policy.cedar', '~/gateway.toml']);
  });

  it('names the second of two tools with one final name', () => {
    const two = `${base}[[servers]]\nname = "crm"\ncommand = "true"\n[[tools]]\nserver = "bank"\ntool = "crm__send"\n`;
    const clash =
      '`crm.send` and `bank.crm__send` both get the name `crm__send`: set `prefix` on a server';
    expect(
      problems(
        `${two}[[tools]]\nserver = "crm"\ntool = "send"\n[[tools]]\nserver = "bank"\ntool = "send"\n`,
      ),
    ).toEqual([`~/gateway.toml:14: tools[1].tool: ${clash}`]);
    expect(problems(`${two}[defaults]\npassthrough = ["bank.send", "crm.send"]\n`)).toEqual([
      `~/gateway.toml:13: defaults.passthrough: ${clash}`,
    ]);
    expect(problems(`${base}[[tools]]\nserver = "bank"\ntool = "intentplane_status"\n`)).toEqual([
      '~/gateway.toml:8: tools[0].tool: `bank.intentplane_status` and the gateway itself both get the name `intentplane_status`: set `prefix` on a server',
    ]);
  });

  it('lets a registry that changes later speak for itself', () => {
    const folder = folderWith({
      'policy.cedar': permit,
      'vendors.json': '{}',
      'gateway.toml': `${registry}[gateway.log]\nlevel = "silent"\n`,
    });
    const { parts } = prepare(join(folder, 'gateway.toml'));
    expect(parts.warnings).toEqual([
      'registry `vendors`: has no record yet: nothing resolves from it',
    ]);
    const file = join(folder, 'vendors.json');
    rmSync(file);
    parts.registries.get('vendors')?.refresh();
    expect(parts.registries.get('vendors')?.ready).toBe(false);
    writeFileSync(file, '{}');
    utimesSync(file, 1, 1);
    parts.registries.get('vendors')?.refresh();
    expect(parts.registries.get('vendors')?.ready).toBe(true);
  });
});

describe('ConfigError', () => {
  it('has one line per problem, in the form in which editors jump to a place', () => {
    const problems = [
      { file: 'a', message: 'm' },
      { file: 'a', line: 3, message: 'm' },
      { file: 'a', line: 3, key: 'k', message: 'm' },
      { file: 'a', key: '', message: 'm' },
    ];
    const error = new ConfigError(problems);
    expect(error.message).toBe('a: m\na:3: m\na:3: k: m\na: m');
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', problems });
  });
});
