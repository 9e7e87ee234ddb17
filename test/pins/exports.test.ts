// What the package offers by name: programs, subpaths, values and types. A name that goes or a name
// that comes is a change for whoever imports it.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as core from '../../src/core/decide.ts';
import * as root from '../../src/index.ts';
import * as verify from '../../src/receipts/verify.ts';
import { readRepositoryFile } from '../source-files.ts';

const rootTypes = [
  'Allow',
  'Ask',
  'BudgetFact',
  'CallFact',
  'CallFault',
  'Candidate',
  'Contract',
  'CriticalValue',
  'Decision',
  'Deny',
  'Facts',
  'Failure',
  'FreeValue',
  'IdempotencyTerms',
  'JsonObject',
  'JsonValue',
  'Judgement',
  'Level',
  'LevelReason',
  'LiveFacts',
  'LookupMatch',
  'LookupRule',
  'MandateFact',
  'NextStep',
  'NormaliserSettings',
  'OnceFact',
  'Origin',
  'ParamContract',
  'ParamFact',
  'ParamType',
  'PathStep',
  'PolicyFact',
  'RawNumber',
  'ReasonCode',
  'RepeatFact',
  'ResolvedValue',
  'SourceFinding',
  'SourceRef',
  'Stage',
  'StaticFacts',
  'StepCode',
  'StepStatus',
  'SuccessShape',
  'TextFact',
  'ValueReading',
  'VerifiedReceipt',
  'VerifyReport',
  'VerifySettings',
  'VerifyStep',
];

/** Names in the export lists of a file that exports by name only. */
function exportedNames(text: string): readonly string[] {
  const lists = [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].map(([, list = '']) => list);
  return lists.flatMap((list) =>
    list
      .split(',')
      .map((name) => name.trim().replace(/^type /, ''))
      .filter((name) => name !== ''),
  );
}

describe('the package', () => {
  it('has these programs and subpaths', () => {
    const url = new URL('../../package.json', import.meta.url);
    const manifest = JSON.parse(readFileSync(url, 'utf8')) as Record<string, unknown>;
    expect(manifest['bin']).toEqual({
      intentplane: 'dist/cli/main.js',
      'intentplane-mcp': 'dist/cli/mcp.js',
    });
    expect(manifest['exports']).toEqual({
      '.': './dist/index.js',
      './core': './dist/core/decide.js',
      './verify': './dist/receipts/verify.js',
      './schemas/config.json': './dist/config/schemas/config.json',
      './package.json': './package.json',
    });
    expect(manifest['type']).toBe('module');
    expect(manifest['engines']).toEqual({ node: '>=22.19' });
  });

  it('exports these values', () => {
    expect(Object.keys(root).sort()).toEqual([
      'decide',
      'notProven',
      'reasonCodes',
      'stages',
      'verifyBundle',
    ]);
    expect(Object.keys(core).sort()).toEqual(['decide']);
    expect(Object.keys(verify).sort()).toEqual(['notProven', 'verifyBundle']);
  });

  it('exports these types from its root', () => {
    const values = new Set(Object.keys(root));
    const types = exportedNames(readRepositoryFile('src/index.ts')).filter(
      (name) => !values.has(name),
    );
    expect(types.toSorted()).toEqual(rootTypes);
  });
});
