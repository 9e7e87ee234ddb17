// The documents against the program: examples load, command lines exist, pages that are made from
// tables are what their tables say.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { afterAll, describe, expect, it } from 'vitest';
import { referencePages } from '../scripts/generate-reference.ts';
import { loadCommands } from '../src/cli/commands.ts';
import { reasonCodes } from '../src/core/reason-codes.ts';
import { type Report, reportObject } from '../src/proxy/report-result.ts';
import { notProven } from '../src/receipts/not-proven.ts';
import { prepare } from '../src/server/prepare.ts';
import {
  commandLines,
  exampleFiles,
  fencedBlocks,
  headingAnchors,
  relativeLinks,
} from './markdown.ts';
import { compatRequirements } from './requirements/compat.ts';
import { codeOf, readRepositoryFile, repositoryFiles, repositoryRoot } from './source-files.ts';

const commands = new Map((await loadCommands()).map((command) => [command.name, command]));

const folder = mkdtempSync(join(tmpdir(), 'docs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const documents = repositoryFiles().filter(
  (path) =>
    /^(?:docs\/.*|[A-Z]+)\.md$/.test(path) && !path.startsWith('docs/reference/configuration'),
);
const textOf = new Map(documents.map((path) => [path, readRepositoryFile(path)]));

/** Writes the example files of a document into a folder of its own. */
function writeExample(document: string): {
  readonly at: string;
  readonly names: readonly string[];
} {
  const at = join(folder, document.replaceAll('/', '_'));
  const files = exampleFiles(textOf.get(document) ?? '');
  for (const [name, text] of files) {
    const path = join(at, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: 0o600 });
  }
  return { at, names: [...files.keys()] };
}

describe('examples', () => {
  const withToml = documents.filter((path) =>
    [...exampleFiles(textOf.get(path) ?? '').keys()].some((name) => name.endsWith('.toml')),
  );

  it('are in the first pages and in each guide that needs a configuration', () => {
    expect(withToml).toEqual([
      'README.md',
      'docs/guides/approvals.md',
      'docs/guides/guard-a-server.md',
      'docs/guides/migrate-from-0.5.md',
      'docs/start.md',
    ]);
  });

  it.each(withToml)('of %s load with policy and registries', (document) => {
    const { at, names } = writeExample(document);
    for (const name of names.filter((each) => each.endsWith('.toml'))) {
      const { config, parts } = prepare(join(at, name));
      expect(config.contracts.length).toBeGreaterThan(0);
      expect(parts.policy.policySetSha256).toMatch(/^[0-9a-f]{64}$/);
      expect([...parts.registries.values()].every((registry) => registry.ready)).toBe(true);
    }
  });

  it('name the language of every block', () => {
    const known = new Set(['toml', 'cedar', 'json', 'csv', 'sh', 'text', 'ts', 'mermaid']);
    const unknown = documents.flatMap((path) =>
      fencedBlocks(textOf.get(path) ?? '')
        .filter(({ language }) => !known.has(language))
        .map(({ line, language }) => `${path}:${line} ${language}`),
    );
    expect(unknown).toEqual([]);
  });

  it('leave no configuration or policy unloaded', () => {
    const loose = documents.flatMap((path) =>
      fencedBlocks(textOf.get(path) ?? '')
        .filter(({ language, mark }) => /^(?:toml|cedar|csv|ts)$/.test(language) && !mark)
        .map(({ line, language }) => `${path}:${line} ${language}`),
    );
    expect(loose, 'put `<!-- file: name -->` above it').toEqual([]);
  });

  it('in JSON are JSON', () => {
    for (const [path, text] of textOf) {
      for (const block of fencedBlocks(text).filter(({ language }) => language === 'json')) {
        expect(() => JSON.parse(block.text) as unknown, `${path}:${block.line}`).not.toThrow();
      }
    }
  });

  it('in TypeScript compile', () => {
    const sources = new Map<string, string>();
    for (const [path, text] of textOf) {
      for (const block of fencedBlocks(text).filter(({ language }) => language === 'ts')) {
        const name = `${repositoryRoot}/${path.replaceAll('/', '_')}-${block.line}.ts`;
        sources.set(name, block.text);
      }
    }
    expect(sources.size).toBeGreaterThan(0);
    expect(diagnosticsOf(sources)).toEqual([]);
  }, 60_000);

  it('in TypeScript verify a receipt', () => {
    const source = exampleFiles(textOf.get('docs/guides/receipts-for-an-auditor.md') ?? '').get(
      'check.ts',
    );
    const verifier = pathToFileURL(join(repositoryRoot, 'src/receipts/verify.ts')).href;
    const vector = JSON.parse(readRepositoryFile(firstValidVector())) as {
      readonly bundle: string;
      readonly trust: string;
    };
    const paths = ['check.ts', 'bundle.json', 'trust.txt'].map((name) => join(folder, name));
    const [script = '', bundle = '', trust = ''] = paths;
    writeFileSync(script, (source ?? '').replace("'intentplane/verify'", `'${verifier}'`));
    writeFileSync(bundle, vector.bundle);
    writeFileSync(trust, vector.trust);
    const { stdout, stderr } = spawnSync(process.execPath, paths, { encoding: 'utf8' });
    expect(stdout.trim(), stderr).toBe('valid');
  }, 30_000);
});

