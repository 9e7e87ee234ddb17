// The demo as a newcomer runs it, and its promise that it fails when the product does.
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { runDemo } from '../../src/cli/demo/run-demo.ts';
import { type RunResult, runMain, runProgram } from '../fixtures/product/world.ts';
import { mainPath } from '../fixtures/product/world-files.ts';
import { verifies } from '../requirements/verifies.ts';

/** Outcome and code of each row, in order: the story of the one fraudulent mail. */
const story: readonly (readonly [outcome: string, code: string | null, effects: number])[] = [
  ['refused', 'PROVENANCE_UNTRUSTED', 0],
  ['refused, whatever a person says', 'POLICY_FORBIDDEN', 0],
  ['executed with the spelling on file', null, 1],
  ['waited for the person; the demo approved the form; executed', null, 1],
  ['10 executed, then refused: the session budget is used up', 'BUDGET_AMOUNT', 10],
  ['refused', 'PROVENANCE_UNTRUSTED', 0],
  ['executed', null, 1],
];

interface Row {
  readonly call: string;
  readonly outcome: string;
  readonly code: string | null;
  readonly effects: number;
}

describe('intentplane demo', () => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-test-'));
  // Everything that the demo leaves in its temporary folder would be left here.
  const env = { TMPDIR: folder };
  let json: RunResult;
  let table: RunResult;

  beforeAll(async () => {
    json = await runMain(['demo', '--json'], { env });
    table = await runMain(['demo'], { env });
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  verifies('DEM-01', 'prints one JSON object with every row, and exits 0', () => {
    expect(json.code).toBe(0);
    expect(json.stdout.trim().split('\n')).toHaveLength(1);
    expect(json.json.ok).toBe(true);
    const rows = json.json.rows as readonly Row[];
    expect(rows.map((row) => [row.outcome, row.code, row.effects])).toEqual(story);
    for (const row of rows) expect(row.call).not.toBe('');
  });

  verifies('DEM-02', 'verifies every receipt offline and detects one flipped byte', () => {
    const { size, verified, tamper_detected: isDetected } = json.json.receipts;
    expect(size).toBeGreaterThan(50);
    expect(verified).toBe(size);
    expect(isDetected).toBe(true);
  });

  verifies('DEM-03', 'tells the story as a table, and that it answered the form itself', () => {
    expect(table.code).toBe(0);
    for (const [outcome, code] of story) {
      expect(table.stdout).toContain(outcome);
      if (code !== null) expect(table.stdout).toContain(code);
    }
    expect(table.stdout).toContain('the demo approved the form');
    expect(table.stdout).toContain('typed as "de89 3704 0044 0532 0130 00"');
    expect(table.stdout).toContain('intentplane_list_trusted');
    expect(table.stdout).toMatch(/receipts: \d+ of \d+ verified offline/);
    expect(table.stdout).not.toContain('✗');
  });

  verifies('DEM-05', 'leaves nothing behind', () => {
    expect(readdirSync(folder)).toEqual([]);
    for (const { stderr } of [json, table]) expect(stderr).not.toMatch(/error|at .*:\d+:\d+/i);
  });

  verifies('DEM-04', 'exits 1 when an outcome is another one', { timeout: 60_000 }, async () => {
    const copy = copyOfProduct(folder);
    const policy = join(copy, 'dist/cli/demo/files/policy.cedar');
    const text = readFileSync(policy, 'utf8');
    expect(text).toContain('> 1000000');
    writeFileSync(policy, text.replace('> 1000000', '> 9000000'));
    const args = [join(copy, 'dist/cli/main.js'), 'demo', '--json'];
    const { code, json: report } = await runProgram(process.execPath, args, { env });
    expect(code).toBe(1);
    expect(report.ok).toBe(false);
    const rows = report.rows as readonly (Row & { readonly ok: boolean })[];
    const missed = rows.filter(({ ok }) => !ok).map(({ call }) => call);
    expect(missed).toContain('pay 12,000.00 to a vendor on file');
  });

  verifies('DEM-04', 'exits at once when the proxy cannot start', { timeout: 30_000 }, async () => {
    const copy = copyOfProduct(folder);
    writeFileSync(join(copy, 'dist/cli/demo/files/policy.cedar'), 'permit (');
    const args = [join(copy, 'dist/cli/main.js'), 'demo', '--json'];
    const startMs = performance.now();
    const failed = await runProgram(process.execPath, args, { env });
    expect(performance.now() - startMs).toBeLessThan(20_000);
    expect(failed).toMatchObject({ code: 1, json: { ok: false } });
    expect(failed.stderr).toContain('policy.cedar:1');
    expect(readdirSync(folder).filter((name) => name.startsWith('intentplane-demo'))).toEqual([]);
  });
});

describe('runDemo', () => {
  verifies(
    'DEM-01',
    'reports the same story to a caller in the process',
    { timeout: 60_000 },
    async () => {
      const report = await runDemo({ main: mainPath, environment: process.env });
      expect(report.rows.map((row) => [row.outcome, row.code, row.effects])).toEqual(story);
      expect(report).toMatchObject({ ok: true, receipts: { tamper_detected: true } });
    },
  );
});

/** The built product once more, so that a file of it can be changed. */
function copyOfProduct(folder: string): string {
  const root = dirname(dirname(dirname(mainPath)));
  const copy = mkdtempSync(join(folder, 'copy-'));
  cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true });
  cpSync(join(root, 'package.json'), join(copy, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}
