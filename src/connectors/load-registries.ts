// The contract of what turns the registries of a configuration into ones that can be asked.
import type { ValueReading } from '../core/contract.ts';
import type { Log } from './log.ts';
import type { Registry } from './registry.ts';

/** How records are read, whatever they are stored in. */
export interface RegistryReading {
  /** Reading of the record's own value. */
  readonly own: ValueReading;
  /** Field that is the record's own value; undefined = the plain value or the field `value`. */
  readonly value: string | undefined;
  readonly fields: Readonly<Record<string, ValueReading>>;
  readonly alias: readonly string[];
  readonly owner:
    | { readonly kind: 'principal' }
    | { readonly kind: 'everyone' }
    | { readonly kind: 'field'; readonly field: string };
}

/** One registry as the configuration has it. */
export interface RegistrySettings {
  readonly name: string;
  /** Absolute path. */
  readonly file: string;
  readonly format: 'json' | 'csv';
  readonly reading: RegistryReading;
  readonly listable: boolean;
  /** Records that were verified longer ago are stale. */
  readonly maxAgeMs: number | undefined;
}

/** Why a registry cannot be used; the message goes on after the name of the file. */
export interface RegistryProblem {
  readonly registry: string;
  readonly file: string;
  readonly line?: number;
  readonly message: string;
}

export interface LoadedRegistries {
  readonly registries: ReadonlyMap<string, Registry>;
  readonly problems: readonly RegistryProblem[];
  readonly warnings: readonly string[];
}

/** A registry without an owner belongs to `principal` alone. */
export type LoadRegistries = (
  settings: readonly RegistrySettings[],
  context: { readonly principal: string; readonly nowMs: () => number; readonly log: Log },
) => LoadedRegistries;
