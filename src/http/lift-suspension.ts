// The principal lifts a suspension of the mandate, with a passcode or a passkey of this moment: a
// session alone, which a click of habit could use, is not enough.
import { z } from 'zod';
import type { PersonRow } from '../core/person.ts';
import { busyAnswer, type FormCall, readForm, servedMs } from './form-request.ts';
import { faultAnswer, type HttpAnswer, jsonAnswer } from './http-answer.ts';
import type { PageContext } from './page-context.ts';
import { peopleOf, personOfHandle } from './page-people.ts';
import { passkeyProof } from './passkey-proof.ts';

export const liftForm = 'lift';

interface LiftBody {
  readonly csrf: string;
  readonly passcode?: string;
  readonly sealed?: string;
  readonly assertion?: Readonly<Record<string, unknown>>;
}

const csrf = z.string().max(100);
const liftSchema: z.ZodType<LiftBody> = z.union([
  z.strictObject({ csrf, passcode: z.string().max(1_024) }),
  z.strictObject({
    csrf,
    sealed: z.string().max(1_000),
    assertion: z.record(z.string(), z.unknown()),
  }),
]);

/** POST `/mandate/resume`. */
export async function liftSuspension(context: PageContext, call: FormCall): Promise<HttpAnswer> {
  const form = await readForm(context, call, liftSchema);
  if (!form.ok) return form.error;
  if (servedMs(context, call, { form: liftForm, token: form.value.csrf }) === undefined) {
    return faultAnswer('FORBIDDEN');
  }
  if (context.isRemote && call.session === undefined) return faultAnswer('SIGN_IN_NEEDED');
  const people = call.session?.people ?? (await peopleOf(context));
  const person = call.session?.person ?? personOfHandle(people, context, context.principal);
  if (person?.handle !== context.principal) return faultAnswer('APPROVAL_NOT_ELIGIBLE');
  const refused = await refuseProof(context, person, form.value);
  if (refused !== undefined) return refused;
  const isLifted = await context.gateway.liftSuspension(person.handle);
  context.log('info', 'approval page: the suspension of the mandate', { lifted: isLifted });
  return isLifted ? jsonAnswer({ ok: true }) : faultAnswer('ENDED');
}

async function refuseProof(
  context: PageContext,
  person: PersonRow,
  { passcode, sealed = '', assertion }: LiftBody,
): Promise<HttpAnswer | undefined> {
  if (passcode === undefined) {
    const untilMs = context.limit.count(context.clock().nowMs);
    if (untilMs !== undefined) return busyAnswer(context, 'TOO_MANY_TRIES', untilMs);
    const proof = await passkeyProof(context, liftForm, { sealed, assertion });
    return proof?.person.personId === person.personId ? undefined : faultAnswer('PASSKEY_REFUSED');
  }
  const verdict = await context.passcodes.check(person, passcode);
  if (verdict.kind === 'right') return undefined;
  if (verdict.kind === 'wrong') return faultAnswer('PASSCODE_WRONG');
  const code = verdict.kind === 'locked' ? 'PASSCODE_LOCKED' : 'TOO_MANY_TRIES';
  return busyAnswer(context, code, verdict.untilMs);
}
