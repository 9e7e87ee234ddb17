// Challenges of sign-ins and enrolments: the browser keeps them sealed, and each works once.
import { randomBytes } from 'node:crypto';
import { openText, sealText } from '../approvals/sealed-text.ts';
import { sha256Hex } from '../core/sha256.ts';
import type { PageContext } from './page-context.ts';

const label = 'intentplane/page-challenge/v1';
/** A little longer than a prompt of the browser. */
const validForMs = 150_000;
const sizeBytes = 32;

interface Sealed {
  readonly purpose: string;
  readonly challenge: string;
  readonly untilMs: number;
}

/** 32 random bytes, and the text that the browser hands back with them. */
export function makeChallenge(
  { secret, clock }: Pick<PageContext, 'secret' | 'clock'>,
  purpose: string,
): { readonly challenge: Uint8Array; readonly sealed: string } {
  const challenge = randomBytes(sizeBytes);
  const content: Sealed = {
    purpose,
    challenge: challenge.toString('hex'),
    untilMs: clock().nowMs + validForMs,
  };
  return { challenge, sealed: sealText(JSON.stringify(content), { secret, label }) };
}

/** The bytes, the first time and for the same purpose only. */
export async function useChallenge(
  { secret, clock, records }: Pick<PageContext, 'secret' | 'clock' | 'records'>,
  sealed: string,
  purpose: string,
): Promise<Uint8Array | undefined> {
  const text = openText(sealed, { secret, label });
  if (text === undefined) return undefined;
  const content = JSON.parse(text) as Sealed;
  if (content.purpose !== purpose || content.untilMs <= clock().nowMs) return undefined;
  const isFirst = await records.useNonce(sha256Hex(content.challenge), content.untilMs);
  return isFirst ? Buffer.from(content.challenge, 'hex') : undefined;
}
