// What the memory store tells about earlier operations and requests.
import type { AmendmentDraft, ApprovalFigures, OperationHistory } from '../../core/history.ts';
import type { StoreSettings } from '../store.ts';
import { approvalFigures, openDrafts, operationHistory } from '../table-history.ts';
import type { MemoryTables } from './memory-tables.ts';
import { leavesOf } from './read-leaves.ts';

export abstract class MemoryHistory {
  protected readonly tables: MemoryTables;
  protected readonly settings: StoreSettings;

  constructor(tables: MemoryTables, settings: StoreSettings) {
    this.tables = tables;
    this.settings = settings;
  }

  /** Store time: the later of the clock and the time of the last leaf. */
  protected get nowMs(): number {
    return Math.max(this.settings.nowMs(), this.tables.lastMs);
  }

  async readHistory(opId: string): Promise<OperationHistory | undefined> {
    return operationHistory(this.tables, opId, this.nowMs);
  }

  async readApprovalFigures(of: { readonly sinceMs: number }): Promise<ApprovalFigures> {
    return approvalFigures(this.tables, (opId) => leavesOf(this.tables, opId), of.sinceMs);
  }

  async readDrafts(): Promise<readonly AmendmentDraft[]> {
    return openDrafts(this.tables, this.nowMs);
  }
}
