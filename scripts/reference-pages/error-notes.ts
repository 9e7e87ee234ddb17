// What to do about each error code of the parts that a person has to mend.
import type { KeyFileErrorCode } from '../../src/keys/local/key-file.ts';
import type { StoreErrorCode } from '../../src/stores/store.ts';

export type DocumentedErrorCode = StoreErrorCode | KeyFileErrorCode | 'CONFIG_INVALID';

interface ErrorNote {
  readonly meaning: string;
  readonly remedy: string;
}

const note = (meaning: string, remedy: string): ErrorNote => ({ meaning, remedy });

export const errorNotes: Readonly<Record<DocumentedErrorCode, ErrorNote>> = {
  CONFIG_INVALID: note(
    'the configuration, the policy or a registry is wrong; every problem is listed with file and line',
    'correct each line; nothing was started',
  ),
  STORE_BUSY: note(
    'another process held the lock of the store for more than 5 s',
    'repeat the call; look for a backup program or another gateway that blocks the file',
  ),
  STORE_FULL: note('the disk of the store is full', 'free some space and start the gateway again'),
  STORE_FAILED: note(
    'the database reported an error after which it cannot be trusted',
    'check the disk, then start again; operations that were under way become UNKNOWN',
  ),
  STORE_NEWER: note(
    'the store was written by a newer version of intentplane',
    'update intentplane; an older program never touches a newer store',
  ),
  STORE_OLDER: note(
    'the PostgreSQL database has no tables yet, or those of an older version',
    'run `intentplane store migrate --config FILE`; the start never changes a database by itself',
  ),
  STORE_UNREACHABLE: note(
    'PostgreSQL cannot be reached, refuses the connection, or had none for more than 5 s; nothing was executed',
    'check server, address, password and `max_connections`; repeat the call, the gateway connects again by itself',
  ),
  STORE_UNCERTAIN: note(
    'the connection to PostgreSQL ended while it committed, and the gateway does not know yet whether it did; nothing was executed',
    'repeat the call when PostgreSQL can be reached again: the gateway looks the commit up before it goes on',
  ),
  STORE_NOT_WRITABLE: note(
    'the store or its folder is missing, read-only, open to others, owned by somebody else, or on a network file system',
    'the message names the path and the command, such as `chmod 700`; choose a folder on a disk of this computer',
  ),
  STORE_CONFLICT: note(
    'a rule of the tables would have been broken, so the transaction was undone',
    'repeat the call once; if it stays, report it with the log',
  ),
  LOG_STATE_BAD: note(
    'the receipt log does not match its own root: the file was changed from outside',
    'keep a copy of the file as evidence; restore a good copy or begin with another data folder',
  ),
  LOG_BEHIND_CHECKPOINT: note(
    'the store has fewer receipts than were signed: it is an old copy',
    'put the newer store back; without one, run `intentplane receipts restart`',
  ),
  LOG_FORKED: note(
    'the receipts that were signed are not those of this store, or the guard belongs to another log',
    'put the store back that belongs to the key; `intentplane fsck` shows what differs; without the right one run `intentplane receipts restart`',
  ),
  GUARD_MISSING: note(
    'the file that says what was signed last is gone or cannot be read',
    'put it back beside the key; without it, run `intentplane receipts restart`',
  ),
  RESTART_REFUSED: note(
    '`receipts restart` was given another name than that of the log, a name that was used before, or a log that is in order',
    'the message says which; `intentplane receipts show` tells whether the log can be used',
  ),
  LOG_KEY_FOREIGN: note(
    'the log in the store was signed by another key than the one that is configured',
    "put the log's own key back: each log has one of its own",
  ),
  ILLEGAL_MOVE: note(
    'an operation would have gone through a forbidden state; the transaction was undone',
    'report it with the log: it is a mistake of the gateway',
  ),
  KEY_FILE_MISSING: note(
    'the key file does not exist',
    'correct `[keys] log`; a running gateway makes the key itself',
  ),
  KEY_FILE_UNREADABLE: note(
    'the key file cannot be read',
    'check that it is a file and belongs to the user of the gateway',
  ),
  KEY_FILE_NOT_WRITABLE: note(
    'the key file cannot be made',
    'check that its folder exists and belongs to the user of the gateway',
  ),
  KEY_FILE_MODE: note(
    'others can read the private key',
    '`chmod 600` it; if it may have leaked, make a new key and tell everybody who holds the trust file',
  ),
  KEY_FILE_MALFORMED: note(
    'the file holds no unencrypted PKCS#8 private key in PEM form',
    'name the right file, or remove it so that a new key is made',
  ),
  KEY_FILE_NOT_ED25519: note(
    'the key is not an Ed25519 key',
    'name another file, or remove it so that a new key is made',
  ),
  KEY_FILE_NOT_ML_DSA_44: note(
    'the second key is not an ML-DSA-44 key',
    'move the file away, so that a new key is made',
  ),
  KEY_FILE_ALG_UNAVAILABLE: note(
    '`pq = true`, and this Node has no ML-DSA-44',
    'run Node 24.6 or newer, or take `pq` out of the file',
  ),
};
