import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ICruiseResult } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cruiseSource,
  drawArchitecture,
  readDrawnBlock,
  ruleFile,
} from '../scripts/draw-architecture.ts';
import { verifies } from './requirements/verifies.ts';
import { readRepositoryFile, repositoryRoot, sourceFiles } from './source-files.ts';

const corePackages = 'core: listed packages, no Node module';
const onlyCompose = 'only compose.ts picks adapters';
const noTestCode = 'no test code in shipped code';

/** importing file, imported module, the rule that must report it. */
const breaches: readonly (readonly [from: string, to: string, rule: string])[] = [
  ['core/checks/a.ts', '../../stores/store.ts', 'import table: core'],
  ['core/b.ts', 'node:fs', corePackages],
  ['core/c.ts', 'hono', corePackages],
  ['core/d.ts', 'node:crypto', corePackages],
  ['core/sha256.ts', 'node:fs', 'core: sha256.ts adds node:crypto only'],
  ['gateway/e.ts', './missing.ts', 'no unresolved imports'],
  ['config/a.ts', '../gateway/gateway.ts', 'import table: config'],
  ['stores/a.ts', './memory/memory-store.ts', 'import table: contracts'],
  ['approvals/channel.ts', '../receipts/leaf.ts', 'import table: contracts'],
  ['stores/memory/a.ts', '../sqlite/sqlite-store.ts', 'import table: adapters'],
  ['connectors/files/a.ts', '../../gateway/gateway.ts', 'import table: adapters'],
  ['approvals/channels/page/a.ts', '../../request-approval.ts', 'import table: adapters'],
  ['receipts/a.ts', '../mandates/issue-mandate.ts', 'import table: receipts'],
  ['mandates/a.ts', '../approvals/request-approval.ts', 'import table: mandates, approvals'],
  ['approvals/a.ts', '../mandates/issue-mandate.ts', 'import table: mandates, approvals'],
  ['approvals/b.ts', './channels/page/page.ts', onlyCompose],
  ['gateway/a.ts', '../proxy/router.ts', 'import table: gateway'],
  ['gateway/b.ts', '../stores/memory/memory-store.ts', 'import table: gateway'],
  ['proxy/a.ts', '../http/app.ts', 'import table: proxy, http'],
  ['http/a.ts', '../proxy/router.ts', 'import table: proxy, http'],
  ['http/b.ts', '../stores/sqlite/sqlite-store.ts', 'import table: proxy, http'],
  ['server/start.ts', '../stores/memory/memory-store.ts', onlyCompose],
  ['server/a.ts', '../cli/output.ts', 'import table: server'],
  ['cli/a.ts', '../proxy/router.ts', 'import table: cli'],
  ['cli/b.ts', '../stores/sqlite/sqlite-store.ts', 'import table: cli'],
  ['testing/a.ts', '../stores/sqlite/sqlite-store.ts', 'import table: testing'],
  ['gateway/c.ts', './gateway.test.ts', noTestCode],
  ['gateway/d.ts', '../../test/fixture.ts', noTestCode],
  ['receipts/b.ts', './c.ts', 'no cycles'],
];

/** importing file, imported module: every kind of import that the table allows. */
const allowed: readonly (readonly [string, string])[] = [
  ['core/decide.ts', 'zod'],
  ['core/decide.ts', './sha256.ts'],
  ['core/sha256.ts', 'node:crypto'],
  ['core/decide.test.ts', 'node:fs'],
  ['core/decide.test.ts', '../../test/fixture.ts'],
  ['config/load.ts', '../core/decide.ts'],
  ['stores/store.ts', '../connectors/connector.ts'],
  ['stores/memory/memory-store.ts', '../store.ts'],
  ['stores/sqlite/sqlite-store.ts', 'node:fs'],
  ['receipts/leaf.ts', '../stores/store.ts'],
  ['mandates/issue-mandate.ts', '../receipts/leaf.ts'],
  ['approvals/request-approval.ts', './channel.ts'],
  ['approvals/channels/page/page.ts', '../../channel.ts'],
  ['gateway/gateway.ts', '../approvals/request-approval.ts'],
  ['gateway/gateway.test.ts', '../stores/memory/memory-store.ts'],
  ['proxy/router.ts', '../gateway/gateway.ts'],
  ['http/app.ts', '../config/load.ts'],
  ['server/compose.ts', '../stores/sqlite/sqlite-store.ts'],
  ['server/compose.ts', '../approvals/channels/page/page.ts'],
  ['server/compose.ts', '../proxy/router.ts'],
  ['cli/output.ts', '../server/compose.ts'],
  ['testing/builders.ts', '../stores/memory/memory-store.ts'],
  ['connectors/connector.ts', '../core/decide.ts'],
  ['receipts/c.ts', './b.ts'],
];

function writeTree(folder: string): void {
  const lines = new Map<string, string[]>([['../test/fixture.ts', []]]);
  for (const [at, [from, to]] of [...allowed, ...breaches].entries()) {
    // A type-only import counts like any other, so every second planted import is one.
    const planted = `import ${at % 2 ? 'type ' : ''}* as module${at} from '${to}';`;
    lines.set(from, [...(lines.get(from) ?? []), planted]);
  }
  for (const [file, planted] of lines) write(join(folder, 'src', file), planted.join('\n'));
  for (const name of ['zod', 'hono']) {
    write(join(folder, 'node_modules', name, 'package.json'), `{"name":"${name}","main":"a.js"}`);
    write(join(folder, 'node_modules', name, 'a.js'), 'exports.here = 1;');
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

describe('import table', () => {
  const folder = mkdtempSync(join(tmpdir(), 'boundaries-'));
  let planted: ICruiseResult;
  beforeAll(async () => {
    writeTree(folder);
    planted = await cruiseSource(folder);
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  verifies('STY-02', 'reports each planted breach by its rule, and no allowed import', () => {
    const found = planted.summary.violations.map(({ rule, from }) => `${from}: ${rule.name}`);
    const expected = breaches.map(([from, , rule]) => `src/${from}: ${rule}`);
    expect(found.sort()).toEqual(expected.sort());
  });

  verifies('STY-02', 'has a planted breach for every rule', () => {
    const planned = new Set(breaches.map(([, , rule]) => rule));
    expect(ruleFile.forbidden.map(({ name }) => name).filter((name) => !planned.has(name))).toEqual(
      [],
    );
  });

  it('reads every shipped file, so silence means that the rules hold', async () => {
    const modules = new Set(
      (await cruiseSource(repositoryRoot)).modules.map(({ source }) => source),
    );
    const shipped = sourceFiles('src');
    expect(shipped.length).toBeGreaterThan(0);
    expect(shipped.filter((file) => !modules.has(file))).toEqual([]);
  }, 60_000);

  it('is what the diagram of ARCHITECTURE.md shows', async () => {
    const drawn = readDrawnBlock(readRepositoryFile('ARCHITECTURE.md'));
    expect(drawn, 'run `npm run architecture`').toBe(await drawArchitecture());
  }, 60_000);
});
