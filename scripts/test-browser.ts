// `npm run test:browser [-- --json]`: the page in a real browser with a virtual authenticator.
// With `--json` the only line on stdout is one object, whose `ok` says whether everything held.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

interface VitestReport {
  readonly numTotalTests: number;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { json: { type: 'boolean' } } });
const browser = '/usr/bin/chromium';
const startedMs = performance.now();

/** Without a browser nothing was tested, which is no success. */
function run(): Readonly<Record<string, unknown>> & { readonly ok: boolean } {
  if (!existsSync(browser)) {
    return { ok: false, problems: [`${browser} is missing: apt-get install chromium`] };
  }
  const folder = join(root, 'test-results');
  mkdirSync(folder, { recursive: true });
  const reportFile = join(folder, 'browser.json');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const { status } = spawnSync(
    process.execPath,
    [vitest, 'run', '--project', 'browser', ...reporters],
    { cwd: root, stdio: ['ignore', values.json === true ? 2 : 'inherit', 'inherit'] },
  );
  const report = JSON.parse(readFileSync(reportFile, 'utf8')) as VitestReport;
  const problems = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter((test) => test.status === 'failed')
    .map(({ fullName }) => fullName);
  const { numTotalTests: tests, numPassedTests: passed, numFailedTests: failed } = report;
  return { ok: status === 0 && passed > 0, tests, passed, failed, problems };
}

const result = run();
const durationS = Math.round((performance.now() - startedMs) / 100) / 10;
if (values.json === true) console.log(JSON.stringify({ ...result, durationS }));
else console.log(result.ok ? 'everything holds' : 'NOT everything holds');
process.exitCode = result.ok ? 0 : 1;
