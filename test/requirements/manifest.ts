import { approvalsRequirements } from './approvals.ts';
import { commandLineRequirements } from './command-line.ts';
import { compatRequirements } from './compat.ts';
import { configRequirements } from './config.ts';
import { decisionRequirements } from './decision.ts';
import { demoRequirements } from './demo.ts';
import { executionRequirements } from './execution.ts';
import { mcpRequirements } from './mcp.ts';
import { receiptsRequirements } from './receipts.ts';
import type { Requirement } from './requirement.ts';
import { styleRequirements } from './style.ts';
import { valuesRequirements } from './values.ts';

/** One document of the specification: its rows, and the form that its ids must have. */
export interface RequirementList {
  readonly document: string;
  readonly idPattern: RegExp;
  readonly rows: readonly Requirement[];
}

/** The whole manifest, one list per document. */
export const requirementLists: readonly RequirementList[] = [
  { document: 'approvals', idPattern: /^APR-\d\d(?:\.\d{1,2})?$/, rows: approvalsRequirements },
  { document: 'command line', idPattern: /^CLI-\d\d$/, rows: commandLineRequirements },
  { document: 'compat', idPattern: /^C\d\d$/, rows: compatRequirements },
  { document: 'config', idPattern: /^CFG-\d\d$/, rows: configRequirements },
  { document: 'decision', idPattern: /^DEC-\d\d$/, rows: decisionRequirements },
  { document: 'demo', idPattern: /^DEM-\d\d$/, rows: demoRequirements },
  { document: 'execution', idPattern: /^EXE-\d\d$/, rows: executionRequirements },
  { document: 'mcp', idPattern: /^MCP-[A-Z]\d{1,2}$/, rows: mcpRequirements },
  { document: 'receipts', idPattern: /^RCP-\d\d$/, rows: receiptsRequirements },
  { document: 'style', idPattern: /^STY-\d\d$/, rows: styleRequirements },
  { document: 'values', idPattern: /^VAL-\d\d$/, rows: valuesRequirements },
];

/** Every row by its id. */
export const requirementsById: ReadonlyMap<string, Requirement> = new Map(
  requirementLists.flatMap((list) => list.rows.map((row) => [row.id, row] as const)),
);