function firstValidVector(): string {
  const path = repositoryFiles('test/vectors/receipts').find((name) => /\/valid-/.test(name));
  if (path === undefined) throw new Error('there is no valid vector');
  return path;
}

/** Type errors of texts that are compiled as if they were files of the repository. */
function diagnosticsOf(sources: ReadonlyMap<string, string>): readonly string[] {
  const { config } = ts.readConfigFile(join(repositoryRoot, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, repositoryRoot);
  const compilerOptions: ts.CompilerOptions = {
    ...options,
    noUnusedLocals: false,
    paths: { 'intentplane/verify': [`${repositoryRoot}/src/receipts/verify.ts`] },
  };
  const host = ts.createCompilerHost(compilerOptions);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (path) => sources.has(path) || fileExists(path);
  host.readFile = (path) => sources.get(path) ?? readFile(path);
  host.getSourceFile = (path, language, onError) => {
    const text = sources.get(path);
    if (text === undefined) return getSourceFile(path, language, onError);
    return ts.createSourceFile(path, text, language, true);
  };
  const program = ts.createProgram([...sources.keys()], compilerOptions, host);
  return [...sources.keys()].flatMap((path) => {
    const file = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ messageText }) => `${path}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  });
}

describe('links', () => {
  it('lead to a file, and to a heading where they name one', () => {
    const broken = documents.flatMap((path) =>
      relativeLinks(textOf.get(path) ?? '')
        .filter((target) => !resolves(path, target))
        .map((target) => `${path} → ${target}`),
    );
    expect(broken).toEqual([]);
  });
});

function resolves(from: string, target: string): boolean {
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? from : normalize(join(dirname(from), file));
  if (!existsSync(join(repositoryRoot, path))) return false;
  if (anchor === undefined) return true;
  return headingAnchors(readFileSync(join(repositoryRoot, path), 'utf8')).has(anchor);
}

describe('command lines', () => {
  const lines = documents
    .filter((path) => path !== 'docs/reference/cli.md')
    .flatMap((path) => commandLines(textOf.get(path) ?? '').map((line) => ({ path, line })));
  const scripts = (
    JSON.parse(readRepositoryFile('package.json')) as { scripts: Record<string, string> }
  ).scripts;

  it('name commands and options that exist', () => {
    const calls = lines.flatMap(({ path, line }) =>
      programCalls(line).map((call) => ({ path, call })),
    );
    expect(calls.length).toBeGreaterThan(20);
    const wrong = calls.flatMap(({ path, call }) => {
      const fault = faultOfCall(call);
      return fault === undefined ? [] : [`${path}: \`${call.join(' ')}\`: ${fault}`];
    });
    expect(wrong).toEqual([]);
  });

  it('name npm scripts that exist', () => {
    const names = lines.flatMap(({ path, line }) =>
      [...line.matchAll(/\bnpm run (?:-s |--silent )?([a-z][\w:]*)/g)].map(([, name = '']) => ({
        path,
        name,
      })),
    );
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter(({ name }) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  it('name files of the repository that exist', () => {
    const paths = lines.flatMap(({ path, line }) =>
      [...line.matchAll(/(?:^|\s)((?:src|scripts|test)\/[\w./-]+\.ts|\.ci\/run)/g)].map(
        ([, file = '']) => ({ path, file }),
      ),
    );
    expect(paths.filter(({ file }) => !existsSync(join(repositoryRoot, file)))).toEqual([]);
  });
});

type Call = readonly [program: string, ...words: string[]];

/** Every use of one of our programs in a line; what a shell makes of the rest does not matter. */
function programCalls(line: string): readonly Call[] {
  const code = line.replace(/\s#.*$/, '');
  const pattern =
    /(?:^|[|;(]\s*|npx (?:-y )?|node )(?:dist\/cli\/)?(intentplane-mcp|intentplane|main\.js|mcp\.js)(?= |$)([^|<>;()]*)/g;
  return [...code.matchAll(pattern)].map(([, program = '', words = '']) => [
    program,
    ...words.split(/\s+/).filter((word) => word !== ''),
  ]);
}

function faultOfCall([program, ...words]: Call): string | undefined {
  const isProxy = program === 'intentplane-mcp' || program === 'mcp.js';
  if (words.length === 1 && /^--(?:help|version)$/.test(words[0] ?? '')) return undefined;
  const name = isProxy
    ? 'mcp run'
    : [words.slice(0, 2).join(' '), words[0] ?? ''].find((each) => commands.has(each));
  const command = name === undefined ? undefined : commands.get(name);
  if (command === undefined) return 'there is no such command';
  const known = new Set([...Object.keys(command.options), 'json', 'debug', 'help']);
  const option = words.find((word) => word.startsWith('--') && !known.has(word.slice(2)));
  return option === undefined ? undefined : `there is no option ${option}`;
}

describe('reference', () => {
  it.each([...referencePages.keys()])('%s is what its script writes', async (path) => {
    const page = referencePages.get(path);
    expect(readRepositoryFile(path), 'run `node scripts/generate-reference.ts`').toBe(
      await page?.(),
    );
  });

  it('explains every key that an answer has', () => {
    const page = textOf.get('docs/reference/answers.md') ?? '';
    const keys = new Set(
      sampleReports().flatMap((report) => keysOf(reportObject(report, context))),
    );
    expect(keys.size).toBeGreaterThan(15);
    expect([...keys].filter((key) => !page.includes(`\`${key}\``))).toEqual([]);
  });

  it('shows answers with keys and codes that exist', () => {
    const examples = fencedBlocks(textOf.get('docs/reference/answers.md') ?? '').filter(
      ({ mark }) => mark === 'answer',
    );
    const keys = new Set(
      sampleReports().flatMap((report) => keysOf(reportObject(report, context))),
    );
    for (const { text } of examples) {
      const answer = JSON.parse(text) as { readonly codes: readonly string[] };
      expect(keysOf(answer).filter((key) => !keys.has(key))).toEqual([]);
      expect(answer.codes.filter((code) => !Object.hasOwn(reasonCodes, code))).toEqual([]);
    }
    expect(examples.length).toBe(3);
  });

  it('explains every code of the verifier', () => {
    const page = textOf.get('docs/reference/receipt-format.md') ?? '';
    const sources = [
      'receipts/verify',
      'core/leaf-format',
      'receipts/signed-note',
      'core/operation-preimage',
    ];
    const unions = sources.map((name) => codeOf(readRepositoryFile(`src/${name}.ts`)));
    const codes = unions.flatMap(
      (text) => text.match(/(?<=["'])[A-Z]+(?:_[A-Z]+)*(?=["'])/g) ?? [],
    );
    const missing = new Set(codes.filter((code) => !page.includes(`\`${code}\``)));
    expect([...missing]).toEqual([]);
  });

  it('repeats what a receipt does not prove in the words of the program', () => {
    const page = textOf.get('docs/concepts/receipts.md') ?? '';
    expect(notProven.filter((line) => !page.includes(`- ${line}\n`))).toEqual([]);
  });

  it('has a line in the migration guide for every difference', () => {
    const guide = textOf.get('docs/guides/migrate-from-0.5.md') ?? '';
    const ids = compatRequirements.map(({ id }) => id).filter((id) => id !== 'C00');
    expect(ids.filter((id) => !new RegExp(`\\b${id}\\b`).test(guide))).toEqual([]);
  });

  it('numbers the decisions without a gap, a page each', () => {
    const records = documents.filter((path) => path.startsWith('docs/decisions/'));
    expect(records.map((path) => path.slice('docs/decisions/'.length, -3).slice(0, 5))).toEqual(
      records.map((_path, at) => `${String(at + 1).padStart(4, '0')}-`),
    );
    for (const path of records) {
      const text = textOf.get(path) ?? '';
      expect(text.split('\n').length, path).toBeLessThanOrEqual(60);
      expect(text, path).toMatch(/^\*\*Decided\.\*\*/m);
      expect(text, path).toMatch(/^\*\*Why\.\*\*/m);
      expect(text, path).toMatch(/^\*\*Price\.\*\*/m);
    }
  });

  it('leads from the index to every document', () => {
    const index = relativeLinks(textOf.get('docs/README.md') ?? '').map((target) =>
      normalize(join('docs', target)),
    );
    const pages = documents.filter((path) => path.startsWith('docs/') && path !== 'docs/README.md');
    expect(pages.filter((path) => !index.includes(path))).toEqual([]);
  });
});

const context = { hasOutputSchema: false, hasOwnTools: true };

/** One report of each status, with everything that a report can hold. */
function sampleReports(): readonly Report[] {
  const approval = {
    approvalId: '0'.repeat(32),
    opHash: '0'.repeat(64),
    level: 1,
    url: 'http://localhost:8765/a/0',
    expiresMs: 0,
    sentence: 'pay',
    summary: 'pay',
    rest: undefined,
    reasons: [],
    values: [],
    how: 'both',
  } as const;
  const report: Report = {
    decisionId: '0'.repeat(32),
    opId: '1'.repeat(32),
    status: 'denied',
    stage: 'provenance',
    codes: ['PROVENANCE_UNTRUSTED'],
    failures: [
      { code: 'PROVENANCE_UNTRUSTED', path: 'to[0]', expected: 'x', triedSources: ['registry:a'] },
    ],
    next: ['use_trusted_value', 'fix_argument', 'wait'],
    approval: undefined,
    unknownSinceMs: undefined,
    waitSeconds: undefined,
    reason: undefined,
  };
  return [
    report,
    { ...report, status: 'pending', next: ['open_link', 'repeat_same_call'], approval },
    { ...report, status: 'failed' },
    {
      ...report,
      status: 'unknown',
      unknownSinceMs: 0,
      next: ['do_not_repeat', 'stop', 'ask_owner'],
    },
  ];
}

function keysOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...keysOf(member)]);
}
