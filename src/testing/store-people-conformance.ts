// People beside the tables of a store, and requests that several of them answer.
import { describe, expect, it } from 'vitest';
import { oneApprover } from '../core/checks/quorum.ts';
import type { RecordChange } from '../core/kept-record.ts';
import type { ApprovalTerms } from '../core/operation.ts';
import type { CredentialRow, PersonRow } from '../core/person.ts';
import { outcomeOf, type StoreTestContext } from './opened-store.ts';
import { aCall, anAnswer } from './store-builders.ts';

export function aPerson(handle: string, over: Partial<PersonRow> = {}): PersonRow {
  return {
    personId: `id-${handle}`,
    handle,
    name: handle,
    email: undefined,
    roles: ['approver'],
    status: 'active',
    awayUntilMs: undefined,
    passcode: undefined,
    oidcSubject: undefined,
    origin: 'command',
    createdMs: 0,
    ...over,
  };
}

export function aCredential(of: PersonRow, over: Partial<CredentialRow> = {}): CredentialRow {
  return {
    credentialId: `key-${of.handle}`,
    personId: of.personId,
    rpId: 'localhost',
    publicKey: '',
    counter: 0,
    isDeviceBound: false,
    aaguid: '00000000-0000-0000-0000-000000000000',
    transports: [],
    label: 'phone',
    status: 'active',
    createdMs: 0,
    ...over,
  };
}

const put = (person: PersonRow, from?: number): RecordChange => ({
  kind: 'person',
  id: person.personId,
  owner: person.personId,
  from,
  fields: JSON.stringify(person),
});

const putKey = (key: CredentialRow, from?: number): RecordChange => ({
  kind: 'credential',
  id: key.credentialId,
  owner: key.personId,
  from,
  fields: JSON.stringify(key),
});

const leaf = {
  type: 'person.change',
  open: { kind: 'person', change: 'added' },
  committed: {},
} as const;

export function testPeople(context: StoreTestContext): void {
  describe('documents', () => testDocuments(context));
  describe('quorum', () => testQuorum(context));
}

function testDocuments({ opened, place, reopen }: StoreTestContext): void {
  it('keeps documents by kind and owner, each change only from the version that was read', async () => {
    const { store } = opened();
    const ann = aPerson('ann');
    expect(await store.changeRecords([put(ann), putKey(aCredential(ann))], [leaf])).toBe(true);
    expect((await opened().allLeaves()).at(-1)?.type).toBe('person.change');
    const size = (await store.readTree()).size;
    expect(await store.changeRecords([put(aPerson('bob')), put(ann)], [leaf])).toBe(false);
    expect(await store.changeRecords([put(ann, 2)], [leaf])).toBe(false);
    expect((await store.readTree()).size).toBe(size);
    expect(await store.readRecords({ kind: 'person' })).toMatchObject([
      { id: 'id-ann', version: 1, expiresMs: undefined },
    ]);
    expect(await store.changeRecords([put({ ...ann, roles: [] }, 1)], [leaf])).toBe(true);
    const [changed] = await store.readRecords({ kind: 'person', id: 'id-ann' });
    expect(changed).toMatchObject({ version: 2 });
    expect(await store.readRecords({ kind: 'credential', owner: 'id-ann' })).toHaveLength(1);
    expect(await store.readRecords({ kind: 'credential', owner: 'id-bob' })).toEqual([]);
    const gone = { ...put(ann, 2), fields: undefined };
    expect(await store.changeRecords([gone], [leaf])).toBe(true);
    expect(await store.readRecords({ kind: 'person' })).toEqual([]);
  });

  it('forgets documents at the instant their time is over', async () => {
    const { store, clock } = opened();
    const session = (id: string): RecordChange => ({
      ...{ kind: 'session', id, owner: 'id-ann', from: undefined, fields: '{}' },
      expiresMs: clock.nowMs + 1_000,
    });
    await store.changeRecords([session('one')], []);
    clock.nowMs += 999;
    expect(await store.readRecords({ kind: 'session' })).toHaveLength(1);
    clock.nowMs += 1;
    expect(await store.readRecords({ kind: 'session' })).toEqual([]);
    expect(await store.changeRecords([session('one')], [])).toBe(true);
  });

  it('a restart keeps people', async (test) => {
    if (!place().isDurable) test.skip('a memory store forgets');
    await opened().store.changeRecords([put(aPerson('ann'))], [leaf]);
    const again = await reopen();
    expect(await again.store.readRecords({ kind: 'person' })).toHaveLength(1);
  });
}

