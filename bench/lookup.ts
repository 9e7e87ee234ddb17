// Finding a value in a registry of 10,000 and of 1,000,000 records: a hit, and a miss with its lookalike check.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Registry } from '../src/connectors/registry.ts';
import { built } from './built.ts';
import { ibanOf } from './in-process.ts';
import { type BenchReport, type BenchRow, percentile, rowOfRounds } from './report.ts';

const { loadRegistries } = await built<typeof import('../src/connectors/files/load-registries.ts')>(
  'connectors/files/load-registries',
);
const { lookUp } = await built<typeof import('../src/gateway/look-up.ts')>('gateway/look-up');

const rounds = 5;
const lookups = 20_000;

export async function run(): Promise<BenchReport> {
  const small = await measure(10_000, 20);
  const large = await measure(1_000_000, 50);
  return {
    rows: [...small, ...large],
    notes: ['normalising the value, the lookup and the lookalike check together'],
  };
}

async function measure(records: number, limitUs: number): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'intentplane-bench-'));
  const file = join(folder, 'payees.json');
  writeFileSync(
    file,
    JSON.stringify(
      Object.fromEntries(
        Array.from({ length: records }, (_unused, index) => [`p${index}`, ibanOf(index)]),
      ),
    ),
  );
  const start = performance.now();
  const loaded = loadRegistries(
    [
      {
        name: 'payees',
        file,
        format: 'json',
        listable: false,
        maxAgeMs: undefined,
        reading: {
          own: { type: 'string', normalize: 'iban', scale: 1, settings: {} },
          value: undefined,
          fields: {},
          alias: [],
          owner: { kind: 'principal' },
        },
      },
    ],
    { principal: 'user', nowMs: Date.now, log: () => {} },
  );
  const registry = loaded.registries.get('payees');
  if (registry === undefined) throw new Error('no registry');
  await registry.settled();
  const loadS = (performance.now() - start) / 1_000;
  const name = records.toLocaleString('en');
  const rows = [
    { what: `load ${name} records`, unit: 's', value: loadS },
    rowOfRounds(
      [`hit in ${name}, p50`, 'µs'],
      lookUps(registry, (index) => ibanOf(index % records), true),
      { reach: `≤ ${limitUs} µs`, holds: (value) => value <= limitUs },
    ),
    rowOfRounds(
      [`miss in ${name}, p50`, 'µs'],
      lookUps(registry, (index) => ibanOf(5_000_000 + index), false),
      { reach: `≤ ${limitUs} µs`, holds: (value) => value <= limitUs },
    ),
  ];
  rmSync(folder, { recursive: true, force: true });
  return rows;
}

/** p50 in microseconds of each round; the first round of all is warm-up. */
function lookUps(
  registry: Registry,
  value: (index: number) => string,
  isHit: boolean,
): readonly number[] {
  const param = {
    name: 'recipient',
    path: [{ kind: 'key', key: 'recipient' }],
    type: 'string',
    critical: true,
    each: false,
    settings: {},
    scale: 1,
    optional: false,
    sources: [{ kind: 'registry', name: 'registry:payees', registry: 'payees' }],
    text: 'entities',
    onUnknown: 'ask',
    multiline: false,
    textAllow: [],
    textSources: [],
    textDomains: [],
    textTemplates: [],
  } as const;
  const context = {
    tenant: 'user',
    parts: { registries: new Map([['payees', registry]]) } as unknown as Parameters<
      typeof lookUp
    >[2]['parts'],
  };
  const perRound: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const values = Array.from({ length: lookups }, (_unused, index) =>
      value(round * lookups + index),
    );
    const times = values.map((given) => {
      const start = performance.now();
      const found = lookUp(
        param,
        { path: 'recipient', steps: ['recipient'], value: given },
        context,
      );
      const us = (performance.now() - start) * 1_000;
      if ((found.findings[0]?.byValue.length === 1) !== isHit)
        throw new Error(`\`${given}\` was ${isHit ? 'not ' : ''}found`);
      return us;
    });
    if (round > 0) perRound.push(percentile(times, 0.5));
  }
  return perRound;
}
