// Which of the processes of a store still run, as far as one of them can tell.
import type { ProcessIdentity, StoreSettings } from './store.ts';

/** Process ids by what is known of them. */
export interface Standing {
  /** Running, this process among them. */
  readonly live: readonly string[];
  /** Those of them that are not this one. */
  readonly others: readonly string[];
  /** On another host and silent for longer than a lease: a call it sent may still be under way. */
  readonly silent: readonly string[];
  /** Ended for certain. */
  readonly dead: readonly string[];
}

/** Another host is known by its heartbeat alone. */
export function sortProcesses(
  all: readonly (ProcessIdentity & { readonly heartbeatMs: number })[],
  { identity, isAlive }: Pick<StoreSettings, 'identity' | 'isAlive'>,
): Standing {
  const others = all.filter(({ processId }) => processId !== identity.processId);
  const gone = others.filter((each) => !isAlive(each));
  const ids = (list: readonly ProcessIdentity[]): readonly string[] =>
    list.map(({ processId }) => processId);
  const running = ids(others.filter((each) => !gone.includes(each)));
  return {
    live: [identity.processId, ...running],
    others: running,
    silent: ids(gone.filter(({ host }) => host !== identity.host)),
    dead: ids(gone.filter(({ host }) => host === identity.host)),
  };
}
