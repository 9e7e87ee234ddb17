// All tables of one open database, their statements prepared once.
import type { DatabaseSync } from 'node:sqlite';
import { ApprovalTable } from './approval-table.ts';
import { BudgetTable } from './budget-table.ts';
import { CheckTable } from './check-table.ts';
import { CheckpointTable } from './checkpoint-table.ts';
import { DefinitionTable } from './definition-table.ts';
import { DraftTable, FigureTable } from './draft-table.ts';
import { ChoreTable, NonceTable, PasscodeTable } from './guard-tables.ts';
import { DenialTable, HistoryTable } from './history-table.ts';
import { CallKeyTable, OnceTable } from './key-tables.ts';
import { LogTable } from './log-table.ts';
import { MandateTable } from './mandate-table.ts';
import { MetaTable } from './meta-table.ts';
import { OperationTable } from './operation-table.ts';
import { ProcessTable } from './process-table.ts';
import { RecordTable } from './record-table.ts';
import { RedactionTable } from './redaction-table.ts';

export interface Tables {
  readonly approvals: ApprovalTable;
  readonly budgets: BudgetTable;
  readonly callKeys: CallKeyTable;
  readonly checkpoints: CheckpointTable;
  readonly chores: ChoreTable;
  readonly checks: CheckTable;
  readonly definitions: DefinitionTable;
  readonly denials: DenialTable;
  readonly drafts: DraftTable;
  readonly figures: FigureTable;
  readonly history: HistoryTable;
  readonly log: LogTable;
  readonly mandates: MandateTable;
  readonly meta: MetaTable;
  readonly nonces: NonceTable;
  readonly once: OnceTable;
  readonly operations: OperationTable;
  readonly passcodes: PasscodeTable;
  readonly processes: ProcessTable;
  readonly records: RecordTable;
  readonly redactions: RedactionTable;
}

export function prepareTables(database: DatabaseSync): Tables {
  return {
    approvals: new ApprovalTable(database),
    budgets: new BudgetTable(database),
    callKeys: new CallKeyTable(database),
    checkpoints: new CheckpointTable(database),
    chores: new ChoreTable(database),
    checks: new CheckTable(database),
    definitions: new DefinitionTable(database),
    denials: new DenialTable(database),
    drafts: new DraftTable(database),
    figures: new FigureTable(database),
    history: new HistoryTable(database),
    log: new LogTable(database),
    mandates: new MandateTable(database),
    meta: new MetaTable(database),
    nonces: new NonceTable(database),
    once: new OnceTable(database),
    operations: new OperationTable(database),
    passcodes: new PasscodeTable(database),
    processes: new ProcessTable(database),
    records: new RecordTable(database),
    redactions: new RedactionTable(database),
  };
}
