// One proposal on its way into the store: what the planner needs beside the facts.

import type { ComparedCall } from '../history.ts';
import type { ApprovalTerms } from '../operation.ts';

/** What an operation is bound to beside its values; part of op_hash. */
interface OperationBinding {
  /** Origin of the receipt log. */
  readonly gateway: string;
  readonly contractDigest: string;
  readonly principal: string;
  readonly agent: string;
  readonly mandateHash: string;
  readonly policySet: string;
  readonly policySchema: string;
  readonly policyEngine: string;
  readonly connector: string;
  readonly connectorVersion: string;
  /** Name and identity of the server behind the connector. */
  readonly server: string;
  /** SHA-256 (hex) of the tool's recorded definition; null when pins are off. */
  readonly definition: string | null;
}

/** Identities and texts of one proposal. Random parts are made outside the core. */
export interface ProposalDraft {
  /** 128 random bits, lower-case hex; also the decision id. */
  readonly opId: string;
  /** 128 random bits, lower-case hex; used when a person is asked. */
  readonly approvalId: string;
  /** 32 random bytes, base64url. */
  readonly nonce: string;
  readonly channel: string;
  readonly client: string | undefined;
  /** The action as configured, or the name that was asked for. */
  readonly action: string;
  /** The arguments as the agent wrote them; absent when they are too long to be kept. */
  readonly raw: string | undefined;
  /** SHA-256 (hex) of arguments that are not kept. */
  readonly rawHash: string | undefined;
  /** UTF-8 size of the arguments. */
  readonly rawBytes: number;
  readonly mandateId: string;
  /** Absent while the call is not resolved. */
  readonly fingerprint: string | undefined;
  /** Keyed hash of values that may succeed once; absent when the contract names none. */
  readonly once?: string;
  /** Absent for reads, and when nobody is named whom it goes to. */
  readonly compared?: ComparedCall;
  readonly binding: OperationBinding;
  /** Exact JSON text to send; absent while the call is not resolved. */
  readonly call: string | undefined;
  /** Undeclared arguments as one JSON text; absent when there are none. */
  readonly rest: string | undefined;
  /** One line for a person, values filled in. */
  readonly sentence: string;
  /** The same for the agent, without values that it only referred to. */
  readonly summary: string;
  /** Labels by parameter name. */
  readonly labels: Readonly<Record<string, string>>;
  /** Process that will dispatch. */
  readonly owner: string;
  readonly attemptTimeoutMs: number;
  readonly approvalExpiresMs: Readonly<Record<1 | 2, number>>;
  /** Who has to approve, by level. */
  readonly approvalTerms: Readonly<Record<1 | 2, ApprovalTerms>>;
}
