// A person uses a one-time code: for a passkey of this page, for a passcode, or for both at once.
import { z } from 'zod';
import { enrolmentCodeId } from '../approvals/enrolment-code.ts';
import { makePasscodeString } from '../approvals/make-passcode-string.ts';
import type { KeptRecord, RecordChange } from '../core/kept-record.ts';
import type { LeafDraft } from '../core/leaf.ts';
import { type CredentialRow, type PersonRow, readPeople } from '../core/person.ts';
import { err, ok, type Result } from '../core/result.ts';
import { sha256Hex } from '../core/sha256.ts';
import { busyAnswer, type FormCall, readForm, servedMs } from './form-request.ts';
import { faultAnswer, type HttpAnswer, jsonAnswer } from './http-answer.ts';
import { makeChallenge, useChallenge } from './page-challenge.ts';
import type { PageContext } from './page-context.ts';
import { takesPasscodes } from './sign-in.ts';

export const enrolForm = 'enrol';
/** What authenticators show as the name of the site. */
const rpName = 'intentplane';

interface EnrolBody {
  readonly csrf: string;
  readonly code: string;
  readonly label?: string;
  readonly passcode?: string;
  readonly sealed?: string;
  /** Answer of `navigator.credentials.create()`. */
  readonly passkey?: Readonly<Record<string, unknown>>;
}

const code = z.string().min(1).max(100);
const csrf = z.string().max(100);

const askSchema = z.strictObject({ csrf, code });
const enrolSchema: z.ZodType<EnrolBody> = z.strictObject({
  csrf,
  code,
  label: z
    .string()
    .max(60)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u)
    .exactOptional(),
  passcode: z.string().max(1_024).exactOptional(),
  sealed: z.string().max(1_000).exactOptional(),
  passkey: z.record(z.string(), z.unknown()).exactOptional(),
} satisfies Record<keyof EnrolBody, z.ZodType>);

/** A code that is good, and whose it is. */
interface GoodCode {
  readonly record: KeptRecord;
  readonly personRecord: KeptRecord;
  readonly person: PersonRow;
}

/** POST `/enrol/passkey`: what the browser asks its authenticator for. The code is not used up. */
export async function askEnrolment(context: PageContext, call: FormCall): Promise<HttpAnswer> {
  const form = await readForm(context, call, askSchema);
  if (!form.ok) return form.error;
  const good = await checkCode(context, call, form.value);
  if (!good.ok) return good.error;
  const { record, person } = good.value;
  const { challenge, sealed } = makeChallenge(context, purposeOf(record));
  const owned = await context.records.readRecords({ kind: 'credential', owner: person.personId });
  const { enrolmentOptions } = await import('../approvals/passkey/enrolment.ts');
  const options = await enrolmentOptions({
    person,
    rpId: context.site.rpId,
    rpName,
    credentials: readPeople(owned).credentials,
    challenge,
    ...(context.models === undefined ? {} : { models: context.models }),
  });
  return jsonAnswer({ ok: true, sealed, options });
}

const purposeOf = ({ id }: KeptRecord): string => `${enrolForm} ${id}`;

async function checkCode(
  context: PageContext,
  call: FormCall,
  body: Pick<EnrolBody, 'csrf' | 'code'>,
): Promise<Result<GoodCode, HttpAnswer>> {
  if (servedMs(context, call, { form: enrolForm, token: body.csrf }) === undefined) {
    return err(faultAnswer('FORBIDDEN'));
  }
  const untilMs = context.limit.count(context.clock().nowMs);
  if (untilMs !== undefined) return err(busyAnswer(context, 'TOO_MANY_TRIES', untilMs));
  const good = await findCode(context, body.code);
  return good === undefined ? err(faultAnswer('CODE_REFUSED')) : ok(good);
}

