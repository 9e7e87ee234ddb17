// Real configuration files against the loader and against the published schema.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'smol-toml';
import { afterAll, describe, expect, it } from 'vitest';
import { configSchemaText } from '../scripts/reference-pages/config-schema.ts';
import { prepare } from '../src/server/prepare.ts';
import { verifies } from './requirements/verifies.ts';
import { readRepositoryFile, repositoryFiles, repositoryRoot } from './source-files.ts';

const cases = join(repositoryRoot, 'test/compat/cases');
const copies = mkdtempSync(join(tmpdir(), 'intentplane-files-'));
afterAll(() => rmSync(copies, { recursive: true, force: true }));

/** Complete examples: each folder with a file of this name under `examples`, and the demo. */
const examples = repositoryFiles().filter((path) => /^examples\/.*intentplane\.toml$/.test(path));

describe('configuration files', () => {
  for (const name of readdirSync(cases)) {
    verifies('CFG-13', `the 0.5.3 file of ${name} loads`, () => {
      const folder = join(copies, name);
      cpSync(join(cases, name), folder, { recursive: true });
      const { config, parts } = prepare(join(folder, 'gateway.toml'));
      expect(config.contracts.length + config.tools.length).toBeGreaterThan(0);
      for (const registry of parts.registries.values()) expect(registry.ready).toBe(true);
    });
  }

  it.each(examples)('%s loads', (path) => {
    expect(prepare(join(repositoryRoot, path)).config.servers.length).toBeGreaterThan(0);
  });

  verifies('CFG-13', 'the file of the demo loads beside its registries', () => {
    const folder = join(copies, 'demo');
    cpSync(join(repositoryRoot, 'src/cli/demo/files'), folder, { recursive: true });
    for (const name of ['beneficiaries.json', 'correspondents.json']) {
      writeFileSync(join(folder, name), '{}');
    }
    const path = join(folder, 'intentplane.toml');
    // The references stand for the program that the demo starts.
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/\$\{env:\w+\}/g, 'node'));
    expect(prepare(path).config.contracts.map(({ action }) => action)).toContain(
      'payment.transfer',
    );
  });
});

describe('config.schema.json', () => {
  const schema = JSON.parse(readRepositoryFile('docs/reference/config.schema.json'));
  const validate = new Ajv2020({ strict: false }).compile(schema);
  const accepts = (toml: string): boolean => validate(JSON.parse(JSON.stringify(parse(toml))));
  const demo = readRepositoryFile('src/cli/demo/files/intentplane.toml');

  verifies('CFG-12', 'is that of the schema in use, in the docs and in the package', () => {
    expect(readRepositoryFile('docs/reference/config.schema.json')).toBe(configSchemaText());
    expect(readRepositoryFile('src/config/schemas/config.json')).toBe(configSchemaText());
  });

  verifies('CFG-12', 'takes the files that load', () => {
    for (const name of readdirSync(cases)) {
      const toml = readFileSync(join(cases, name, 'gateway.toml'), 'utf8');
      expect(accepts(toml), `${name}: ${JSON.stringify(validate.errors)}`).toBe(true);
    }
    expect(accepts(demo)).toBe(true);
  });

  verifies('CFG-12', 'refuses a misspelt key and a wrong value', () => {
    expect(accepts(demo.replace('critical = true', 'criticl = true'))).toBe(false);
    expect(accepts(demo.replace('scale = 100', 'scale = 0'))).toBe(false);
    expect(accepts(demo.replace('budget = 1_250_000', 'bugdet = 1'))).toBe(false);
    expect(accepts(demo.replace('[policy]', '[polisy]'))).toBe(false);
  });

  it('describes every key', () => {
    const partsOf = (value: unknown): readonly object[] =>
      typeof value === 'object' && value !== null
        ? [value, ...Object.values(value).flatMap(partsOf)]
        : [];
    const keys = partsOf(schema).flatMap((part) =>
      Object.entries((part as { readonly properties?: Record<string, object> }).properties ?? {}),
    );
    expect(keys.length).toBeGreaterThan(100);
    expect(keys.filter(([, inner]) => !('description' in inner)).map(([name]) => name)).toEqual([]);
  });
});
