// Whether a disclosed value and its salt give a commitment.
import { decodeBase64Url, encodeBase64Url } from '../core/base64.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { commitmentText, type LeafType } from '../core/leaf-format.ts';
import type { Disclosure } from './bundle.ts';
import { webHmacSha256 } from './web-hash.ts';

/** True when the leaf of this type committed to exactly this value under this name. */
export async function isOpenedBy(
  commitment: string,
  opened: { readonly type: LeafType; readonly field: string; readonly disclosure: Disclosure },
): Promise<boolean> {
  const { type, field, disclosure } = opened;
  const salt = decodeBase64Url(disclosure.salt);
  const text = new TextEncoder().encode(
    commitmentText(type, canonicalJson(field), disclosure.value),
  );
  return salt.ok && encodeBase64Url(await webHmacSha256(salt.value, text)) === commitment;
}
