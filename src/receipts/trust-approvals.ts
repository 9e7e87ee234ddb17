// What a trust file asks of people's answers: how strong they are, and whose keys may sign them.
import { decodeBase64Url } from '../core/base64.ts';
import { isJsonObject, type JsonValue } from '../core/json-value.ts';
import type { Assurance } from '../core/operation.ts';
import { parseCoseKey } from './cose-key.ts';

/** The part `approvals` of a trust file. */
export interface TrustApprovals {
  /** Weaker approvals are refused. */
  readonly assuranceMin: Assurance | undefined;
  /** The only passkeys that may sign; undefined = any. */
  readonly passkeys: readonly TrustedPasskey[] | undefined;
  /** Approvals where one person stands for two are refused. */
  readonly refusesSolo: boolean;
}

/** A passkey that the auditor knows. */
export interface TrustedPasskey {
  /** As receipts write the person. */
  readonly person: string;
  /** COSE key, base64url. */
  readonly publicKey: string;
}

/** How strongly an answer is tied to a person, weak to strong. */
export const assurances: readonly Assurance[] = [
  ...(['elicitation', 'passcode', 'oidc', 'passkey', 'passkey-bound'] as const),
];

/** Undefined when the value is anything else than such a part. */
export function parseTrustApprovals(json: JsonValue): TrustApprovals | undefined {
  if (!isJsonObject(json)) return undefined;
  const { min_assurance: min, passkeys: rows, refuse_solo: refused, ...others } = json;
  const assuranceMin = assurances.find((each) => each === min);
  const passkeys = rows === undefined ? undefined : parsePasskeys(rows);
  const isRead =
    (min === undefined || assuranceMin !== undefined) &&
    (rows === undefined || passkeys !== undefined) &&
    // `false` would only repeat the default, and looks like a rule.
    (refused === undefined || refused === true) &&
    Object.keys(others).length === 0;
  return isRead ? { assuranceMin, passkeys, refusesSolo: refused === true } : undefined;
}

function parsePasskeys(json: JsonValue): readonly TrustedPasskey[] | undefined {
  if (!Array.isArray(json)) return undefined;
  const rows = json.flatMap((row: JsonValue) => parsePasskey(row) ?? []);
  const keys = new Set(rows.map(({ publicKey }) => publicKey));
  // A key of two people would name neither.
  return rows.length === json.length && keys.size === rows.length ? rows : undefined;
}

function parsePasskey(json: JsonValue): TrustedPasskey | undefined {
  if (!isJsonObject(json) || Object.keys(json).length !== 2) return undefined;
  const { person, public_key: publicKey } = json;
  if (typeof person !== 'string' || person === '' || typeof publicKey !== 'string') {
    return undefined;
  }
  const bytes = decodeBase64Url(publicKey);
  const isKey = bytes.ok && parseCoseKey(bytes.value) !== undefined;
  return isKey ? { person, publicKey } : undefined;
}
