// Every way to change, restore, copy or lose a part of a store behind the gateway's back, and
// where it must be noticed with which words.
import { rmSync, writeFileSync } from 'node:fs';
import {
  appendLeafHash,
  emptyFrontier,
  encodeFrontier,
  frontierRoot,
} from '../../../src/core/merkle.ts';
import { loadOrCreateKeyFile } from '../../../src/keys/local/key-file.ts';
import { type Finding, type Place, refusal, startGateway } from './look-for-tampering.ts';
import type { Dialect, TamperedStore } from './tampered-store.ts';

export interface TamperCase {
  readonly name: string;
  readonly tamper?: (store: TamperedStore) => Promise<void>;
  /** What a running gateway says, where nobody needs to look afterwards. */
  readonly notice?: (store: TamperedStore) => Promise<Finding | undefined>;
  readonly place: Place;
  readonly code: string;
  /** Names the thing; at the start also the way out, which is the same for all that `fsck` finds. */
  readonly thing: RegExp;
  /** Only where the store keeps such a thing. */
  readonly only?: Dialect;
}

const zeroes = '00'.repeat(32);
const bytes = ({ dialect }: TamperedStore, hex: string): string =>
  dialect === 'sqlite' ? `x'${hex}'` : `'\\x${hex}'`;
const hexOf = (value: unknown): string => Buffer.from(value as Uint8Array).toString('hex');
const change =
  (text: string | ((store: TamperedStore) => string)): ((store: TamperedStore) => Promise<void>) =>
  async (store) => {
    await store.sql(typeof text === 'string' ? text : text(store));
  };

/** The log ends earlier, and everything in the store agrees with that. */
async function cutTail(store: TamperedStore): Promise<void> {
  const rows = await store.sql('SELECT hash FROM {leaf} ORDER BY seq');
  const kept = rows.slice(0, -5);
  let frontier = emptyFrontier;
  for (const { hash } of kept) frontier = appendLeafHash(frontier, hash as Uint8Array).frontier;
  const size = frontier.size;
  const root = bytes(store, hexOf(frontierRoot(frontier)));
  const encoded = bytes(store, hexOf(encodeFrontier(frontier)));
  await store.sql(
    `DELETE FROM {payload} WHERE seq >= ${size}; DELETE FROM {leaf} WHERE seq >= ${size};
     DELETE FROM {checkpoint} WHERE size > ${size};
     UPDATE {log_state} SET size = ${size}, root = ${root}, frontier = ${encoded}`,
  );
}

/** The rows of an old backup beside the signed row that was kept apart from it. */
async function restoreBesideSigned(store: TamperedStore): Promise<void> {
  const [last] = await store.sql(
    'SELECT size, root, note FROM {checkpoint} ORDER BY size DESC LIMIT 1',
  );
  await store.restoreBackup();
  const note = String(last?.['note']).replaceAll("'", "''");
  await store.sql(
    `INSERT INTO {checkpoint} (size, root, note)
     VALUES (${Number(last?.['size'])}, ${bytes(store, hexOf(last?.['root']))}, '${note}')`,
  );
}

/** Two gateways run on two copies with one guard: the second signature is refused. */
async function signBoth(store: TamperedStore): Promise<Finding | undefined> {
  const forkFile = await store.fork();
  const first = await startGateway(store.configFile);
  const second = await startGateway(forkFile);
  try {
    await first.writeAndSign();
    return await refusal(second.writeAndSign);
  } finally {
    await first.close();
    await second.close();
  }
}

async function swapKey({ keyFile }: TamperedStore): Promise<void> {
  rmSync(keyFile);
  loadOrCreateKeyFile(keyFile);
}

