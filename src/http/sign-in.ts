// Signing in and out: with a passcode, or with a passkey over a challenge that works once.
import { z } from 'zod';
import { busyAnswer, type FormCall, readForm, servedMs } from './form-request.ts';
import { faultAnswer, type HttpAnswer, jsonAnswer } from './http-answer.ts';
import type { PageContext } from './page-context.ts';
import { peopleOf, personOfHandle } from './page-people.ts';
import { type IdentityProof, passkeyProof, tokenSchema } from './passkey-proof.ts';
import { closeSession, noSession, openSession } from './session.ts';

export const signInForm = 'sign-in';
export const signOutForm = 'sign-out';

interface SignInBody {
  readonly csrf: string;
  readonly person?: string;
  readonly passcode?: string;
  readonly sealed?: string;
  /** Answer of `navigator.credentials.get()`. */
  readonly assertion?: unknown;
}

const signInSchema: z.ZodType<SignInBody> = z.union([
  z.strictObject({
    csrf: z.string().max(100),
    person: z.string().min(1).max(200),
    passcode: z.string().max(1_024),
  }),
  z.strictObject({
    csrf: z.string().max(100),
    sealed: z.string().max(1_000),
    assertion: z.record(z.string(), z.unknown()),
  }),
]);

/** POST `/sign-in`. Whoever was signed in before in this browser no longer is. */
export async function signIn(context: PageContext, call: FormCall): Promise<HttpAnswer> {
  const body = await readForm(context, call, signInSchema);
  if (!body.ok) return body.error;
  if (servedMs(context, call, { form: signInForm, token: body.value.csrf }) === undefined) {
    return faultAnswer('FORBIDDEN');
  }
  const proof = await prove(context, body.value);
  if ('status' in proof) return proof;
  if (call.session !== undefined) await closeSession(context, call.session);
  const cookie = await openSession(context, proof.person, proof.factor);
  context.log('info', 'approval page: somebody signed in', { factor: proof.factor });
  return { ...jsonAnswer({ ok: true }), headers: { 'Set-Cookie': cookie } };
}

async function prove(context: PageContext, body: SignInBody): Promise<IdentityProof | HttpAnswer> {
  const { person: handle, passcode, sealed, assertion } = body;
  if (handle !== undefined && passcode !== undefined) {
    return passcodeProof(context, { handle, passcode });
  }
  const untilMs = context.limit.count(context.clock().nowMs);
  if (untilMs !== undefined) return busyAnswer(context, 'TOO_MANY_TRIES', untilMs);
  const proof = await passkeyProof(context, signInForm, { sealed: sealed ?? '', assertion });
  return proof ?? refuse(context, 'passkey');
}

async function passcodeProof(
  context: PageContext,
  { handle, passcode }: { readonly handle: string; readonly passcode: string },
): Promise<IdentityProof | HttpAnswer> {
  if (!takesPasscodes(context)) return faultAnswer('FACTOR_REFUSED');
  const person = personOfHandle(await peopleOf(context), context, handle);
  const verdict = await context.passcodes.checkSignIn(person, passcode);
  if (verdict.kind === 'busy') return busyAnswer(context, 'TOO_MANY_TRIES', verdict.untilMs);
  if (verdict.kind !== 'right' || person === undefined) return refuse(context, 'passcode');
  return { person, factor: 'passcode' };
}

/** From other computers only where the configuration names it. */
export const takesPasscodes = ({ isRemote, require }: PageContext): boolean =>
  !isRemote || require[1].includes('passcode') || require[2].includes('passcode');

function refuse(context: PageContext, factor: string): HttpAnswer {
  context.log('warn', 'approval page: a sign-in was refused', { factor });
  return faultAnswer('SIGN_IN_REFUSED');
}

/** POST `/sign-out`. */
export async function signOut(context: PageContext, call: FormCall): Promise<HttpAnswer> {
  const body = await readForm(context, call, tokenSchema);
  if (!body.ok) return body.error;
  if (servedMs(context, call, { form: signOutForm, token: body.value.csrf }) === undefined) {
    return faultAnswer('FORBIDDEN');
  }
  if (call.session !== undefined) await closeSession(context, call.session);
  return { ...jsonAnswer({ ok: true }), headers: { 'Set-Cookie': noSession(context) } };
}
