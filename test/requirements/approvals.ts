import type { Requirement } from './requirement.ts';

/** Ids start with `APR-`. */
export const approvalsRequirements: readonly Requirement[] = [];
