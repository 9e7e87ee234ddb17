// What step 5 says about the timestamps of a bundle.
import { type CheckTimestamp, earlierNotes, type TimestampFault } from './timestamp-evidence.ts';

/** Why timestamps are not enough. */
export type TimestampCode = TimestampFault | 'TIMESTAMP_MISSING' | 'TIMESTAMP_UNAVAILABLE';

interface TimestampFinding {
  readonly status: 'pass' | 'fail' | 'absent';
  readonly code: 'OK' | TimestampCode;
  readonly detail: string;
}

/** Passes with one token that holds; the earliest of those that do is named. */
export async function checkTimestamps(
  note: string,
  {
    tokens,
    roots,
  }: { readonly tokens: readonly Uint8Array[]; readonly roots: readonly Uint8Array[] },
  check: CheckTimestamp | undefined,
): Promise<TimestampFinding> {
  if (tokens.length === 0) {
    return fail('TIMESTAMP_MISSING', 'the bundle has no timestamp of its checkpoint');
  }
  if (check === undefined) {
    const detail = 'timestamps cannot be checked here: install pkijs and asn1js';
    return { status: 'absent', code: 'TIMESTAMP_UNAVAILABLE', detail };
  }
  const texts = earlierNotes(note);
  const checked = await Promise.all(tokens.map((token) => check(token, { texts, roots })));
  const times = checked.flatMap((each) => (each.ok ? [each.value.timeMs] : []));
  if (times.length > 0) {
    const time = new Date(Math.min(...times)).toISOString();
    return { status: 'pass', code: 'OK', detail: `signed not later than ${time}` };
  }
  const [fault] = checked.filter((each) => !each.ok).map(({ error }) => error);
  return fail(fault as TimestampFault, faultWords[fault as TimestampFault]);
}

const fail = (code: TimestampCode, detail: string): TimestampFinding => ({
  status: 'fail',
  code,
  detail,
});

const faultWords: Readonly<Record<TimestampFault, string>> = {
  TIMESTAMP_MALFORMED: 'the timestamp cannot be read',
  TIMESTAMP_OTHER_NOTE: 'the timestamp is about something else',
  TIMESTAMP_SIGNATURE_INVALID: 'the signature of the timestamp does not hold',
  TIMESTAMP_CERTIFICATE:
    'the timestamp is signed with a certificate that is not for timestamps, or was not valid then',
  TIMESTAMP_ROOT_UNKNOWN: 'no root of the trust file stands behind the timestamp',
};
