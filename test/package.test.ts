// What a user gets: the packed tarball, installed from npm's cache into a folder of its own.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { verifies } from './requirements/verifies.ts';
import { repositoryFiles, repositoryRoot } from './source-files.ts';

interface LockedPackage {
  readonly version?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Record<string, string>;
  readonly bin: Record<string, string>;
  readonly exports: Record<string, string>;
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const manifest = readJson(join(repositoryRoot, 'package.json')) as Manifest;

/** A consumer whose lockfile holds our tarball and the run-time part of our own lockfile. */
function writeConsumer(folder: string, tarball: string): void {
  const { packages } = readJson(join(repositoryRoot, 'package-lock.json')) as {
    packages: Record<string, LockedPackage>;
  };
  const runtime = Object.entries(packages).filter(
    ([path, locked]) => path !== '' && !locked.dev && !locked.devOptional,
  );
  const { name, version, bin } = manifest;
  const dependencies = { [name]: `file:${tarball}` };
  const packed = { version, resolved: `file:${tarball}`, dependencies: manifest.dependencies, bin };
  const consumer = { name: 'consumer', private: true, type: 'module', dependencies };
  const lock = {
    name: 'consumer',
    lockfileVersion: 3,
    packages: { '': consumer, [`node_modules/${name}`]: packed, ...Object.fromEntries(runtime) },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(consumer));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
}

function npm(cwd: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('npm', [...args, '--loglevel=error'], {
    cwd,
    encoding: 'utf8',
  });
  if (status === 0) return stdout;
  const hint = stderr.includes('ENOTCACHED') ? 'run `npm ci` to fill the cache of npm\n' : '';
  throw new Error(`npm ${args.join(' ')} failed\n${hint}${stderr}`);
}

describe('the packed tarball', () => {
  const folder = mkdtempSync(join(tmpdir(), 'package-'));
  const installed = join(folder, 'node_modules', manifest.name);
  let packed: readonly string[] = [];

  beforeAll(() => {
    if (!existsSync(join(repositoryRoot, 'dist'))) throw new Error('no dist: run `npm run build`');
    const output = npm(repositoryRoot, 'pack', '--json', '--pack-destination', folder);
    const [pack] = JSON.parse(output) as [{ filename: string; files: { path: string }[] }];
    packed = pack.files.map(({ path }) => path);
    writeConsumer(folder, pack.filename);
    npm(folder, 'ci', '--offline');
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const run = (program: string, ...args: readonly string[]): string =>
    execFileSync(program, args, { cwd: folder, encoding: 'utf8' });

  verifies('STY-04', 'holds the build, its assets and the vectors, and no test or map', () => {
    const assets = repositoryFiles('src')
      .filter((path) => /\.(?:sql|cedar|cedarschema|html|css)$/.test(path))
      .map((path) => path.replace(/^src\//, 'dist/'));
    const expected = [
      'LICENSE',
      'README.md',
      'package.json',
      ...assets,
      ...repositoryFiles('test/vectors'),
    ];
    expect(expected.filter((path) => !packed.includes(path))).toEqual([]);
    expect(packed.filter((path) => /\.test\.|\.map$|^src\//.test(path))).toEqual([]);
  });

  verifies('STY-04', 'runs no install script, its own or a dependency’s', () => {
    const { packages } = readJson(join(folder, 'node_modules/.package-lock.json')) as {
      packages: Record<string, { hasInstallScript?: boolean }>;
    };
    const names = Object.keys(packages);
    expect(names).toContain(`node_modules/${manifest.name}`);
    expect(names.filter((name) => packages[name]?.hasInstallScript)).toEqual([]);
  });

  const subpaths = Object.keys(manifest.exports).filter((subpath) => !subpath.endsWith('.json'));
  verifies('STY-04', 'lets each subpath be imported', { timeout: 30_000 }, () => {
    expect(subpaths.length).toBeGreaterThan(0);
    for (const subpath of subpaths) {
      const specifier = manifest.name + subpath.slice(1);
      const script = `console.log(Object.keys(await import('${specifier}')).length)`;
      const names = run(process.execPath, '--input-type=module', '--eval', script);
      expect(Number(names), specifier).toBeGreaterThan(0);
    }
  });

  verifies('STY-04', 'refuses a path that is not an export', () => {
    const script = `await import('${manifest.name}/dist/index.js')`;
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', script],
      { cwd: folder, encoding: 'utf8' },
    );
    expect(status).not.toBe(0);
    expect(stderr).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });

  for (const bin of Object.keys(manifest.bin)) {
    verifies('STY-04', `runs ${bin}`, { timeout: 30_000 }, () => {
      expect(run(join(folder, 'node_modules/.bin', bin), '--help')).toContain(bin);
    });
  }

  verifies('STY-05', 'has a verifier that bundles for a browser', { timeout: 60_000 }, async () => {
    const { modules, code } = await bundleForBrowser(
      join(installed, manifest.exports['./verify'] ?? ''),
    );
    expect(modules.filter((id) => id.includes('__vite-browser-external'))).toEqual([]);
    expect(modules.filter((id) => /pkijs|asn1js/.test(id))).toEqual([]);
    expect(modules.length).toBeGreaterThan(0);
    expect(code).not.toMatch(/\bnode:|\bfrom\s*["'][^./]|\brequire\(/);
    const bundled = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as object;
    const script = `console.log(Object.keys(await import('${manifest.name}/verify')).sort().join())`;
    const names = run(process.execPath, '--input-type=module', '--eval', script).trim();
    expect(Object.keys(bundled).sort().join()).toBe(names);
  });
});

async function bundleForBrowser(
  entry: string,
): Promise<{ modules: readonly string[]; code: string }> {
  const result = (await build({
    configFile: false,
    envFile: false,
    logLevel: 'silent',
    root: join(entry, '..'),
    build: { write: false, minify: false, lib: { entry, formats: ['es'] } },
  })) as Rolldown.RolldownOutput[];
  const chunks = result.flatMap(({ output }) => output).filter((each) => each.type === 'chunk');
  return {
    modules: chunks.flatMap(({ moduleIds }) => moduleIds),
    code: chunks.map(({ code }) => code).join('\n'),
  };
}
