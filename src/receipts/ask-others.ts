// Step 5 as a whole: witnesses, a timestamp, or both, as the trust file asks.
import { checkTimestamps, type TimestampCode } from './check-timestamps.ts';
import { checkWitnesses, type WitnessCode } from './check-witnesses.ts';
import type { OptionalAlgorithms } from './note-signature.ts';
import type { Note } from './signed-note.ts';
import type { CheckTimestamp } from './timestamp-evidence.ts';
import type { Trust } from './trust-file.ts';

interface OthersFinding {
  readonly status: 'pass' | 'fail' | 'absent';
  readonly code: 'OK' | WitnessCode | TimestampCode;
  readonly detail: string;
}

/** Everything that is asked for must pass; of what does not, a failure is named before what is absent. */
export async function askOthers(
  { note, text }: { readonly note: Note; readonly text: string },
  { policy, timestampRoots: roots }: Trust,
  given: {
    readonly algorithms: OptionalAlgorithms;
    readonly timestamps: readonly Uint8Array[];
    readonly check: CheckTimestamp | undefined;
  },
): Promise<OthersFinding> {
  const { algorithms, timestamps: tokens, check } = given;
  const findings: OthersFinding[] = [];
  if (policy.quorum !== 'none') findings.push(await checkWitnesses(note, policy, algorithms));
  if (roots.length > 0) findings.push(await checkTimestamps(text, { tokens, roots }, check));
  const worst =
    findings.find(({ status }) => status === 'fail') ??
    findings.find(({ status }) => status === 'absent');
  const detail = findings.map((finding) => finding.detail).join('; ');
  return worst ?? { status: 'pass', code: 'OK', detail };
}
