// What becomes of an error that no caller waits for: it is said, and a store that failed stops the
// process, as it does under a call.
import type { LogLine } from '../gateway/gateway-parts.ts';
import { StoreError } from '../stores/store.ts';

export function backgroundError(
  log: LogLine,
  onFatal: (error: unknown) => void,
): (error: unknown) => void {
  return (error) => {
    log('error', `store: ${error instanceof Error ? error.message : String(error)}`);
    if (error instanceof StoreError && error.fatal) onFatal(error);
  };
}
