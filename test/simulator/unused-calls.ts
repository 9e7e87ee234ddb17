// Calls of a store that no history makes.

import type { Store } from '../../src/stores/store.ts';
import { NoHistory } from './no-history.ts';

export const notSimulated = (): Promise<never> =>
  Promise.reject(new Error('the simulator has no such call'));

export abstract class UnusedCalls extends NoHistory {
  readonly findMandate: Store['findMandate'] = notSimulated;
  readonly tell: Store['tell'] = notSimulated;
  readonly readTree: Store['readTree'] = notSimulated;
  readonly readNode: Store['readNode'] = notSimulated;
  readonly checkpoint: Store['checkpoint'] = notSimulated;
  readonly readCheckpoints: Store['readCheckpoints'] = notSimulated;
  readonly readOperations: Store['readOperations'] = notSimulated;
  readonly readBudgetSums: Store['readBudgetSums'] = notSimulated;
  readonly readDefinitions: Store['readDefinitions'] = notSimulated;
  readonly recordDefinitions: Store['recordDefinitions'] = notSimulated;
  readonly countPasscodeFailure: Store['countPasscodeFailure'] = notSimulated;
  readonly readPasscodeLock: Store['readPasscodeLock'] = notSimulated;
  readonly clearPasscodeFailures: Store['clearPasscodeFailures'] = notSimulated;
  readonly useNonce: Store['useNonce'] = notSimulated;
  readonly wasUnclean: Store['wasUnclean'] = notSimulated;
  readonly checkFile: Store['checkFile'] = notSimulated;
  readonly restart: Store['restart'] = notSimulated;
  readonly timestamp: Store['timestamp'] = notSimulated;
  readonly readTimestamped: Store['readTimestamped'] = notSimulated;
  readonly delegateMandate: Store['delegateMandate'] = notSimulated;
  readonly claimCallKey: Store['claimCallKey'] = notSimulated;
  readonly readLastCheckpoint: Store['readLastCheckpoint'] = notSimulated;
  readonly cosign: Store['cosign'] = notSimulated;
  readonly readCosigned: Store['readCosigned'] = notSimulated;
  readonly readBudgets: Store['readBudgets'] = notSimulated;
  readonly unfreezeBudget: Store['unfreezeBudget'] = notSimulated;
  readonly redact: Store['redact'] = notSimulated;
  readonly readRepeats: Store['readRepeats'] = notSimulated;
  readonly readKept: Store['readKept'] = notSimulated;
  readonly claimChore: Store['claimChore'] = notSimulated;
  readonly changeRecords: Store['changeRecords'] = notSimulated;
}
