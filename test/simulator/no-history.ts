// What no simulated history asks of a store: comparisons, figures and drafts.
import type { HistoryStore } from '../../src/stores/history-store.ts';

export class NoHistory implements HistoryStore {
  /** A page shows a request also where nothing is compared. */
  async readHistory(): Promise<undefined> {
    return undefined;
  }

  readonly readApprovalFigures: HistoryStore['readApprovalFigures'] = notSimulated;
  readonly readDrafts: HistoryStore['readDrafts'] = notSimulated;

  /** Asked after each approval. A draft allows nothing, so nothing that is simulated depends on it. */
  draftAmendment(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}

function notSimulated(): Promise<never> {
  return Promise.reject(new Error('the simulator has no such call'));
}
