import type { Requirement } from './requirement.ts';

/** Ids start with `CFG-`. */
export const configRequirements: readonly Requirement[] = [];
