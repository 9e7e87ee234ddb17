import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Config, ConfigProblem } from './config.ts';
import { loadConfig } from './load-config.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-'));
  writeFileSync(join(folder, 'policy.cedar'), 'permit(principal, action, resource);');
});
afterEach(() => rmSync(folder, { recursive: true }));

function load(log: string): Config | readonly ConfigProblem[] {
  const file = join(folder, 'intentplane.toml');
  const servers = '[[servers]]\nname = "a"\ncommand = "a"\n[policy]\nfile = "policy.cedar"\n';
  writeFileSync(file, `${servers}${log}`, { mode: 0o600 });
  const environment = { variables: {}, platform: process.platform, home: folder };
  const loaded = loadConfig(file, { environment });
  return loaded.ok ? loaded.value : loaded.error;
}

const logOf = (log: string): unknown => (load(log) as Config).log;
const problemOf = (log: string): string =>
  (load(log) as readonly ConfigProblem[]).map(({ key, message }) => `${key}: ${message}`).join();

describe('buildReceiptLog', () => {
  it('has no witness and one signature when nothing is said', () => {
    expect(logOf('')).toEqual({
      witnesses: [],
      blockAfterMs: undefined,
      timestampUrl: undefined,
      pq: false,
    });
  });

  it('takes witnesses, a bound, a time-stamping authority and a second signature', () => {
    const file = `[log]\npq = true\ntimestamp_url = "https://tsa.example/tsr"\nwitness_block_after = "2m"\nwitnesses = [
      { name = "w", url = "https://w.example/", keys = ["k"] },
      { name = "v", url = "http://127.0.0.1:8780/sub", keys = ["k", "l"] }]`;
    expect(logOf(file)).toEqual({
      witnesses: [
        { name: 'w', url: 'https://w.example', keys: ['k'] },
        { name: 'v', url: 'http://127.0.0.1:8780/sub', keys: ['k', 'l'] },
      ],
      blockAfterMs: 120_000,
      timestampUrl: 'https://tsa.example/tsr',
      pq: true,
    });
  });

  it('refuses what could not work', () => {
    const witness = (url: string): string =>
      `[log]\nwitnesses = [{ name = "w", url = "${url}", keys = ["k"] }]`;
    for (const url of ['w', 'file:///w', 'https://a:b@w', 'https://w/?x', 'https://w/#x']) {
      expect(problemOf(witness(url)), url).toContain('log.witnesses[0].url: must be http://');
    }
    expect(problemOf('[log]\ntimestamp_url = "tsa"')).toContain('timestamp_url: must be http://');
    const twice = `${witness('https://w').slice(0, -1)}, { name = "w", url = "https://v", keys = ["l"] }]`;
    expect(problemOf(twice)).toBe('log.witnesses[1].name: `w` is named twice');
    expect(problemOf('[log]\nwitness_block_after = "5m"')).toContain('there is none');
    expect(problemOf(`${witness('https://w')}\nwitness_block_after = "119s"`)).toContain(
      'at least 2m',
    );
    expect(problemOf('[log]\ncheckpoint_every = "1s"')).toContain('not available in this version');
  });
});
