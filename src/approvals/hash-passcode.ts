// scrypt as passcode strings use it, on a thread of the pool: the event loop goes on.
import { scrypt } from 'node:crypto';

/** Cost and salt; the fields of a passcode string without its key. */
export interface PasscodeCost {
  readonly log2N: number;
  readonly r: number;
  readonly p: number;
  readonly salt: Uint8Array;
}

const keySizeBytes = 32;

/** The 32-byte key of a passcode that `readPasscode` accepted. */
export function hashPasscode(passcode: string, cost: PasscodeCost): Promise<Uint8Array> {
  const { log2N, r, p, salt } = cost;
  const N = 2 ** log2N;
  // Node refuses more than 32 MiB by default; this is what scrypt really needs, and a little more.
  const maxmem = 128 * r * (N + p) + 1024 * 1024;
  return new Promise((resolve, reject) => {
    scrypt(passcode, salt, keySizeBytes, { N, r, p, maxmem }, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
