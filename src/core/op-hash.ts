// The name of a resolved operation: what is shown, approved, executed and recorded.
import { operationLabel } from './operation-preimage.ts';
import { sha256Hex } from './sha256.ts';

export {
  encodePreimage,
  type OperationPreimage,
  PreimageError,
  parsePreimage,
} from './operation-preimage.ts';

/** Lower-case hex of SHA-256 over label, a zero byte and the preimage text as it stands. */
export function opHash(preimageText: string): string {
  return sha256Hex(`${operationLabel}\u0000${preimageText}`);
}
