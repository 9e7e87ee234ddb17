import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { verifies } from './requirements/verifies.ts';
import { repositoryRoot } from './source-files.ts';

describe('print-totals', () => {
  const folder = mkdtempSync(join(tmpdir(), 'totals-'));
  const path = join(folder, 'report.json');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function printTotals(
    report: object | string,
    checks: '0' | '1' = '0',
  ): readonly [string, number] {
    writeFileSync(path, typeof report === 'string' ? report : JSON.stringify(report));
    const script = join(repositoryRoot, 'scripts/print-totals.ts');
    const run = spawnSync(process.execPath, [script, path, checks], { encoding: 'utf8' });
    return [run.stdout, run.status ?? -1];
  }
  const green = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 2, numTodoTests: 1 };
  const brokenFile = { status: 'failed', assertionResults: [{ status: 'pending' }] };
  const failedFile = { status: 'failed', assertionResults: [{ status: 'failed' }] };

  verifies('STY-06', 'succeeds when everything passed, and counts what was skipped', () => {
    expect(printTotals(green)).toEqual(['5 passed, 0 failed, 3 skipped\n', 0]);
  });

  verifies('STY-06', 'counts a failed test once', () => {
    const report = { ...green, numFailedTests: 1, testResults: [failedFile] };
    expect(printTotals(report)).toEqual(['5 passed, 1 failed, 3 skipped\n', 1]);
  });

  verifies('STY-06', 'counts a file that did not load', () => {
    const report = { ...green, testResults: [brokenFile] };
    expect(printTotals(report)).toEqual(['5 passed, 1 failed, 3 skipped\n', 1]);
  });

  verifies('STY-06', 'counts a failed check', () => {
    expect(printTotals(green, '1')).toEqual(['5 passed, 1 failed, 3 skipped\n', 1]);
  });

  verifies('STY-06', 'counts a missing report and a run without tests', () => {
    expect(printTotals('')).toEqual(['0 passed, 1 failed, 0 skipped\n', 1]);
    expect(printTotals({})).toEqual(['0 passed, 1 failed, 0 skipped\n', 1]);
  });
});
