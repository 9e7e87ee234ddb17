import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { base, folderWith, loadText, problemsOf } from '../../test/fixtures/config-file.ts';
import { loadConfig } from './load-config.ts';

const server = (lines: string): string =>
  base.replace('command = "true"', `command = "true"\n${lines}`);

describe('[[servers]]', () => {
  it('has every setting', () => {
    const text = server(
      'args = ["-v"]\nenv = { A = "1" }\ninherit_env = ["B"]\ncwd = "sub"\ntimeout = "5s"\ncall_timeout = 60\nrestart = "never"\nprefix = "b"\npin = "off"\nera = "legacy"',
    );
    const { config, folder } = loadText(text);
    expect(config?.servers).toEqual([
      {
        name: 'bank',
        command: 'true',
        args: ['-v'],
        env: { A: '1' },
        inheritEnv: ['B'],
        cwd: join(folder, 'sub'),
        timeoutMs: 5_000,
        callTimeoutMs: 60_000,
        restart: 'never',
        prefix: 'b',
        pin: 'off',
      },
    ]);
  });

  it('refuses two of one name, and a name that policies could not write', () => {
    expect(problemsOf(`${base}[[servers]]\nname = "bank"\ncommand = "x"`)).toEqual([
      '7 servers[1].name: two servers are called `bank`: rename one',
    ]);
    expect(problemsOf(base.replace('"bank"', '"my bank"'))).toEqual([
      '2 servers[0].name: must be a name of letters, digits, _ . or -, at most 64 long',
    ]);
    expect(problemsOf(server('prefix = "a b"'))).toEqual([
      '4 servers[0].prefix: must be 1 to 32 letters, digits, _ or -',
    ]);
  });

  it('takes a value of the environment from a file that only its owner can read', () => {
    const text = server('env = { KEY = "file:key", OPEN = "file:open", NONE = "file:none" }');
    const folder = folderWith({ 'gateway.toml': text, 'policy.cedar': '', key: 'k\n', open: 'o' });
    chmodSync(join(folder, 'key'), 0o600);
    chmodSync(join(folder, 'open'), 0o644);
    const environment = { variables: {}, platform: 'linux', home: '/' };
    const loaded = loadConfig(join(folder, 'gateway.toml'), { environment });
    expect(loaded.ok ? [] : loaded.error.map(({ key, message }) => `${key}: ${message}`)).toEqual([
      `servers[0].env.OPEN: the secret file \`${join(folder, 'open')}\` can be read by others: run \`chmod 600\` on it`,
      `servers[0].env.NONE: the secret file \`${join(folder, 'none')}\` cannot be read: create it, or write the value`,
    ]);
    chmodSync(join(folder, 'open'), 0o600);
    const fewer = loadText(server('env = { KEY = "plain" }'));
    expect(fewer.config?.servers[0]?.env).toEqual({ KEY: 'plain' });
  });
});