export const tamperCases: readonly TamperCase[] = [
  {
    name: 'an old backup of the store, whole in itself',
    tamper: (store) => store.restoreBackup(),
    place: 'start',
    code: 'LOG_BEHIND_CHECKPOINT',
    thing: /the store has \d+ receipts, \d+ were signed .*guard.*Put the newer store back/,
  },
  {
    name: 'an old backup beside the newest signed row',
    tamper: restoreBesideSigned,
    place: 'start',
    code: 'LOG_BEHIND_CHECKPOINT',
    thing: /the store has \d+ receipts, \d+ were signed .*guard.*Put the newer store back/,
  },
  {
    name: 'the tail cut off, all of the store rewritten to agree',
    tamper: cutTail,
    place: 'start',
    code: 'LOG_BEHIND_CHECKPOINT',
    thing: /the store has \d+ receipts, \d+ were signed .*guard.*Put the newer store back/,
  },
  {
    name: 'two gateways on copies that share one guard',
    notice: signBoth,
    place: 'start',
    code: 'LOG_FORKED',
    thing: /not those that were signed .*guard.*another copy.*put the right store back/,
  },
  {
    name: 'the whole log deleted',
    tamper: change(
      `DELETE FROM {payload}; DELETE FROM {leaf}; DELETE FROM {tile}; DELETE FROM {checkpoint};
       UPDATE {log_state} SET size = 0, root = (SELECT root FROM {log_state}), frontier = frontier`,
    ),
    place: 'start',
    code: 'LOG_STATE_BAD',
    thing: /receipt log was changed.*intentplane fsck.*put/,
  },
  {
    name: 'the whole store deleted',
    only: 'sqlite',
    tamper: (store) => store.removeStore(),
    place: 'start',
    code: 'LOG_BEHIND_CHECKPOINT',
    thing: /the store has 0 receipts, \d+ were signed .*guard.*Put the newer store back/,
  },
  {
    name: 'a leaf deleted',
    tamper: change('DELETE FROM {payload} WHERE seq = 5; DELETE FROM {leaf} WHERE seq = 5'),
    place: 'fsck',
    code: 'LEAF_MISSING',
    thing: /leaf 5 is missing/,
  },
  {
    name: 'two leaves in each other’s place',
    tamper: change(
      `UPDATE {leaf} SET seq = -seq WHERE seq IN (4, 5); UPDATE {leaf} SET seq = 9 + seq WHERE seq < 0`,
    ),
    place: 'fsck',
    code: 'LEAF_OUT_OF_ORDER',
    thing: /leaf 4 names another place/,
  },
  {
    name: 'other bytes in a leaf',
    tamper: change(({ dialect }) =>
      dialect === 'sqlite'
        ? `UPDATE {leaf} SET bytes = cast(replace(cast(bytes AS TEXT), '"allow"', '"alloy"') AS BLOB)`
        : `UPDATE {leaf} SET bytes = convert_to(replace(convert_from(bytes, 'UTF8'), '"allow"', '"alloy"'), 'UTF8')`,
    ),
    place: 'fsck',
    code: 'LEAF_CHANGED',
    thing: /leaf \d+ has other bytes than its hash/,
  },
  {
    name: 'another value behind a commitment',
    tamper: change(`UPDATE {payload} SET fields = replace(fields, 'DE89', 'DE98')`),
    place: 'fsck',
    code: 'COMMITMENT_MISMATCH',
    thing: /the kept value of `[^`]+` is not the one in leaf \d+/,
  },
  {
    name: 'the same, seen by an auditor',
    tamper: change(`UPDATE {payload} SET fields = replace(fields, 'DE89', 'DE98')`),
    place: 'verify',
    code: 'COMMITMENT_MISMATCH',
    thing: /`[^`]+` is not what was logged/,
  },
  {
    name: 'another hash over many leaves',
    tamper: change((store) => `UPDATE {tile} SET hash = ${bytes(store, zeroes)}`),
    place: 'fsck',
    code: 'TILE_MISMATCH',
    thing: /a hash over the leaves 0 to 255 is not theirs/,
  },
  {
    name: 'another root in the signed rows',
    tamper: change((store) => `UPDATE {checkpoint} SET root = ${bytes(store, zeroes)}`),
    place: 'fsck',
    code: 'CHECKPOINT_MISMATCH',
    thing: /the first \d+ leaves were signed with another root/,
  },
  {
    name: 'another size in a signed note',
    tamper: change(({ dialect }) => {
      const line = dialect === 'sqlite' ? 'char(10)' : 'chr(10)';
      return `UPDATE {checkpoint} SET note =
        replace(note, ${line} || size || ${line}, ${line} || (size + 1) || ${line})`;
    }),
    place: 'fsck',
    code: 'CHECKPOINT_MISMATCH',
    thing: /the signed note of \d+ leaves says something else: it was changed/,
  },
  {
    name: 'the guard deleted',
    tamper: async ({ guardFile }) => rmSync(guardFile),
    place: 'start',
    code: 'GUARD_MISSING',
    thing: /guard` is missing.*put it back beside the key/,
  },
  {
    name: 'the guard of another log',
    tamper: async ({ guardFile }) =>
      writeFileSync(guardFile, `other\n0\n${Buffer.alloc(32).toString('base64')}\n`),
    place: 'start',
    code: 'LOG_FORKED',
    thing: /guard` belongs to the log `other`, the store to `tampered`: each log needs a key/,
  },
  {
    name: 'a guard that is no guard',
    tamper: async ({ guardFile }) => writeFileSync(guardFile, 'nothing\n'),
    place: 'start',
    code: 'LOG_FORKED',
    thing: /guard` holds something else: put the right file back/,
  },
  {
    name: 'another key in the place of the key',
    tamper: swapKey,
    place: 'start',
    code: 'LOG_KEY_FOREIGN',
    thing: /the log `tampered` in the store was signed by another key than .*put its own key back/,
  },
  {
    name: 'money that comes back to a budget',
    tamper: change(`UPDATE {budget} SET spent = spent - 100 WHERE kind = 'amount'`),
    place: 'fsck',
    code: 'BUDGET_MISMATCH',
    thing: /budget \S+ says \d+ reserved and \d+ spent, its entries \d+ and \d+/,
  },
  {
    name: 'a used approval granted once more',
    tamper: change(`UPDATE {approval} SET state = 'GRANTED' WHERE state = 'CONSUMED'`),
    place: 'fsck',
    code: 'STATE_MISMATCH',
    thing: /the approval of operation \w+ is GRANTED, its last leaf says CONSUMED/,
  },
  {
    name: 'an unknown outcome made a success',
    tamper: change(`UPDATE {operation} SET state = 'SUCCEEDED' WHERE state = 'UNKNOWN'`),
    place: 'fsck',
    code: 'STATE_MISMATCH',
    thing: /operation \w+ is SUCCEEDED, its last leaf says UNKNOWN/,
  },
  {
    name: 'a deleted operation',
    tamper: change(`DELETE FROM {operation} WHERE state = 'UNKNOWN'`),
    place: 'fsck',
    code: 'STATE_MISMATCH',
    thing: /operation \w+ is gone, its last leaf says UNKNOWN/,
  },
];
