// Terms and votes of a request as the JSON texts that databases keep.
import type { ApprovalTerms, Vote } from '../core/operation.ts';

export const termsText = (terms: ApprovalTerms): string => JSON.stringify(terms);

export const votesText = (votes: readonly Vote[]): string => JSON.stringify(votes);

/** An absent member is one that JSON cannot say. */
export function readTerms(text: string): ApprovalTerms {
  const terms = JSON.parse(text) as ApprovalTerms;
  return { ...terms, soloWaitMs: terms.soloWaitMs };
}

export function readVotes(text: string): readonly Vote[] {
  const votes = JSON.parse(text) as readonly Vote[];
  return votes.map((vote) => ({ ...vote, credentialId: vote.credentialId }));
}
