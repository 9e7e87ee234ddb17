// The configuration as leaves name it: keyed by the store's secret, since a file holds personal values that can be guessed.
import { hmacSha256Base64Url } from '../core/sha256.ts';

/** Equal configurations of one store have equal stamps; nobody without the secret can tell which. */
export function configStamp(secret: Uint8Array, configDigest: string): string {
  return hmacSha256Base64Url(secret, `intentplane/config/v1\u0000${configDigest}`);
}
