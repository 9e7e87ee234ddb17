// Who is signed in: a random id in a cookie, its hash in the store. Every process of the gateway
// knows every session, and whoever reads the store can use none of them.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { encodeBase64Url } from '../core/base64.ts';
import type { KeptRecord } from '../core/kept-record.ts';
import type { Assurance } from '../core/operation.ts';
import type { People, PersonRow } from '../core/person.ts';
import { sha256Hex } from '../core/sha256.ts';
import { formatCookie, readCookie } from './cookies.ts';
import type { PageContext } from './page-context.ts';
import { peopleOf, personOfId } from './page-people.ts';

type SessionContext = Pick<PageContext, 'records' | 'cookies' | 'principal' | 'clock'>;

export interface PageSession {
  /** SHA-256 (hex) of the id in the cookie. */
  readonly recordId: string;
  readonly person: PersonRow;
  /** How they signed in. */
  readonly factor: Assurance;
  readonly people: People;
  readonly record: KeptRecord;
}

interface SessionFields {
  readonly factor: Assurance;
  readonly createdMs: number;
  /** Last characters that were typed wrong. */
  readonly misses: number;
}

const cookieKind = 'session';
const idSizeBytes = 32;
/** Ends when nothing was opened or sent for this long, */
const idleMs = 15 * 60_000;
/** and in any case this long after the sign-in. */
const lifeMs = 8 * 3_600_000;
/** A session is written again only when this much of its time is gone. */
const touchMs = 30_000;
const missesMax = 3;

/** A new session under an id that nobody knew before; gives its `Set-Cookie` value. */
export async function openSession(
  { records, cookies, clock }: SessionContext,
  person: PersonRow,
  factor: Assurance,
): Promise<string> {
  const id = encodeBase64Url(randomBytes(idSizeBytes));
  const { nowMs } = clock();
  const fields: SessionFields = { factor, createdMs: nowMs, misses: 0 };
  await records.changeRecords(
    [
      {
        kind: 'session',
        id: sha256Hex(id),
        owner: person.personId,
        from: undefined,
        fields: JSON.stringify(fields),
        expiresMs: nowMs + idleMs,
      },
    ],
    [],
  );
  return formatCookie(cookies, {
    kind: cookieKind,
    value: id,
    maxAgeSeconds: lifeMs / 1_000,
    sameSite: 'Strict',
  });
}

/**
 * The session of a request; undefined for an id that is unknown, over, or of a person who was
 * removed. `isUse`: a person did something, which keeps the session open.
 */
export async function readSession(
  context: SessionContext,
  request: Pick<IncomingMessage, 'headers'>,
  isUse = true,
): Promise<PageSession | undefined> {
  const id = readCookie(context.cookies, request, cookieKind);
  if (id === undefined || id.length > 100) return undefined;
  const recordId = sha256Hex(id);
  const [record] = await context.records.readRecords({ kind: 'session', id: recordId });
  if (record === undefined) return undefined;
  const people = await peopleOf(context);
  const person = personOfId(people, context, record.owner);
  if (person === undefined) return undefined;
  const { factor } = readFields(record);
  const session = { recordId, person, factor, people, record };
  return isUse ? keepOpen(context, session) : session;
}

const readFields = ({ fields }: KeptRecord): SessionFields => JSON.parse(fields) as SessionFields;

async function keepOpen(context: SessionContext, session: PageSession): Promise<PageSession> {
  const { nowMs } = context.clock();
  const fields = readFields(session.record);
  const expiresMs = Math.min(nowMs + idleMs, fields.createdMs + lifeMs);
  if (expiresMs - (session.record.expiresMs ?? 0) < touchMs) return session;
  return (await change(context, session, { fields, expiresMs })) ?? session;
}

/** One miss of the last characters; true when it was one too many and the session is over. */
export async function countMiss(context: SessionContext, session: PageSession): Promise<boolean> {
  const fields = readFields(session.record);
  const misses = fields.misses + 1;
  const { expiresMs } = session.record;
  if (misses < missesMax) {
    const counted = await change(context, session, { fields: { ...fields, misses }, expiresMs });
    // Two misses at once: whoever sends several side by side has typed none of them.
    if (counted !== undefined) return false;
  }
  await closeSession(context, session);
  return true;
}

/** Undefined when somebody else changed it meanwhile. */
async function change(
  { records }: SessionContext,
  session: PageSession,
  to: { readonly fields: SessionFields; readonly expiresMs: number | undefined },
): Promise<PageSession | undefined> {
  const { kind, id, owner, version } = session.record;
  const fields = JSON.stringify(to.fields);
  const { expiresMs } = to;
  const isDone = await records.changeRecords(
    [{ kind, id, owner, from: version, fields, expiresMs }],
    [],
  );
  if (!isDone) return undefined;
  return { ...session, record: { ...session.record, fields, version: version + 1, expiresMs } };
}

/** Ends it, whatever happened to it meanwhile. */
export async function closeSession(
  { records }: Pick<SessionContext, 'records'>,
  { recordId }: Pick<PageSession, 'recordId'>,
): Promise<void> {
  for (let tries = 0; tries < closeTriesMax; tries += 1) {
    const [record] = await records.readRecords({ kind: 'session', id: recordId });
    if (record === undefined) return;
    const { kind, id, owner, version } = record;
    const isGone = await records.changeRecords(
      [{ kind, id, owner, from: version, fields: undefined }],
      [],
    );
    if (isGone) return;
  }
  throw new Error('a session cannot be ended: it is changed all the time');
}

const closeTriesMax = 10;

/** `Set-Cookie` value that takes the cookie away. */
export const noSession = ({ cookies }: Pick<PageContext, 'cookies'>): string =>
  formatCookie(cookies, { kind: cookieKind, value: '', maxAgeSeconds: 0, sameSite: 'Strict' });
