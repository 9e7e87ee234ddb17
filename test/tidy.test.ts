import { existsSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect } from 'vitest';
import { reasonCodes } from '../src/core/reason-codes.ts';
import { verifies } from './requirements/verifies.ts';
import {
  codeOf,
  readRepositoryFile,
  repositoryFiles,
  repositoryRoot,
  sourceFiles,
} from './source-files.ts';

const fileMaxBytes = 256 * 1024;
const isFixture = (path: string): boolean => /^test\/(?:fixtures|vectors)\//.test(path);
const isReviewed = (path: string): boolean => !isFixture(path) && path !== 'package-lock.json';
const isText = (path: string): boolean =>
  /\.(?:[cm]?[jt]sx?|md|sql|cedar|toml|ya?ml|html|css|sh|py)$/.test(path);
const markdown = repositoryFiles().filter((path) => path.endsWith('.md') && !isFixture(path));
const written = repositoryFiles().filter((path) => isText(path) && !isFixture(path));

/** Places where `pattern` stands in the code of the files, comments left out. */
function findInCode(files: readonly string[], pattern: RegExp): readonly string[] {
  return find(files, pattern, (path) => codeOf(readRepositoryFile(path)));
}

function find(
  files: readonly string[],
  pattern: RegExp,
  read: (path: string) => string = readRepositoryFile,
): readonly string[] {
  return files.flatMap((path) =>
    read(path)
      .split('\n')
      .flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
  );
}

function foldersOf(path: string): readonly string[] {
  const below = repositoryFiles(path).map((file) => file.slice(path.length + 1).split('/'));
  return [
    ...new Set(below.flatMap(([first, ...rest]) => (first && rest.length > 0 ? [first] : []))),
  ];
}

