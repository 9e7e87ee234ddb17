// What the proxy offers to the client: configured tools under their final names.
import type { Contract } from '../core/contract.ts';

export interface ExposedTool {
  /** What the client calls it. */
  readonly name: string;
  readonly server: string;
  /** The server's own name of the tool. */
  readonly tool: string;
  readonly kind: 'guarded' | 'passthrough';
  /** The contracts of a guarded tool, one per act; empty for passthrough. */
  readonly contracts: readonly Contract[];
}
