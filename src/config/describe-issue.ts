// A shape that does not fit, in words that name the key and the fix. Values are not repeated: one may be a secret.
import type { z } from 'zod';
import type { KeyPath, KeyProblem } from './key-path.ts';
import { knownKeys } from './known-keys.ts';
import { isLaterKey } from './later-keys.ts';
import { nearestKey } from './nearest-key.ts';

/** One problem of the shape. */
export interface ShapeProblem extends KeyProblem {
  /** Nothing of the product has this name, so that it may be left out on demand. */
  readonly isUnknownKey: boolean;
}

/** The problems of one issue: an issue of unknown keys has one for each. */
export function describeIssue(issue: z.core.$ZodIssue): readonly ShapeProblem[] {
  const path = issue.path.filter((step) => typeof step !== 'symbol');
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => describeKey(path, key));
  return [{ path, message: issue.message, isUnknownKey: false }];
}

function describeKey(table: KeyPath, key: string): ShapeProblem {
  const path = [...table, key];
  if (isLaterKey(table, key)) {
    const message = `\`${key}\` is not available in this version: remove it`;
    return { path, message, isUnknownKey: false };
  }
  const near = nearestKey(key, knownKeys(table));
  const fix = near === undefined ? 'remove it' : `did you mean \`${near}\`?`;
  return { path, message: `unknown key \`${key}\`: ${fix}`, isUnknownKey: true };
}

/** Our words for what the schema has no words of its own for. */
export function issueMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined) return `is missing: add it (${wanted(issue.expected)})`;
    return `must be ${wanted(issue.expected)}`;
  }
  if (issue.code === 'invalid_value') {
    return `must be one of: ${issue.values.map(String).join(', ')}`;
  }
  if (issue.code === 'too_small') {
    return `must have at least ${issue.minimum} ${unit(issue.origin)}`;
  }
  if (issue.code === 'too_big') {
    return `must have at most ${issue.maximum} ${unit(issue.origin)}`;
  }
  return 'has the wrong form';
}

const words: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'a table'],
  ['record', 'a table'],
]);

const wanted = (expected: string): string => words.get(expected) ?? expected;

const unit = (origin: string): string => (origin === 'string' ? 'characters' : 'items');
