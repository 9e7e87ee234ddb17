import type { Requirement } from './requirement.ts';

/** Ids start with `DEC-`. */
export const decisionRequirements: readonly Requirement[] = [];
