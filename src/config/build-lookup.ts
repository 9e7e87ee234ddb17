// `idempotency` and `reconcile` of a tool as parts of its contract.
import type { Contract, LookupMatch, LookupRule } from '../core/contract.ts';
import { splitToolName } from './exposed-tools.ts';
import type { LookupMatchShape, ToolShape } from './file-shape.ts';
import { given } from './given.ts';

export function idempotencyTerms({ idempotency }: ToolShape): Contract['idempotency'] {
  if (idempotency === undefined) return undefined;
  return { argument: idempotency.argument, lifetimeMs: idempotency.lifetime };
}

/** A name that is none of a server has an empty server: that is refused elsewhere. */
export function lookupRule(
  { reconcile }: ToolShape,
  servers: readonly string[],
): LookupRule | undefined {
  if (reconcile === undefined) return undefined;
  return {
    ...(splitToolName(reconcile.tool, servers) ?? { server: '', tool: reconcile.tool }),
    arguments: reconcile.arguments ?? {},
    succeeded: lookupMatch(reconcile.succeeded),
    ...given({
      failed: reconcile.failed && lookupMatch(reconcile.failed),
      absent: reconcile.absent && lookupMatch(reconcile.absent),
      amount: reconcile.amount,
      reference: reconcile.reference,
      key: reconcile.key,
      absenceFinalAfterMs: reconcile.absence_final_after,
    }),
  };
}

function lookupMatch({ pointer, value, text, is_error }: LookupMatchShape): LookupMatch {
  const values = Array.isArray(value) ? value : [value];
  return {
    isError: is_error ?? false,
    ...given({ pointer, text, values: value === undefined ? undefined : values }),
  };
}
