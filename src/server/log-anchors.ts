// The witnesses of a configuration, ready to be asked.
import type { Config } from '../config/config.ts';
import { loadTimestamps, timestampPackages } from '../receipts/load-timestamps.ts';
import { findNodeMlDsa44 } from '../receipts/node-ml-dsa.ts';
import type { OptionalAlgorithms } from '../receipts/note-signature.ts';
import { isUsableKey } from '../receipts/note-signature.ts';
import {
  keyTypes,
  mlDsa44Type,
  parseVerifierKey,
  type VerifierKey,
} from '../receipts/verifier-key.ts';
import type { Store } from '../stores/store.ts';
import { compareWithWitness } from './compare-with-witness.ts';
import { ConfigError } from './prepare.ts';
import { TimestampLink } from './timestamp-link.ts';
import { WitnessError, WitnessLink } from './witness-link.ts';

/** Links to witnesses, what their keys are checked with, and the link to a time-stamping authority. */
export interface LogAnchors {
  readonly links: readonly WitnessLink[];
  readonly algorithms: OptionalAlgorithms;
  readonly timestamps: TimestampLink | undefined;
}

/** Throws `ConfigError` for a key that is none, and for packages that are missing. */
export async function loadAnchors(config: Config): Promise<LogAnchors> {
  const { witnesses } = config.log;
  const keys = await Promise.all(witnesses.map((each, i) => readKeys(config, each.keys, i)));
  const needsMlDsa = config.log.pq || keys.flat().some(({ type }) => type === mlDsa44Type);
  const mlDsa44 = needsMlDsa ? findNodeMlDsa44() : undefined;
  const algorithms = mlDsa44 === undefined ? {} : { mlDsa44 };
  const links = witnesses.map(({ name, url }, i) => {
    const own = keys[i] ?? [];
    if (!own.some((key) => isUsableKey(key, algorithms))) {
      throw keyProblem(config, i, 'has no key that this Node can check: run Node 24.6 or newer');
    }
    return new WitnessLink({ name, url, keys: own }, algorithms);
  });
  return { links, algorithms, timestamps: await loadTimestampLink(config) };
}

async function loadTimestampLink(config: Config): Promise<TimestampLink | undefined> {
  const { timestampUrl } = config.log;
  if (timestampUrl === undefined) return undefined;
  const timestamps = await loadTimestamps();
  if (timestamps !== undefined) return new TimestampLink(timestampUrl, timestamps);
  const place = config.placeOf(['log', 'timestamp_url']);
  const message = `needs packages that are not installed: run \`${timestampPackages}\``;
  throw new ConfigError([{ ...place, message }]);
}

/** Each key of each witness under a name of its own, for a trust file. */
export function namedWitnesses({
  links,
}: LogAnchors): readonly { readonly name: string; readonly key: VerifierKey }[] {
  return links.flatMap(({ address }) =>
    address.keys.map((key, i) => ({
      name: i === 0 ? address.name : `${address.name}.${i + 1}`,
      key,
    })),
  );
}

/**
 * Before anything is written: throws `StoreError` when a witness saw more of this log, or another
 * one. Returns what witnesses could not say; that is no reason not to start.
 */
export async function askWitnesses(
  { links, algorithms }: LogAnchors,
  log: { readonly store: Store; readonly keys: readonly VerifierKey[]; readonly origin: string },
): Promise<readonly string[]> {
  const silent: string[] = [];
  for (const link of links) {
    try {
      await compareWithWitness(link, { ...log, algorithms });
    } catch (error) {
      if (!(error instanceof WitnessError)) throw error;
      silent.push(`witness \`${link.address.name}\` ${error.message}`);
    }
  }
  return silent;
}

async function readKeys(
  config: Config,
  texts: readonly string[],
  witness: number,
): Promise<readonly VerifierKey[]> {
  const keys: VerifierKey[] = [];
  for (const text of texts) {
    const key = await parseVerifierKey(text);
    if (!key.ok || keyTypes.get(key.value.type)?.use === 'log') {
      throw keyProblem(
        config,
        witness,
        `\`${text.slice(0, 100)}\` is no key of a witness: take what it prints at its start`,
      );
    }
    keys.push(key.value);
  }
  return keys;
}

function keyProblem(config: Config, witness: number, message: string): ConfigError {
  const place = config.placeOf(['log', 'witnesses', witness, 'keys']);
  return new ConfigError([{ ...place, message }]);
}
