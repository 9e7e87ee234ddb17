// A passkey that says who somebody is: over a challenge of ours that works once, for one form.
import { z } from 'zod';
import { type KeptCredential, keepCounter } from '../approvals/passkey/keep-counter.ts';
import { encodeBase64Url } from '../core/base64.ts';
import type { Assurance } from '../core/operation.ts';
import type { CredentialRow, PersonRow } from '../core/person.ts';
import { type FormCall, readForm, servedMs } from './form-request.ts';
import { faultAnswer, type HttpAnswer, jsonAnswer } from './http-answer.ts';
import { makeChallenge, useChallenge } from './page-challenge.ts';
import type { PageContext } from './page-context.ts';
import { peopleOf, personOfId } from './page-people.ts';

/** Who it is, and how that was proven. */
export interface IdentityProof {
  readonly person: PersonRow;
  readonly factor: Assurance;
}

const prompt = { userVerification: 'required', timeout: 120_000 } as const;

export const tokenSchema: z.ZodType<{ readonly csrf: string }> = z.strictObject({
  csrf: z.string().max(100),
});

/**
 * What the browser asks its authenticator. No name and no list of passkeys goes in or out, so
 * nobody learns here who has one.
 */
export async function askPasskey(
  context: PageContext,
  call: FormCall,
  form: string,
): Promise<HttpAnswer> {
  const body = await readForm(context, call, tokenSchema);
  if (!body.ok) return body.error;
  if (servedMs(context, call, { form, token: body.value.csrf }) === undefined) {
    return faultAnswer('FORBIDDEN');
  }
  const { challenge, sealed } = makeChallenge(context, form);
  const { rpId } = context.site;
  return jsonAnswer({
    ok: true,
    sealed,
    options: { challenge: encodeBase64Url(challenge), rpId, ...prompt },
  });
}

/** Undefined for everything that is no fresh signature of a person who is still here. */
export async function passkeyProof(
  context: PageContext,
  form: string,
  { sealed, assertion }: { readonly sealed: string; readonly assertion: unknown },
): Promise<IdentityProof | undefined> {
  const random = await useChallenge(context, sealed, form);
  const found = await findCredential(context, assertion);
  if (random === undefined || found === undefined) return undefined;
  const { credential } = found;
  const person = personOfId(await peopleOf(context), context, credential.personId);
  if (person === undefined) return undefined;
  const { verifyAssertion } = await import('../approvals/passkey/assertion.ts');
  const verdict = await verifyAssertion({
    ...context.site,
    response: assertion,
    credential,
    challenge: { purpose: 'sign-in', random },
  });
  if (!verdict.ok) return undefined;
  if (!(await keepCounter(context.records, found, verdict))) {
    context.log('warn', 'the counter of a passkey went back: it may have been copied', {
      credential: credential.credentialId,
    });
  }
  return { person, factor: verdict.assurance };
}

async function findCredential(
  { records }: PageContext,
  assertion: unknown,
): Promise<KeptCredential | undefined> {
  const id = z.object({ id: z.string() }).safeParse(assertion);
  if (!id.success) return undefined;
  const [record] = await records.readRecords({ kind: 'credential', id: id.data.id });
  if (record === undefined) return undefined;
  return { record, credential: JSON.parse(record.fields) as CredentialRow };
}