function testQuorum({ opened }: StoreTestContext): void {
  const two: ApprovalTerms = { ...oneApprover, count: 2 };

  async function ask(terms: ApprovalTerms = oneApprover) {
    const asked = opened().proposal({ approvalTerms: { 1: terms, 2: terms } });
    const { decision } = await opened().decide(asked, aCall({ level: 2 }));
    expect(outcomeOf(decision)).toBe('ask');
    const stored = await opened().store.readApproval(asked.approvalId);
    const request = { approvalId: asked.approvalId, opHash: stored?.operation.row.opHash ?? '' };
    const repeat = () =>
      opened().proposal({ fingerprint: asked.fingerprint, approvalTerms: asked.approvalTerms });
    const answer = async (person: string, over: Parameters<typeof anAnswer>[1] = {}) => {
      const { result } = await opened().store.answer(anAnswer(request, { person, ...over }));
      return result.ok ? result.state : result.code;
    };
    return { asked, repeat, answer };
  }

  async function enrol(...handles: readonly string[]): Promise<void> {
    const people = handles.map((handle) => aPerson(handle));
    await opened().store.changeRecords(
      people.map((each) => put(each)),
      [leaf],
    );
  }

  it('APR-07: at level 2 takes the answer of another person with the role only', async () => {
    await enrol('ann');
    await opened().store.changeRecords([put(aPerson('eve', { roles: ['admin'] }))], []);
    const { asked, repeat, answer } = await ask();
    expect(await answer('alice')).toBe('APPROVAL_NOT_ELIGIBLE');
    expect(await answer('eve')).toBe('APPROVAL_NOT_ELIGIBLE');
    expect(await answer('nobody')).toBe('APPROVAL_NOT_ELIGIBLE');
    expect(await answer('ann')).toBe('GRANTED');
    expect((await opened().decide(repeat(), aCall({ level: 2 }))).decision).toMatchObject({
      kind: 'allow',
      consumes: asked.opId,
    });
  });

  it('APR-08: collects the votes of different people, at once or after each other', async () => {
    await enrol('ann', 'bob');
    const { asked, answer } = await ask(two);
    const first = await Promise.all([answer('ann'), answer('ann'), answer('ann')]);
    expect(first.toSorted()).toEqual(['ANSWERED_ALREADY', 'ANSWERED_ALREADY', 'REQUESTED']);
    expect(await answer('bob')).toBe('GRANTED');
    expect(await answer('bob')).toBe('ENDED');
    const stored = await opened().store.readApproval(asked.approvalId);
    expect(stored?.approval.votes.map(({ personId }) => personId)).toEqual(['id-ann', 'id-bob']);
    expect(stored?.approval.terms).toEqual(two);
  });

  it('APR-26: a role or a passkey that is gone at dispatch voids what was granted', async () => {
    const { store } = opened();
    const ann = aPerson('ann');
    await store.changeRecords([put(ann), putKey(aCredential(ann))], [leaf]);
    const losses = [
      [put({ ...ann, roles: [] }, 1), put(ann, 2)],
      [putKey(aCredential(ann, { status: 'removed' }), 1), putKey(aCredential(ann), 2)],
    ] as const;
    for (const [loss, back] of losses) {
      const { repeat, answer } = await ask();
      expect(await answer('ann', { credentialId: 'key-ann' })).toBe('GRANTED');
      await store.changeRecords([loss], [leaf]);
      const { decision } = await opened().decide(repeat(), aCall({ level: 2 }));
      expect(decision).toMatchObject({
        kind: 'deny',
        failures: [{ code: 'EXECUTION_CHANGED', detail: 'approver' }],
      });
      await store.changeRecords([back], [leaf]);
    }
  });

  it('APR-27: a role that is taken while the grant is used: one of both is first, never both', async () => {
    const { store } = opened();
    for (let round = 1; round <= 10; round += 1) {
      const ann = aPerson(`ann${round}`);
      await store.changeRecords([put(ann)], [leaf]);
      const { repeat, answer } = await ask();
      expect(await answer(ann.handle)).toBe('GRANTED');
      const [used, again] = await Promise.all([
        opened().decide(repeat(), aCall({ level: 2 })),
        opened().decide(repeat(), aCall({ level: 2 })),
        store.changeRecords([put({ ...ann, roles: [] }, 1)], [leaf]),
      ]);
      const outcomes = [used, again].map(({ decision }) => outcomeOf(decision));
      expect(outcomes.filter((each) => each === 'allow').length).toBeLessThanOrEqual(1);
    }
  });

  it('APR-10: alone the same person answers twice, with the waiting time in between', async () => {
    const { answer } = await ask({ ...oneApprover, soloWaitMs: 60_000 });
    expect(await answer('alice')).toBe('REQUESTED');
    expect(await answer('alice')).toBe('TOO_EARLY');
    opened().clock.nowMs += 60_000;
    expect(await answer('alice')).toBe('GRANTED');
    const marks = (await opened().allLeaves()).filter(({ type }) => type === 'approval.answer');
    const open = marks.map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString()) as object);
    expect(open).toMatchObject([{ four_eyes: 'solo-delay' }, { four_eyes: 'solo-delay' }]);
  });
}
