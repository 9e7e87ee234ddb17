// A signature of a person's passkey over one stored operation: verified here and nowhere before.
import { type KeptCredential, keepCounter } from '../approvals/passkey/keep-counter.ts';
import { opHash } from '../core/op-hash.ts';
import type { Assurance } from '../core/operation.ts';
import type { CredentialRow, PersonRow } from '../core/person.ts';
import { formatPasskeyEvidence } from '../receipts/passkey-evidence.ts';
import type { StoredApproval } from '../stores/store.ts';
import type { PersonAnswer } from './gateway.ts';
import type { GatewayParts } from './gateway-parts.ts';

/** What the answer's leaf says about the signature. */
export interface PasskeyProof {
  readonly assurance: Assurance;
  readonly credentialId: string;
  /** Canonical JSON; anybody can check the signature again with it. */
  readonly evidence: string;
}

/** Undefined when it is no valid signature of this person over exactly this operation. */
export async function provePasskey(
  parts: GatewayParts,
  stored: StoredApproval,
  answer: PersonAnswer,
): Promise<PasskeyProof | undefined> {
  const site = parts.approvals.site?.();
  const found = await findCredential(parts, answer);
  if (site === undefined || found === undefined) return undefined;
  // Of the stored bytes, not of what anybody says that they hash to.
  const challenge = Buffer.from(opHash(stored.operation.preimage), 'hex');
  const { verifyAssertion } = await import('../approvals/passkey/assertion.ts');
  const verdict = await verifyAssertion({
    ...site,
    response: answer.assertion,
    credential: found.credential,
    challenge: { purpose: 'approve', opHash: challenge },
  });
  if (!verdict.ok) {
    parts.log('warn', 'a passkey was refused', {
      approval: answer.approvalId,
      reason: verdict.reason,
    });
    return undefined;
  }
  if (!(await keepCounter(parts.store, found, verdict))) {
    parts.log('warn', 'the counter of a passkey went back: it may have been copied', {
      credential: found.credential.credentialId,
    });
  }
  return {
    assurance: verdict.assurance,
    credentialId: found.credential.credentialId,
    evidence: formatPasskeyEvidence(verdict.evidence),
  };
}

/** The passkey that the answer names, when it is one of this person. */
async function findCredential(
  { store }: GatewayParts,
  { assertion, person: handle }: PersonAnswer,
): Promise<KeptCredential | undefined> {
  const id = idOf(assertion);
  if (id === undefined) return undefined;
  const [records, people] = await Promise.all([
    store.readRecords({ kind: 'credential', id }),
    store.readRecords({ kind: 'person' }),
  ]);
  const [record] = records;
  if (record === undefined) return undefined;
  const credential = JSON.parse(record.fields) as CredentialRow;
  const persons = people.map(({ fields }) => JSON.parse(fields) as PersonRow);
  const person = persons.find((each) => each.handle === handle);
  // Whom nobody wrote down is named by the handle.
  const isOwn = credential.personId === (person?.personId ?? handle);
  return isOwn ? { record, credential } : undefined;
}

function idOf(assertion: unknown): string | undefined {
  if (typeof assertion !== 'object' || assertion === null || !('id' in assertion)) return undefined;
  return typeof assertion.id === 'string' ? assertion.id : undefined;
}
