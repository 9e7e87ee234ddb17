// A private key, Ed25519 unless said otherwise, in a PKCS#8 PEM file that only its owner can read.
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { closeSync, fstatSync, linkSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { LocalSigner } from '../signer.ts';
import { syncFolder, temporaryName, writeDurably } from './durable-file.ts';

/** What is wrong with a key file. */
export type KeyFileErrorCode =
  | 'KEY_FILE_MISSING'
  | 'KEY_FILE_UNREADABLE'
  | 'KEY_FILE_NOT_WRITABLE'
  | 'KEY_FILE_MODE'
  | 'KEY_FILE_MALFORMED'
  | 'KEY_FILE_NOT_ED25519'
  | 'KEY_FILE_NOT_ML_DSA_44'
  | 'KEY_FILE_ALG_UNAVAILABLE';

/** Thrown when a key cannot be used; the message names the file and the fix. */
export class KeyFileError extends Error {
  readonly code: KeyFileErrorCode;
  readonly path: string;
  constructor(code: KeyFileErrorCode, path: string, cause?: unknown) {
    super(`key file \`${path}\`: ${fixes[code]}`, { cause });
    this.name = 'KeyFileError';
    this.code = code;
    this.path = path;
  }
}

/** Loads the key; undefined when there is no such file. */
export function loadKeyFileIfThere(path: string): LocalSigner | undefined {
  const key = loadPrivateKeyIfThere(path, 'ed25519');
  return key === undefined ? undefined : ed25519Signer(key);
}

/** Loads the key, or makes it when there is no file yet. Safe when several processes start at once. */
export function loadOrCreateKeyFile(path: string): LocalSigner {
  return ed25519Signer(loadOrCreatePrivateKey(path, 'ed25519'));
}

/** Loads an existing key. */
export function loadKeyFile(path: string): LocalSigner {
  return ed25519Signer(loadPrivateKey(path, 'ed25519'));
}

/** What a key file may hold, as `node:crypto` names it. */
export type KeyFileType = 'ed25519' | 'ml-dsa-44';

/** The key itself, for signers of other types. */
export function loadOrCreatePrivateKey(path: string, type: KeyFileType): KeyObject {
  const existing = loadPrivateKeyIfThere(path, type);
  if (existing !== undefined) return existing;
  createKeyFile(path, type);
  return loadPrivateKey(path, type);
}

function loadPrivateKeyIfThere(path: string, type: KeyFileType): KeyObject | undefined {
  try {
    return loadPrivateKey(path, type);
  } catch (error) {
    if (error instanceof KeyFileError && error.code === 'KEY_FILE_MISSING') return undefined;
    throw error;
  }
}

function loadPrivateKey(path: string, type: KeyFileType): KeyObject {
  return parseKey(path, readPrivateFile(path), type);
}

function ed25519Signer(privateKey: KeyObject): LocalSigner {
  const publicKey = rawPublicKey(privateKey);
  return {
    algorithm: 'ed25519',
    publicKey,
    // A copy of its own: a pooled buffer would drag other secrets along.
    sign: (bytes) => Uint8Array.from(sign(null, bytes, privateKey)),
  };
}

const fixes: Readonly<Record<KeyFileErrorCode, string>> = {
  KEY_FILE_MISSING: 'does not exist',
  KEY_FILE_UNREADABLE: 'cannot be read: check that it is a file and belongs to this user',
  KEY_FILE_NOT_WRITABLE: 'cannot be created: check that the folder belongs to this user',
  KEY_FILE_MODE: 'others can read it: run `chmod 600` on it, and make a new key if it leaked',
  KEY_FILE_MALFORMED: 'holds no unencrypted PKCS#8 private key in PEM form',
  KEY_FILE_NOT_ED25519: 'holds a key that is not Ed25519',
  KEY_FILE_NOT_ML_DSA_44: 'holds a key that is not ML-DSA-44',
  KEY_FILE_ALG_UNAVAILABLE:
    'this Node has no ML-DSA-44: run Node 24.6 or newer, or take `pq` out of the file',
};

const notOfType: Readonly<Record<KeyFileType, KeyFileErrorCode>> = {
  ed25519: 'KEY_FILE_NOT_ED25519',
  'ml-dsa-44': 'KEY_FILE_NOT_ML_DSA_44',
};

const sizeMaxBytes = 16_384;
const othersMask = 0o077;

function readPrivateFile(path: string): string {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new KeyFileError(isMissing ? 'KEY_FILE_MISSING' : 'KEY_FILE_UNREADABLE', path, error);
  }
  try {
    const { mode, size } = checkedStat(path, file);
    // Windows has no such bits: there the folder's access list protects the file.
    if (process.platform !== 'win32' && (mode & othersMask) !== 0) {
      throw new KeyFileError('KEY_FILE_MODE', path);
    }
    if (size > sizeMaxBytes) throw new KeyFileError('KEY_FILE_MALFORMED', path);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

function checkedStat(path: string, file: number): { mode: number; size: number } {
  const stat = fstatSync(file);
  if (!stat.isFile()) throw new KeyFileError('KEY_FILE_UNREADABLE', path);
  return stat;
}

function parseKey(path: string, pem: string, type: KeyFileType): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: pem, format: 'pem', type: 'pkcs8' });
  } catch {
    // The cause is left out: OpenSSL may quote what it read.
    throw new KeyFileError('KEY_FILE_MALFORMED', path);
  }
  // The types know the key types of an older Node.
  const found: string | undefined = key.asymmetricKeyType;
  if (found !== type) throw new KeyFileError(notOfType[type], path);
  return key;
}

function rawPublicKey(privateKey: KeyObject): Uint8Array {
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  // An Ed25519 SPKI is a fixed prefix of 12 bytes and the key.
  return Uint8Array.from(spki.subarray(-32));
}

function createKeyFile(path: string, type: KeyFileType): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeNewKey(path, type);
  } catch (error) {
    throw new KeyFileError('KEY_FILE_NOT_WRITABLE', path, error);
  }
}

function writeNewKey(path: string, type: KeyFileType): void {
  const { privateKey } = generateKeyPairSync(type as 'ed25519');
  const temporary = temporaryName(path);
  try {
    writeDurably(temporary, privateKey.export({ format: 'pem', type: 'pkcs8' }));
    linkUnlessThere(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

// A link appears whole or not at all, and never replaces the key of a process that was faster.
function linkUnlessThere(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return;
  }
  syncFolder(dirname(path));
}
