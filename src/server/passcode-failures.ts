// Wrong passcodes of one person, counted in the store for every process.
import type { PasscodeFailures } from '../approvals/passcode-gate.ts';
import type { Store } from '../stores/store.ts';

export function passcodeFailures(store: Store, person: string): PasscodeFailures {
  return {
    read: () => store.readPasscodeLock(person),
    count: () => store.countPasscodeFailure(person),
    clear: () => store.clearPasscodeFailures(person),
  };
}
