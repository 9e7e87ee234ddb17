// The digest of a contract: an open approval ends when it changes.
import { normaliserOf } from '../core/checks/canonical-value.ts';
import { normalisers } from '../core/checks/normalisers.ts';
import type { Contract } from '../core/contract.ts';
import { sha256Hex } from '../core/sha256.ts';

/** SHA-256 (hex) of everything that decides, and of the versions of the normalisers that read it. */
export function contractDigest(contract: Omit<Contract, 'digest'>): string {
  const versions = contract.params.map((param) => normalisers.get(normaliserOf(param))?.version);
  return sha256Hex(JSON.stringify({ contract: sortedKeys(contract), versions }));
}

/** The same value with the keys of every object in order. */
export function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sortedKeys(member)]),
  );
}
