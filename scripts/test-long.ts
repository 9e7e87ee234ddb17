// `npm run test:long`: what takes too long for every change. Real time limits, many kills, and the
// unit tests and both bins on the oldest Node that package.json allows, from a temp folder.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs one step, tells how it ended, and returns whether it succeeded. */
function step(name: string, command: readonly [string, ...string[]], cwd: string = root): boolean {
  const [program, ...args] = command;
  const { status, error } = spawnSync(program, args, { cwd, stdio: 'inherit' });
  if (error) console.error(`cannot run \`${program}\`: ${error.message}`);
  console.log(`${status === 0 ? 'passed' : 'FAILED'}: ${name}`);
  return status === 0;
}

function floorVersion(): string {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    engines: { node: string };
  };
  return `${engines.node.replace('>=', '')}.0`;
}

function testFloor(folder: string): boolean {
  const version = floorVersion();
  writeFileSync(join(folder, 'package.json'), '{"private":true,"allowScripts":{"node":true}}');
  const install = ['npm', 'install', '--loglevel=error', '--no-save', `node@${version}`] as const;
  if (!step(`install Node ${version}`, install, folder)) return false;
  const node = join(folder, 'node_modules/node/bin/node');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  return [
    step(`unit tests on Node ${version}`, [node, vitest, 'run', '--project', 'unit']),
    step('intentplane --help', [node, join(root, 'dist/cli/main.js'), '--help']),
    step('intentplane-mcp --help', [node, join(root, 'dist/cli/mcp.js'), '--help']),
  ].every(Boolean);
}

const folder = mkdtempSync(join(tmpdir(), 'floor-'));
try {
  const built = step('build', ['npm', 'run', 'build', '--silent']);
  // Tests that wait for real time limits, and the long form of what is broken on purpose.
  process.env['INTENTPLANE_LONG'] = '1';
  const passed =
    built &&
    [
      step('tests of real time limits', ['vitest', 'run', 'test/e2e/bad-input/clients.test.ts']),
      step('300 kills', ['node', join(root, 'scripts/chaos.ts'), 'kill', '--short']),
      testFloor(folder),
    ].every(Boolean);
  process.exitCode = passed ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