async function findCode({ records }: PageContext, typed: string): Promise<GoodCode | undefined> {
  const [record] = await records.readRecords({ kind: 'enrolment', id: enrolmentCodeId(typed) });
  if (record === undefined) return undefined;
  const [personRecord] = await records.readRecords({ kind: 'person', id: record.owner });
  if (personRecord === undefined) return undefined;
  const person = JSON.parse(personRecord.fields) as PersonRow;
  return person.status === 'active' ? { record, personRecord, person } : undefined;
}

/** POST `/enrol`: uses the code up together with what it was for, or changes nothing. */
export async function enrol(context: PageContext, call: FormCall): Promise<HttpAnswer> {
  const form = await readForm(context, call, enrolSchema);
  if (!form.ok) return form.error;
  const body = form.value;
  if (body.passkey === undefined && body.passcode === undefined) return faultAnswer('BAD_REQUEST');
  if (body.passcode !== undefined && !takesPasscodes(context)) return faultAnswer('FACTOR_REFUSED');
  const good = await checkCode(context, call, body);
  if (!good.ok) return good.error;
  const key = await passkeyChange(context, good.value, body);
  if (!key.ok) return faultAnswer(key.error);
  const passcode = await passcodeChange(good.value, body);
  if (!passcode.ok) return faultAnswer(passcode.error);
  const steps = [...key.value, ...passcode.value];
  const { record } = good.value;
  const used: RecordChange = {
    ...{ kind: record.kind, id: record.id, owner: record.owner },
    ...{ from: record.version, fields: undefined },
  };
  const isDone = await context.records.changeRecords(
    [used, ...steps.map(({ change }) => change)],
    steps.map(({ leaf }) => leaf),
  );
  if (!isDone) return faultAnswer('CODE_REFUSED');
  context.log('info', 'approval page: somebody enrolled', { changes: steps.length });
  return jsonAnswer({ ok: true });
}

interface Step {
  readonly change: RecordChange;
  readonly leaf: LeafDraft;
}

async function passkeyChange(
  context: PageContext,
  { record, person }: GoodCode,
  { passkey, sealed = '', label = '' }: EnrolBody,
): Promise<Result<readonly Step[], 'PASSKEY_REFUSED'>> {
  if (passkey === undefined) return ok([]);
  const challenge = await useChallenge(context, sealed, purposeOf(record));
  if (challenge === undefined) return err('PASSKEY_REFUSED');
  const { verifyEnrolment } = await import('../approvals/passkey/enrolment.ts');
  const verified = await verifyEnrolment({
    ...context.site,
    response: passkey,
    challenge,
    ...(context.models === undefined ? {} : { models: context.models }),
  });
  if (!verified.ok) {
    context.log('warn', 'approval page: a passkey was not enrolled', { reason: verified.error });
    return err('PASSKEY_REFUSED');
  }
  const row: CredentialRow = {
    ...verified.value,
    personId: person.personId,
    label: label.trim() === '' ? 'passkey' : label.trim(),
    status: 'active',
    createdMs: context.clock().nowMs,
  };
  const change: RecordChange = {
    ...{ kind: 'credential', id: row.credentialId, owner: person.personId },
    ...{ from: undefined, fields: JSON.stringify(row) },
  };
  const leaf: LeafDraft = {
    type: 'person.change',
    open: { kind: 'credential', change: 'added', credential: sha256Hex(row.credentialId) },
    committed: { person: person.personId, by: 'enrolment code' },
  };
  return ok([{ change, leaf }]);
}

async function passcodeChange(
  { personRecord, person }: GoodCode,
  { passcode }: EnrolBody,
): Promise<Result<readonly Step[], 'PASSCODE_UNFIT'>> {
  if (passcode === undefined) return ok([]);
  const made = await makePasscodeString(passcode);
  if (!made.ok) return err('PASSCODE_UNFIT');
  const { kind, id, owner, version } = personRecord;
  const fields = JSON.stringify({ ...person, passcode: made.value });
  const leaf: LeafDraft = {
    type: 'person.change',
    open: { kind: 'person', change: 'passcode' },
    committed: { person: person.personId, by: 'enrolment code' },
  };
  return ok([{ change: { kind, id, owner, from: version, fields }, leaf }]);
}
