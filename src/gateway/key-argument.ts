// The argument that carries the gateway's key: the gateway writes it, whatever the agent put there.
import type { Contract } from '../core/contract.ts';
import type { JsonObject } from '../core/json-value.ts';
import { attemptKey } from '../core/operation.ts';
import { withoutArguments } from './resolve-arguments.ts';

type Terms = Pick<Contract, 'idempotency'>;

/** What the agent wrote without a key of its own: two calls that differ in it are the same call. */
export function withoutKey({ idempotency }: Terms, args: JsonObject): JsonObject {
  return idempotency === undefined ? args : withoutArguments(args, [idempotency.argument]);
}

/** With the key of an operation in its place; as it is where the contract names no argument. */
export function withKey({ idempotency }: Terms, args: JsonObject, opId: string): JsonObject {
  if (idempotency === undefined) return args;
  return { ...args, [idempotency.argument]: attemptKey(opId) };
}

/** A key of the form that will be sent, for the tool's own schema. */
export const withSampleKey = (terms: Terms, args: JsonObject): JsonObject =>
  withKey(terms, args, '0'.repeat(32));
