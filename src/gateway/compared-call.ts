// What a call says for later comparisons: its recipient and its values as keyed hashes, no value.
import type { Contract, ParamContract } from '../core/contract.ts';
import type { ResolvedValue } from '../core/decision.ts';
import { type ComparedCall, restField } from '../core/history.ts';
import type { JsonObject } from '../core/json-value.ts';
import { hmacSha256Base64Url } from '../core/sha256.ts';
import { sortedKeys } from './fingerprint.ts';

/** The call as it was resolved. */
interface Resolved {
  readonly contract: Contract;
  readonly values: readonly ResolvedValue[];
  /** Undeclared arguments. */
  readonly rest: JsonObject;
}

/** 128 bits of a keyed hash tell whether two values are the same. */
const fieldLength = 22;

/** Undefined for reads, and for an action that names nobody whom it goes to. */
export function comparedCall(
  secret: Uint8Array,
  tenant: string,
  { contract, values, rest }: Resolved,
): ComparedCall | undefined {
  if (contract.effect === 'read') return undefined;
  const recipient = contract.params.find(isRecipient);
  const named = values.filter(({ param }) => param === recipient?.name);
  if (named.length === 0) return undefined;
  const owner = [tenant, contract.server, contract.action];
  const keyed = (kind: string, what: unknown): string =>
    hmacSha256Base64Url(secret, JSON.stringify([kind, ...owner, what]));
  const recipients = named.map(({ canonical }) => canonical);
  const compared = values.filter(({ param }) => isCompared(contract, param, recipient?.name));
  const fields = Object.entries(valuesByField(compared, rest)).map(
    ([field, list]) => [field, keyed('field', [field, list]).slice(0, fieldLength)] as const,
  );
  return {
    recipientKey: keyed('recipient', recipients.toSorted()),
    recipientPaths: named.map(({ path }) => path),
    fields: Object.fromEntries(fields),
  };
}

/**
 * Whom it goes to: the first critical text of the contract that a registry or the user's own request
 * explains. The contract alone says which one, so no agent chooses what is compared. What the
 * contract fixes or the mandate claims is about the principal.
 */
function isRecipient({ critical, type, sources }: ParamContract): boolean {
  const isExplained = sources.some(({ kind }) => kind === 'registry' || kind === 'request');
  return critical && type === 'string' && isExplained;
}

/** What has to differ from call to call is no news. */
function isCompared(
  { params, once = [], volatile }: Contract,
  name: string,
  recipient: string | undefined,
): boolean {
  const first = params.find((param) => param.name === name)?.path[0];
  const argument = first?.kind === 'key' ? first.key : name;
  return name !== recipient && !once.includes(name) && !volatile.includes(argument);
}

/** `items[0].sku` and `items[1].sku` are one field. */
export const fieldOfPath = (path: string): string => path.replaceAll(/\[\d+\]/g, '[]');

function valuesByField(
  values: readonly ResolvedValue[],
  rest: JsonObject,
): Readonly<Record<string, readonly unknown[]>> {
  const fields: Record<string, unknown[]> = Object.create(null);
  for (const { path, canonical } of values) {
    const field = fieldOfPath(path);
    fields[field] = [...(fields[field] ?? []), [path, canonical]];
  }
  if (Object.keys(rest).length > 0) fields[restField] = [sortedKeys(rest)];
  return fields;
}
