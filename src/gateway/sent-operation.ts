// An operation that was sent, read back with the contract it was decided under.
import type { TargetPromises } from '../connectors/connector.ts';
import { pathText } from '../core/checks/find-values.ts';
import type { Contract } from '../core/contract.ts';
import { opHash } from '../core/op-hash.ts';
import { type OperationPreimage, parsePreimage } from '../core/operation-preimage.ts';
import { parseLeaf } from '../core/parse-leaf.ts';
import { sha256Hex } from '../core/sha256.ts';
import type { CheckJob } from '../stores/check-job.ts';
import type { StoredLeaf, StoredOperation } from '../stores/store.ts';
import type { GatewayParts } from './gateway-parts.ts';

/** Everything that a look-up or another attempt rests on. */
export interface SentOperation {
  readonly stored: StoredOperation;
  readonly preimage: OperationPreimage;
  readonly contract: Contract;
  readonly promises: TargetPromises;
  /** When its first attempt was committed. */
  readonly firstSentMs: number;
  /** In budget units; undefined when the contract charges none. */
  readonly decidedAmount: number | undefined;
}

const encoder = new TextEncoder();

/**
 * Undefined when nothing can be done for it here: it moved on, its texts were erased or changed, or
 * its contract is no longer the one it was decided under, which may ask in another way than it was sent.
 */
export async function readSentOperation(
  parts: GatewayParts,
  { opId, attempt }: Pick<CheckJob, 'opId' | 'attempt'>,
): Promise<SentOperation | undefined> {
  const stored = await parts.store.readOperation(opId);
  if (stored?.row.state !== 'UNKNOWN' || stored.row.attempt !== attempt) return undefined;
  const preimage = intactPreimage(stored);
  const first = firstAttempt(await parts.store.readLeaves({ opId }));
  if (preimage === undefined || first?.callHash !== sha256Hex(stored.call)) return undefined;
  const contract = [...parts.contracts.values()]
    .flat()
    .find(({ digest }) => digest === preimage.contract);
  const promises = contract && parts.connector.promises?.(contract);
  if (contract === undefined || promises === undefined) return undefined;
  return {
    stored,
    preimage,
    contract,
    promises,
    firstSentMs: first.sentMs,
    decidedAmount: decidedAmount(preimage, contract),
  };
}

function intactPreimage({ preimage, row }: StoredOperation): OperationPreimage | undefined {
  if (opHash(preimage) !== row.opHash) return undefined;
  const parsed = parsePreimage(encoder.encode(preimage));
  return parsed.ok ? parsed.value : undefined;
}

function firstAttempt(
  leaves: readonly StoredLeaf[],
): { readonly sentMs: number; readonly callHash: unknown } | undefined {
  const stored = leaves.find(({ type }) => type === 'attempt');
  const leaf = stored && parseLeaf(stored.bytes);
  const callHash = stored?.payload['call_sha256']?.value;
  if (leaf?.ok !== true || callHash === undefined) return undefined;
  return { sentMs: leaf.value.ts, callHash: JSON.parse(callHash) as unknown };
}

function decidedAmount(
  { values }: OperationPreimage,
  { budgetParam, params }: Contract,
): number | undefined {
  const charged = params.find(({ name }) => name === budgetParam);
  const value = charged && values[pathText(charged.path)]?.value;
  return typeof value === 'number' ? value : undefined;
}
