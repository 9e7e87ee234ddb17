import type { Requirement } from './requirement.ts';

/** Ids start with `MCP-`. */
export const mcpRequirements: readonly Requirement[] = [];
