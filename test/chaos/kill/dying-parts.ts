// The parts of a gateway as `src/server/compose.ts` picks them, each wrapped so that the process
// dies at the point it was told to. Loaded in place of that file by `preload.ts`.
import type { Config } from '../../../src/config/config.ts';
import type { ToolServers } from '../../../src/connectors/tool-servers.ts';
import type { LocalSigner } from '../../../src/keys/signer.ts';
import * as real from '../../../src/server/compose.ts';
import type { LogGuard, Store, StoreSettings } from '../../../src/stores/store.ts';
import { pass } from './kill-points.ts';

export * from '../../../src/server/compose.ts';

type Method = (...args: readonly never[]) => Promise<unknown>;

/** What is passed after a method of the store, by its result. */
const storeMethods: Readonly<
  Record<string, { before?: () => void; after: (result: never) => void }>
> = {
  start: { before: () => pass('start.before'), after: () => pass('start.after') },
  decide: { before: () => pass('decide.before'), after: passDecision },
  finish: { before: () => pass('finish.before'), after: () => pass('finish.after') },
  reconcile: { before: () => pass('reconcile.before'), after: () => pass('reconcile.after') },
  answer: { before: () => pass('answer.before'), after: () => pass('answer.after') },
  checkpoint: {
    before: () => pass('checkpoint.before'),
    after: () => pass('checkpoint.after'),
  },
};

function passDecision(plan: Awaited<ReturnType<Store['decide']>>): void {
  if (plan.kind !== 'decided') return;
  if (plan.decision.kind === 'ask') pass('ask.after');
  if (plan.decision.kind !== 'allow') return;
  pass('dispatch.after');
  if (plan.writes.moveApprovals.length > 0) pass('granted.after');
}

function watched<T extends object>(target: T, wrap: (name: string, method: Method) => Method): T {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return wrap(String(name), value.bind(target) as Method);
    },
  });
}

export async function createStore(config: Config, settings: StoreSettings): Promise<Store> {
  let isStarted = false;
  const store = await real.createStore(config, {
    ...settings,
    // Asked for inside a transaction: for the salts of its leaves.
    random: (size) => {
      if (isStarted) pass('transaction.inside');
      return settings.random(size);
    },
    // Asked for inside the first transaction, which settles what dead processes left.
    isAlive: (other) => {
      pass('start.orphans');
      return settings.isAlive(other);
    },
  });
  return watched(store, (name, method) => {
    const points = storeMethods[name];
    if (points === undefined) return method;
    return async (...args) => {
      points.before?.();
      const result = await method(...args);
      isStarted = true;
      points.after(result as never);
      return result;
    };
  });
}

export function logGuard(config: Config): LogGuard {
  const guard = real.logGuard(config);
  return {
    ...guard,
    write: (origin, tree) => {
      pass('guard.before');
      guard.write(origin, tree);
      pass('guard.after');
    },
  };
}

export function loadLogSigner(config: Config): LocalSigner {
  const signer = real.loadLogSigner(config);
  return {
    ...signer,
    sign: (bytes) => {
      pass('sign.before');
      const signature = signer.sign(bytes);
      pass('sign.after');
      return signature;
    },
  };
}

export function createToolServers(...args: Parameters<typeof real.createToolServers>): ToolServers {
  const servers = real.createToolServers(...args);
  const call: ToolServers['call'] = async (request) => {
    const outcome = await servers.call({
      ...request,
      onSend: () => {
        pass('send.before');
        // What is queued now has been written when the next turn of the loop begins.
        setImmediate(() => pass('send.after'));
        request.onSend?.();
      },
    });
    pass('send.answered');
    return outcome;
  };
  return watched(servers, (name, method) => (name === 'call' ? (call as Method) : method));
}
