// Recognises values that may succeed once without keeping them: a keyed hash.
import type { Contract } from '../core/contract.ts';
import type { ResolvedValue } from '../core/decision.ts';
import { hmacSha256Base64Url } from '../core/sha256.ts';

/** One owner's values of one action: whoever asks, under whichever mandate. Undefined when the contract names none. */
export function onceKeyOf(
  secret: Uint8Array,
  tenant: string,
  { contract, values }: { readonly contract: Contract; readonly values: readonly ResolvedValue[] },
): string | undefined {
  if (contract.once === undefined) return undefined;
  const named = contract.once.map((name) => [
    name,
    values.find((value) => value.param === name)?.canonical ?? null,
  ]);
  return hmacSha256Base64Url(secret, JSON.stringify(['once', tenant, contract.action, named]));
}
