import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { base, configOf, loadText, problemsOf } from '../../test/fixtures/config-file.ts';
import { verifies } from '../../test/requirements/verifies.ts';

const gateway = (lines: string): string => `${base}[gateway]\n${lines}\n`;

describe('[gateway]', () => {
  verifies(
    'CFG-07',
    'is named for the place of the file, so that two files never share a store',
    () => {
      const [one, other] = [configOf(base), configOf(base)];
      expect(one.gateway.name).toMatch(/^gateway-[0-9a-f]{8}$/);
      expect(one.gateway.name).not.toBe(other.gateway.name);
      expect(one.gateway.store).toBe(join(one.gateway.data, 'store.db'));
      expect(one.keys.log).toBe(join(one.gateway.data, 'log-key.pem'));
    },
  );

  it('keeps its data in the state folder of the platform', () => {
    const config = configOf(gateway('name = "bank/eu"'), {
      variables: { XDG_STATE_HOME: '/state' },
      platform: 'linux',
    });
    expect(config.gateway.data).toBe('/state/intentplane/bank_eu');
    const dots = configOf(gateway('name = ".."'), {
      variables: { XDG_STATE_HOME: '/state' },
      platform: 'linux',
    });
    expect(dots.gateway.data).toBe('/state/intentplane/__');
  });

  it('takes paths relative to the file', () => {
    const { config, folder } = loadText(
      `${gateway('data = "d"\nstore = "sqlite:s/x.db"')}[keys]\nlog = "file:k.pem"\n[defaults]\nreceipts = "r.jsonl"`,
    );
    expect(config).toMatchObject({
      gateway: { data: join(folder, 'd'), store: join(folder, 's/x.db') },
      keys: { log: join(folder, 'k.pem') },
      receiptMirror: join(folder, 'r.jsonl'),
    });
    expect(configOf(gateway('store = "sqlite:/abs/x.db"')).gateway.store).toBe('/abs/x.db');
    expect(configOf(gateway('store = "sqlite::memory:"')).gateway.store).toBe(':memory:');
  });

  it('takes the address of a PostgreSQL database as it is', () => {
    for (const store of ['postgres://a:b@h:5433/d?sslmode=require', 'postgresql:///d?host=/run']) {
      expect(configOf(gateway(`store = "${store}"`)).gateway.store).toBe(store);
    }
  });

  it('refuses a name that cannot name a log, and a store that is none', () => {
    expect(problemsOf(gateway('name = "my bank"'))).toEqual([
      '7 gateway.name: must have no space and no + (it names the receipt log)',
    ]);
    for (const store of ['x.db', 'sqlite:', 'mysql://x', 'postgres:x']) {
      expect(problemsOf(gateway(`store = "${store}"`)), store).toEqual([
        '7 gateway.store: must be sqlite:<path> or postgres://<user>@<host>/<database>',
      ]);
    }
    for (const store of ['postgres://alice:secret@localhost', 'postgresql://[x/y']) {
      expect(problemsOf(gateway(`store = "${store}"`)), store).toEqual([
        '7 gateway.store: must be postgres://<user>@<host>/<database>',
      ]);
    }
    expect(problemsOf(gateway('rate_limit = 0'))).toEqual([
      '7 gateway.rate_limit: must be a whole number from 1 to 1000000000',
    ]);
  });
});

describe('[policy]', () => {
  it('names every file that cannot be read', () => {
    const text = base.replace(
      'file = "policy.cedar"',
      'file = "a.cedar"\nfiles = ["policy.cedar", "b.cedar"]',
    );
    expect(problemsOf(text)).toEqual([
      '5 policy.file: the policy file `~/a.cedar` does not exist: create it, or correct the path',
      '6 policy.files[1]: the policy file `~/b.cedar` does not exist: create it, or correct the path',
    ]);
    expect(problemsOf(base.replace('file = "policy.cedar"', ''))).toEqual([
      '4 policy: names no policy: add file = "policy.cedar"',
    ]);
    expect(problemsOf(base, { files: { 'policy.cedar': Buffer.from([0xff]) } })).toEqual([
      '5 policy.file: the policy file `~/policy.cedar` is no UTF-8 text: save it as UTF-8',
    ]);
  });
});
