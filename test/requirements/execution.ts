import type { Requirement } from './requirement.ts';

/** Ids start with `EXE-`. */
export const executionRequirements: readonly Requirement[] = [];