describe('code', () => {
  const core = sourceFiles('src/core').filter((path) => path !== 'src/core/sha256.ts');

  verifies('STY-03', 'core is pure', () => {
    expect(core.length).toBeGreaterThan(0);
    const at = (pattern: RegExp): readonly string[] => findInCode(core, pattern);
    expect(at(/\bDate\.now\b|\bnew Date\(\)/), 'take `nowMs` from the facts').toEqual([]);
    expect(at(/\bMath\.random\b/), 'take ids and nonces as parameters').toEqual([]);
    expect(at(/\bawait\b|\basync\b/), 'core is synchronous: gather facts in src/gateway').toEqual(
      [],
    );
    expect(at(/\bfrom 'node:|\brequire\(|\bimport\('/), 'only sha256.ts uses Node').toEqual([]);
  });

  verifies('STY-03', 'only config reads the environment', () => {
    const files = sourceFiles('src').filter((path) => !path.startsWith('src/config/'));
    const found = findInCode(
      files,
      /\bprocess(?:\.|\?\.)env\b|\bprocess\['env'\]|\benv\b.*'node:process'/,
    );
    expect(found, 'pass the value in from src/config').toEqual([]);
  });

  verifies('STY-03', 'no test replaces a module', () => {
    const found = findInCode(
      written.filter((path) => path.endsWith('.ts')),
      /\bvi\s*\.\s*(?:mock|doMock)\b/,
    );
    expect(found, 'use a fake that passes the conformance suite').toEqual([]);
  });

  verifies('STY-03', 'files are named for what they hold', () => {
    const misnamed = sourceFiles('src').filter((path) =>
      /\/(?:utils?|helpers?|common|shared|misc|ports|adapters)(?:\/|\.ts$)|\/types\.ts$|.\/index\.ts$/.test(
        path.replace('src/index.ts', ''),
      ),
    );
    expect(misnamed, 'name the file after its main export, the folder by the noun').toEqual([]);
  });

  verifies('STY-03', 'a reminder names its issue, and nothing is left to fix', () => {
    const files = written.filter((path) => path !== 'test/tidy.test.ts');
    expect(find(files, /\bTODO\b(?!.*#\d)/), 'write TODO(#12)').toEqual([]);
    expect(find(files, /\bFIXME\b/), 'fix it before it lands').toEqual([]);
  });
});

describe('codes', () => {
  const undocumented = (names: readonly string[]): readonly string[] => {
    const reference = markdown.filter((path) => path.startsWith('docs/reference/'));
    const text = reference.map(readRepositoryFile).join('\n');
    return names.filter((name) => !text.includes(`\`${name}\``));
  };
  const codes = Object.keys(reasonCodes);

  verifies('STY-03', 'each reason code is documented', () => {
    expect(undocumented(codes), 'add it to docs/reference').toEqual([]);
  });

  verifies('STY-03', 'each error code is documented', () => {
    const unions = sourceFiles('src').flatMap((path) =>
      [...codeOf(readRepositoryFile(path)).matchAll(/\btype \w*ErrorCode = ([^;]*);/g)].map(
        ([, union]) => union ?? '',
      ),
    );
    const errorCodes = unions.flatMap((union) => union.match(/(?<=["'])[A-Z_]+(?=["'])/g) ?? []);
    expect(errorCodes.length).toBeGreaterThan(0);
    expect(undocumented(errorCodes), 'add it to docs/reference').toEqual([]);
  });

  verifies('STY-03', 'each reason code is named by a test', () => {
    const tests = repositoryFiles().filter(
      (path) => /^(?:src|test)\/.*\.test\.ts$/.test(path) && !path.startsWith('test/pins/'),
    );
    const text = tests.map(readRepositoryFile).join('\n');
    expect(
      codes.filter((code) => !new RegExp(`\\b${code}\\b`).test(text)),
      'add its test and its nearest allow',
    ).toEqual([]);
  });
});

describe('tree', () => {
  verifies(
    'STY-03',
    'each folder of src has its line in ARCHITECTURE.md and its row in the import table',
    () => {
      const architecture = existsSync(join(repositoryRoot, 'ARCHITECTURE.md'))
        ? readRepositoryFile('ARCHITECTURE.md')
        : '';
      const table = readRepositoryFile('.dependency-cruiser.cjs').split('\nconst notTest')[0] ?? '';
      const folders = foldersOf('src');
      expect(folders).toContain('core');
      expect(
        folders.filter((name) => !architecture.includes(`${name}/`)),
        'add the line',
      ).toEqual([]);
      expect(
        folders.filter((name) => !new RegExp(`\\b${name}\\b`).test(table)),
        'add the row',
      ).toEqual([]);
    },
  );

  verifies('STY-03', 'each pack has its README, schema and scenarios', () => {
    const missing = foldersOf('src/packs').flatMap((name) => {
      const files = repositoryFiles(`src/packs/${name}`);
      return [/\/README\.md$/, /\.cedarschema$/, /\/scenarios\/.*\.json$/]
        .filter((pattern) => !files.some((file) => pattern.test(file)))
        .map((pattern) => `src/packs/${name} lacks ${pattern}`);
    });
    expect(missing).toEqual([]);
  });

  verifies('STY-03', 'migrations are numbered without a gap, the same in each database', () => {
    const lists = foldersOf('src/stores').flatMap((store) => {
      const files = repositoryFiles(`src/stores/${store}/migrations`).filter((path) =>
        path.endsWith('.sql'),
      );
      return files.length === 0 ? [] : [files.map((path) => path.slice(path.lastIndexOf('/') + 1))];
    });
    for (const names of lists) {
      expect(names.map((name) => name.slice(0, 5))).toEqual(
        names.map((_, at) => `${String(at + 1).padStart(4, '0')}-`),
      );
      expect(names).toEqual(lists[0]);
    }
  });

  verifies('STY-03', 'no file is too large to review', () => {
    const large = repositoryFiles().filter(
      (path) => isReviewed(path) && statSync(join(repositoryRoot, path)).size > fileMaxBytes,
    );
    expect(large, 'move test data to test/fixtures, generate or split the rest').toEqual([]);
  });
});

describe('package.json', () => {
  verifies(
    'STY-03',
    'pins its tools, and those packages whose change could change a decision, an approval or lose a receipt',
    () => {
      const manifest = JSON.parse(readRepositoryFile('package.json')) as Record<
        'dependencies' | 'devDependencies',
        Record<string, string>
      >;
      const isExactRuntime = (name: string): boolean =>
        /^@modelcontextprotocol\/|^@cedar-policy\/cedar-wasm$|^@simplewebauthn\/server$|^openid-client$|^pg$/.test(
          name,
        );
      const wrong = [
        ...Object.entries(manifest.devDependencies).filter(
          ([, range]) => !/^\d+\.\d+\.\d+$/.test(range),
        ),
        ...Object.entries(manifest.dependencies).filter(
          ([name, range]) => !(isExactRuntime(name) ? /^\d/ : /^\^\d/).test(range),
        ),
      ];
      expect(
        wrong,
        'exact for tools, MCP, Cedar, what proves a person, and pg; a caret for the rest',
      ).toEqual([]);
    },
  );
});

describe('package-lock.json', () => {
  verifies('STY-03', 'names no host and no folder of one machine', () => {
    const lock = readRepositoryFile('package-lock.json');
    const hint = 'keep omit-lockfile-registry-resolved in .npmrc';
    expect(lock.includes('"resolved"'), hint).toBe(false);
  });
});

describe('text', () => {
  verifies('STY-03', 'links of the documents resolve', () => {
    const broken = markdown.flatMap((path) =>
      [...readRepositoryFile(path).matchAll(/\]\((?![a-z]+:|#)([^)\s#]+)/g)]
        .map(([, target]) => normalize(join(dirname(path), target ?? '')))
        .filter((target) => !existsSync(join(repositoryRoot, target)))
        .map((target) => `${path} → ${target}`),
    );
    expect(broken).toEqual([]);
  });

  verifies('STY-03', 'names no machine and no package registry', () => {
    const files = written.filter((path) => path !== 'test/tidy.test.ts');
    const places = /\/work\/(?:main|shared)|registry\.npmjs|pypi\.org|pythonhosted|deb\.debian/;
    expect(find(files, places), 'say it without the place').toEqual([]);
  });

  verifies('STY-03', 'the first pages stay short', () => {
    for (const [path, linesMax] of Object.entries({ 'README.md': 150, 'AGENTS.md': 120 })) {
      expect(readRepositoryFile(path).split('\n').length - 1, path).toBeLessThanOrEqual(linesMax);
    }
  });

  verifies('STY-03', 'one word per idea', () => {
    const files = written.filter((path) => path !== 'test/tidy.test.ts');
    for (const [banned, instead] of bannedWords) expect(find(files, banned), instead).toEqual([]);
  });
});

/** Words that the vocabulary replaces, and what to say instead. */
const bannedWords: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:white|black|allow|deny|block)[-_ ]?list(?:s|ed|ing)?\b/i,
    'say registry, scope or perimeter',
  ],
  [/\bguard[-_ ]?rails?\b/i, 'say contract, policy or gateway'],
  [/\baudit[-_ ](?:trail|log|entry|record)s?\b/i, 'say receipt or receipts'],
  [/\b(?:signed )?tree[-_ ]?head\b/i, 'say checkpoint'],
  [/\b(?:spending|spend)[-_ ]limits?\b/i, 'say budget'],
  [/\b(?:master|slave)\b/i, 'say primary, owner or source'],
  [/\bconfirmation request\b/i, 'say approval request'],
];
