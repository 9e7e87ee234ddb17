import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeBase64Url } from '../../../src/core/base64.ts';
import type { CredentialRow, PersonRow } from '../../../src/core/person.ts';
import type { AnswerResult, PendingApproval, PersonAnswer } from '../../../src/gateway/gateway.ts';
import { aCredential, aPerson } from '../../../src/testing/store-people-conformance.ts';
import { gatewayFiles, transferSchema } from '../../fixtures/page/start-gateway-page.ts';
import {
  createSoftAuthenticator,
  type SoftAuthenticator,
} from '../../fixtures/soft-authenticator.ts';
import {
  createInProcessGateway,
  type InProcessGateway,
} from '../../reference/in-process-gateway.ts';
import { verifies } from '../../requirements/verifies.ts';

const site = { rpId: 'localhost', origin: 'http://localhost:7391' };
const personId = (digit: string): string => digit.repeat(32);
const ann = aPerson('ann', { personId: personId('a') });
const bob = aPerson('bob', { personId: personId('b') });

let world: InProcessGateway;
let keys: Readonly<Record<'ann' | 'bob', SoftAuthenticator>>;

beforeEach(async () => {
  world = await createInProcessGateway({
    files: gatewayFiles,
    schemas: { 'bank.pay': transferSchema },
    change: (parts) => ({ approvals: { ...parts.approvals, site: () => site } }),
  });
  keys = { ann: createSoftAuthenticator(), bob: createSoftAuthenticator() };
  await keep('person', ann.personId, ann);
  await keep('person', bob.personId, bob);
  for (const person of [ann, bob]) {
    const key = keys[person.handle as 'ann' | 'bob'];
    const credential = aCredential(person, {
      credentialId: encodeBase64Url(key.credentialId),
      publicKey: encodeBase64Url(key.publicKey),
      isDeviceBound: true,
    });
    await keep('credential', credential.credentialId, credential);
  }
});
afterEach(() => world.store.close());

async function keep(
  kind: 'person' | 'credential',
  id: string,
  row: PersonRow | CredentialRow,
): Promise<void> {
  const owner = row.personId;
  const fields = JSON.stringify(row);
  await world.store.changeRecords([{ kind, id, owner, from: undefined, fields }], []);
}

async function ask(amount = 5_000): Promise<PendingApproval> {
  const answer = await world.call('bank.pay', { to: 'DE89370400440532013000', amount });
  const pending = answer.kind === 'report' ? answer.report.approval : undefined;
  if (pending === undefined) throw new Error(`not pending: ${JSON.stringify(answer)}`);
  return pending;
}

const bytesOf = (opHash: string): Uint8Array => Buffer.from(opHash, 'hex');

const answer = (
  { approvalId, opHash }: PendingApproval,
  changes: Partial<PersonAnswer>,
): Promise<AnswerResult> =>
  world.gateway.answerApproval({
    approvalId,
    opHash,
    verdict: 'approve',
    person: 'ann',
    assurance: 'passkey',
    channel: 'page',
    reason: undefined,
    ...changes,
  });

const refused = { ok: false, code: 'PASSKEY_REFUSED', state: 'REQUESTED' };

describe('an answer with a passkey', () => {
  verifies('APR-11', 'is a signature over the hash of the stored operation', async () => {
    const pending = await ask();
    const assertion = keys.ann.assert(bytesOf(pending.opHash));
    expect(await answer(pending, { assertion })).toEqual({ ok: true, state: 'GRANTED' });
    const [leaf] = (await world.store.readLeaves({ from: 0, count: 100 })).filter(
      ({ type }) => type === 'approval.answer',
    );
    expect(JSON.parse(Buffer.from(leaf?.bytes ?? []).toString())).toMatchObject({
      assurance: 'passkey-bound',
    });
    const id = encodeBase64Url(keys.ann.credentialId);
    const [record] = await world.store.readRecords({ kind: 'credential', id });
    expect(JSON.parse(record?.fields ?? '')).toMatchObject({ counter: 1 });
  });

  verifies('APR-11', 'of another operation fits no other', async () => {
    const [first, second] = [await ask(5_000), await ask(5_001)];
    const assertion = keys.ann.assert(bytesOf(first.opHash));
    expect(await answer(second, { assertion })).toEqual(refused);
    expect(await answer(second, { assertion, opHash: first.opHash })).toEqual(refused);
    expect(await answer(first, { assertion })).toEqual({ ok: true, state: 'GRANTED' });
  });

  verifies('APR-12', 'whose authenticator verified nobody is none', async () => {
    const pending = await ask();
    const assertion = keys.ann.assert(bytesOf(pending.opHash), { flipFlags: 0x04 });
    expect(await answer(pending, { assertion })).toEqual(refused);
  });

  it('counts for the person whose passkey it is and for nobody else', async () => {
    const pending = await ask();
    const assertion = keys.bob.assert(bytesOf(pending.opHash));
    expect(await answer(pending, { assertion, person: 'ann' })).toEqual(refused);
    expect(await answer(pending, { assertion, person: 'maya' })).toEqual(refused);
    const unknown = createSoftAuthenticator().assert(bytesOf(pending.opHash));
    expect(await answer(pending, { assertion: unknown })).toEqual(refused);
    expect(await answer(pending, { assertion, person: 'bob' })).toMatchObject({ ok: true });
  });

  verifies('APR-07', 'is never only claimed by a face', async () => {
    const pending = await ask();
    for (const assurance of ['passkey', 'passkey-bound', 'passcode'] as const) {
      expect(await answer(pending, { assurance })).toEqual({
        ok: false,
        code: 'FACTOR_REFUSED',
        state: 'REQUESTED',
      });
    }
    for (const assertion of [null, 'x', {}, { id: 1 }]) {
      expect(await answer(pending, { assertion })).toEqual(refused);
    }
  });

  it('always means approve: a signed reject is refused, an unsigned one is taken', async () => {
    const pending = await ask();
    const assertion = keys.ann.assert(bytesOf(pending.opHash));
    expect(await answer(pending, { assertion, verdict: 'reject' })).toMatchObject({
      code: 'FACTOR_REFUSED',
    });
    expect(await answer(pending, { verdict: 'reject' })).toEqual({ ok: true, state: 'REJECTED' });
  });
});
