import { beforeAll, describe, expect, it } from 'vitest';
import { createTestSigner } from '../testing/test-bundle.ts';
import { type PolicyFault, parseTlogPolicy, type TlogPolicy } from './tlog-policy.ts';
import { createLogKey, deriveKeyId, formatVerifierKey } from './verifier-key.ts';

async function logKey(seed: number, name = `log${seed}.example`): Promise<string> {
  return formatVerifierKey(await createLogKey(name, createTestSigner(seed).publicKey));
}

async function witnessKey(seed: number, name = `w${seed}.example`): Promise<string> {
  const key = { name, type: 0x04, publicKey: createTestSigner(seed).publicKey };
  return formatVerifierKey({ ...key, keyId: await deriveKeyId(key) });
}

async function read(text: string): Promise<TlogPolicy> {
  const policy = await parseTlogPolicy(text);
  if (!policy.ok) throw new Error(`${policy.error.code} in line ${policy.error.line}`);
  return policy.value;
}

async function faultOf(text: string): Promise<PolicyFault | undefined> {
  const policy = await parseTlogPolicy(text);
  return policy.ok ? undefined : policy.error;
}

let log: string;
let witnesses: string[];
beforeAll(async () => {
  log = await logKey(1);
  witnesses = await Promise.all([1, 2, 3, 4].map((seed) => witnessKey(seed)));
});

