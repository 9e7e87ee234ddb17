// Whether the operation in a bundle is the one that the receipt names by its hash.
import type { Leaf } from '../core/leaf-format.ts';
import { operationLabel, type PreimageFault, parsePreimage } from '../core/operation-preimage.ts';
import { err, ok, type Result } from '../core/result.ts';
import { toHex } from './hex.ts';
import { webSha256 } from './web-hash.ts';

/** Why it is not. */
export type OperationFault =
  | PreimageFault['code']
  | 'OP_HASH_MISSING'
  | 'OP_HASH_MISMATCH'
  | 'PREIMAGE_OTHER_OPERATION';

/** `origin` is that of the checkpoint; both are undefined when they cannot be read. */
export async function checkOperation(
  preimageText: string,
  logged: { readonly leaf: Leaf | undefined; readonly origin: string | undefined },
): Promise<Result<true, OperationFault>> {
  const bytes = new TextEncoder().encode(preimageText);
  const preimage = parsePreimage(bytes);
  if (!preimage.ok) return err(preimage.error.code);
  const hash = logged.leaf?.open['op_hash'];
  if (logged.leaf === undefined || typeof hash !== 'string') return err('OP_HASH_MISSING');
  const label = new TextEncoder().encode(`${operationLabel}\u0000`);
  if (toHex(await webSha256(Uint8Array.from([...label, ...bytes]))) !== hash) {
    return err('OP_HASH_MISMATCH');
  }
  const { op_id: opId, gateway } = preimage.value;
  const isSameOperation = opId === logged.leaf.opId && gateway === logged.origin;
  return isSameOperation ? ok(true) : err('PREIMAGE_OTHER_OPERATION');
}
