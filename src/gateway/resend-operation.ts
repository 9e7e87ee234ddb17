// Another attempt of an operation whose outcome nobody knows: same key, same bytes, same target.
import { findValues } from '../core/checks/find-values.ts';
import type { ResolvedValue } from '../core/decision.ts';
import type { JsonObject } from '../core/json-value.ts';
import type { ResendRequest } from '../core/moves/plan-resend.ts';
import type { Execution } from './execute-operation.ts';
import type { Caller } from './gateway.ts';
import type { GatewayParts } from './gateway-parts.ts';
import type { SentOperation } from './sent-operation.ts';

/** Nobody waits for the answer: a success answers the next identical call. */
const nobody: Caller = {
  channel: 'library',
  client: undefined,
  signal: AbortSignal.abort(),
  meta: undefined,
  onProgress: undefined,
  form: false,
};

/** The committed attempt, to be executed; undefined when some rule does not allow one. */
export async function resendOperation(
  parts: GatewayParts,
  sent: SentOperation,
  because: ResendRequest['because'],
): Promise<Execution | undefined> {
  const { stored, contract, promises, firstSentMs } = sent;
  const { opId, attempt, mandateId } = stored.row;
  if (!isSameTarget(parts, sent)) return undefined;
  const plan = await parts.store.resend({
    opId,
    mandateId,
    attempt,
    owner: parts.processId,
    connector: parts.connector.name,
    call: stored.call,
    attemptTimeoutMs: parts.attemptTimeoutMs(contract.server),
    firstSentMs,
    keyLifetimeMs: promises.keyLifetimeMs,
    because,
    absenceFinalAfterMs: promises.absenceFinalAfterMs,
  });
  if (plan.kind === 'refused') {
    parts.log('info', `an unknown operation is not sent again: ${plan.reason}`, { op: opId });
    return undefined;
  }
  parts.log('warn', 'an unknown operation is sent again with the same key', { op: opId });
  const values = sentValues(sent);
  const { attempt: next } = plan.operation;
  return { opId, attempt: next, decisionId: opId, contract, values, caller: nobody };
}

/** The key means something to the target that has seen it, and to no other. */
function isSameTarget(
  { connector, definitionOf }: GatewayParts,
  { contract, preimage: { target } }: SentOperation,
): boolean {
  const current = definitionOf(contract.server, contract.tool);
  if (current.kind !== 'current') return false;
  return (
    target.connector === connector.name &&
    target.version === connector.version &&
    target.server === `${contract.server} ${current.serverIdentity}` &&
    target.definition === current.digest
  );
}

/** The values of the call as an answer is compared with them. */
function sentValues({ stored, contract, preimage }: SentOperation): readonly ResolvedValue[] {
  const call = JSON.parse(stored.call) as JsonObject;
  return contract.params.flatMap((param) =>
    findValues(param, call).values.flatMap(({ path, value }): readonly ResolvedValue[] => {
      const canonical = preimage.values[path]?.value;
      if (!isScalar(canonical)) return [];
      const kept = {
        param: param.name,
        path,
        canonical,
        display: String(canonical),
        send: isScalar(value) ? value : canonical,
        source: preimage.origins[path]?.source ?? 'untrusted',
      };
      const unused = { replaced: false, byReference: false, origin: 'untrusted' } as const;
      return [{ ...kept, ...unused, warnings: [] }];
    }),
  );
}

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);
