// `npm run demo`: builds when dist is missing or older than src, then runs the demo from dist.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const main = join(root, 'dist/cli/main.js');

function changedAtMs(path: string): number {
  return statSync(join(root, path)).mtimeMs;
}

function isBuilt(): boolean {
  if (!existsSync(main)) return false;
  const inputs = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => join('src', path));
  const newestMs = Math.max(
    ...[...inputs, 'tsconfig.json', 'tsconfig.build.json'].map(changedAtMs),
  );
  return newestMs <= statSync(main).mtimeMs;
}

/** Runs a command from the root and returns its exit code; standard output may go elsewhere. */
function run(command: string, args: readonly string[], stdout: 'inherit' | number): number {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['inherit', stdout, 'inherit'],
  });
  if (error) console.error(`cannot run \`${command}\`: ${error.message}`);
  return status ?? 1;
}

// Standard output belongs to the demo alone: the build speaks on standard error.
const built = isBuilt() ? 0 : run('npm', ['run', 'build', '--silent'], 2);
process.exitCode =
  built === 0 ? run(process.execPath, [main, 'demo', ...process.argv.slice(2)], 'inherit') : built;
