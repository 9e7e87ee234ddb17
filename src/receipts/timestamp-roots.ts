// The certificates of a trust file that timestamps are believed on: a list of PEM texts.
import { decodeBase64 } from '../core/base64.ts';
import type { JsonValue } from '../core/json-value.ts';

/** Roots of one trust file. */
const timestampRootsMax = 32;

const pem =
  /^-----BEGIN CERTIFICATE-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END CERTIFICATE-----\r?\n?$/;

/** In DER form. Undefined when the value is anything else than a list of PEM texts, one certificate each. */
export function parseTimestampRoots(json: JsonValue): readonly Uint8Array[] | undefined {
  if (!Array.isArray(json) || json.length > timestampRootsMax) return undefined;
  const roots = json.flatMap((text: JsonValue) => {
    const [, body] = (typeof text === 'string' ? pem.exec(text) : undefined) ?? [];
    const der = body === undefined ? undefined : decodeBase64(body.replace(/[\r\n]/g, ''));
    return der?.ok === true ? [der.value] : [];
  });
  return roots.length === json.length ? roots : undefined;
}