describe('parseTlogPolicy', () => {
  it('reads logs, witnesses, nested groups and the quorum', async () => {
    const policy = await read(
      [
        '# who we believe',
        `log ${log} https://log.example/`,
        '',
        `\twitness  X1\t${witnesses[0]} `,
        `witness X2 ${witnesses[1]} https://w2.example/`,
        `witness Y ${witnesses[2]}`,
        '  # two of the first',
        'group X 2 X1 X2',
        'group XY any X Y',
        'quorum XY',
        `witness late ${witnesses[3]}`,
      ].join('\n'),
    );
    expect(policy.logs.map(({ name }) => name)).toEqual(['log1.example']);
    expect([...policy.witnesses.keys()]).toEqual(['X1', 'X2', 'Y', 'late']);
    expect(Object.fromEntries(policy.groups)).toEqual({
      X: { threshold: 2, members: ['X1', 'X2'] },
      XY: { threshold: 1, members: ['X', 'Y'] },
    });
    expect(policy.quorum).toBe('XY');
  });

  it('reads a policy without logs or witnesses, and `all` as every member', async () => {
    expect(await read('quorum none')).toMatchObject({ logs: [], quorum: 'none' });
    const all = `witness A ${witnesses[0]}\nwitness B ${witnesses[1]}\ngroup G all A B\nquorum G\n`;
    expect((await read(all)).groups.get('G')?.threshold).toBe(2);
  });

  it('keeps a log key that this version cannot check, and several keys of one log', async () => {
    const key = { name: 'log1.example', type: 0x06, publicKey: new Uint8Array(1312) };
    const text = formatVerifierKey({ ...key, keyId: await deriveKeyId(key) });
    const other = await logKey(2, 'log1.example');
    const policy = await read(`log ${log}\nlog ${text}\nlog ${other}\nquorum none\n`);
    expect(policy.logs.map(({ name, type }) => [name, type])).toEqual([
      ['log1.example', 1],
      ['log1.example', 6],
      ['log1.example', 1],
    ]);
  });

  it('takes 256 entries of a kind and refuses one more', async () => {
    const lines = await Promise.all(
      Array.from(
        { length: 257 },
        async (_, i): Promise<[string, string, string]> => [
          `log ${await logKey(1000 + i)}`,
          `witness w${i} ${await witnessKey(1000 + i)}`,
          `group g${i} any w${i}`,
        ],
      ),
    );
    const all = (kind: 0 | 1 | 2): string[] => lines.map((each) => each[kind]);
    const most = [...all(0).slice(0, 256), 'quorum none'].join('\n');
    expect((await read(most)).logs).toHaveLength(256);
    const groups = [...all(1).slice(0, 256), ...all(2).slice(0, 256), 'group last any g0'];
    for (const text of [all(0), all(1), groups]) {
      const line = text.length;
      expect(await faultOf(text.join('\n'))).toEqual({ code: 'POLICY_TOO_LARGE', line });
    }
    expect(await faultOf('x'.repeat(262_145))).toEqual({ code: 'POLICY_TOO_LARGE', line: 0 });
  }, 30_000);

  it('demands exactly one quorum line that names something known', async () => {
    expect(await faultOf(`log ${log}`)).toEqual({ code: 'POLICY_QUORUM', line: 0 });
    expect(await faultOf('')).toEqual({ code: 'POLICY_QUORUM', line: 0 });
    expect(await faultOf('quorum none\nquorum none')).toEqual({ code: 'POLICY_QUORUM', line: 2 });
    expect(await faultOf('quorum W')).toEqual({ code: 'POLICY_NAME', line: 1 });
    expect(await faultOf('quorum')).toEqual({ code: 'POLICY_LINE', line: 1 });
    expect(await faultOf('quorum none none')).toEqual({ code: 'POLICY_LINE', line: 1 });
    const later = `quorum W\nwitness W ${witnesses[0]}`;
    expect(await faultOf(later)).toEqual({ code: 'POLICY_NAME', line: 1 });
  });

  it('refuses duplicate keys, also under another name', async () => {
    const again = await logKey(1, 'other.example');
    expect(await faultOf(`log ${log}\nlog ${again}`)).toEqual({
      code: 'POLICY_DUPLICATE',
      line: 2,
    });
    const twice = `witness A ${witnesses[0]}\nwitness B ${await witnessKey(1, 'other.example')}`;
    expect(await faultOf(twice)).toEqual({ code: 'POLICY_DUPLICATE', line: 2 });
  });

  it('refuses keys of the wrong use and keys that do not parse', async () => {
    expect(await faultOf(`log ${witnesses[0]}`)).toEqual({ code: 'POLICY_KEY', line: 1 });
    expect(await faultOf(`witness W ${log}`)).toEqual({ code: 'POLICY_KEY', line: 1 });
    expect(await faultOf('log nokey')).toEqual({ code: 'POLICY_KEY', line: 1 });
    expect(await faultOf('witness W nokey')).toEqual({ code: 'POLICY_KEY', line: 1 });
  });

  it('refuses names that are taken, unknown or counted twice', async () => {
    const base = `witness A ${witnesses[0]}\nwitness B ${witnesses[1]}\n`;
    const cases: [string, PolicyFault['code']][] = [
      [`witness A ${witnesses[2]}`, 'POLICY_NAME'],
      [`witness none ${witnesses[2]}`, 'POLICY_NAME'],
      ['group A any B', 'POLICY_NAME'],
      ['group none any B', 'POLICY_NAME'],
      ['group G any C', 'POLICY_NAME'],
      ['group G any none', 'POLICY_NAME'],
      ['group G any G', 'POLICY_NAME'],
      ['group G any A A', 'POLICY_DUPLICATE'],
    ];
    for (const [line, code] of cases) {
      expect(await faultOf(base + line), line).toEqual({ code, line: 3 });
    }
    const reused = `${base}group G any A\ngroup H any A B`;
    expect(await faultOf(reused)).toEqual({ code: 'POLICY_DUPLICATE', line: 4 });
  });

  it('refuses thresholds outside 1 to n and other spellings', async () => {
    const base = `witness A ${witnesses[0]}\nwitness B ${witnesses[1]}\n`;
    for (const k of ['0', '3', '-1', '01', '1.0', 'ALL', 'most', '99999']) {
      const text = `${base}group G ${k} A B`;
      expect(await faultOf(text), k).toEqual({ code: 'POLICY_THRESHOLD', line: 3 });
    }
    expect((await read(`${base}group G 1 A B\nquorum G`)).groups.get('G')?.threshold).toBe(1);
  });

  it('refuses unknown lines, missing and surplus items, and control characters', async () => {
    for (const line of [
      'trust me',
      'log',
      `log ${log} https://a/ b`,
      'witness W',
      `witness W ${witnesses[0]} https://a/ b`,
      'group G any',
      'group G',
      'group',
      'Quorum none',
    ]) {
      expect(await faultOf(line), line).toEqual({ code: 'POLICY_LINE', line: 1 });
    }
    for (const text of ['quorum none\r\n', 'quorum\u000bnone', 'quorum none\u007f', '# \u0000']) {
      expect(await faultOf(text)).toEqual({ code: 'POLICY_CHARACTER', line: 1 });
    }
    expect(await faultOf('# é\u0080\nquorum none')).toBeUndefined();
  });
});
