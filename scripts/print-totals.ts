// Usage: print-totals.ts REPORT CHECKS: reads Vitest's JSON report and prints the closing line of
// .ci/run. A failed check, a missing report, a file that did not load and a run without tests each
// count as a failure.
import { readFileSync } from 'node:fs';

interface FileResult {
  readonly status?: string;
  readonly assertionResults?: readonly unknown[];
}
interface Report {
  readonly numPassedTests?: number;
  readonly numFailedTests?: number;
  readonly numPendingTests?: number;
  readonly numTodoTests?: number;
  readonly testResults?: readonly FileResult[];
}

function readReport(path: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report;
  } catch (error) {
    console.error(
      `no test report in \`${path}\`: ${error instanceof Error ? error.message : error}`,
    );
    return undefined;
  }
}

/** Files that failed without a failed test in them: they did not load, or their set-up threw. */
function countBrokenFiles(report: Report): number {
  const files = report.testResults ?? [];
  return files.filter((file) => file.status === 'failed' && !hasFailedTest(file)).length;
}

function hasFailedTest(file: FileResult): boolean {
  const tests = (file.assertionResults ?? []) as readonly { readonly status?: string }[];
  return tests.some((test) => test.status === 'failed');
}

const [reportPath = '', checksFailed = '0'] = process.argv.slice(2);
const report = readReport(reportPath);
const passed = report?.numPassedTests ?? 0;
const skipped = (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0);
let failed = report?.numFailedTests ?? 0;
if (report === undefined) failed += 1;
else {
  failed += countBrokenFiles(report);
  if (passed + failed === 0) failed += 1;
}
if (checksFailed !== '0') failed += 1;

console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed === 0 ? 0 : 1;
