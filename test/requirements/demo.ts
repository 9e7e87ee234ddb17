import type { Requirement } from './requirement.ts';

/** Ids start with `DEM-`. */
export const demoRequirements: readonly Requirement[] = [];
