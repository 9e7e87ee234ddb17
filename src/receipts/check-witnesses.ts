// What step 5 says about the cosignatures of a note.
import type { OptionalAlgorithms } from './note-signature.ts';
import type { Note } from './signed-note.ts';
import type { TlogPolicy } from './tlog-policy.ts';
import { findQuorum } from './witness-quorum.ts';

/** Why witnesses are not enough. */
export type WitnessCode = 'COSIGNATURE_INVALID' | 'QUORUM_MISSING' | 'ALG_UNAVAILABLE';

interface WitnessFinding {
  readonly status: 'pass' | 'fail' | 'absent';
  readonly code: 'OK' | WitnessCode;
  readonly detail: string;
}

/** Judges the lines of a note under a policy whose quorum is not `none`. */
export async function checkWitnesses(
  note: Note,
  policy: TlogPolicy,
  algorithms: OptionalAlgorithms,
): Promise<WitnessFinding> {
  const found = await findQuorum(note, policy, algorithms);
  switch (found.kind) {
    case 'met': {
      const detail = `cosigned by ${found.witnesses.map(clip).join(', ')}, ${sayTime(found.lastS)}`;
      return { status: 'pass', code: 'OK', detail };
    }
    case 'missing': {
      const detail = `${found.witnesses.length} of the witnesses are not enough`;
      return { status: 'fail', code: 'QUORUM_MISSING', detail };
    }
    case 'unavailable': {
      const detail = 'cosignatures that are needed cannot be checked here';
      return { status: 'absent', code: 'ALG_UNAVAILABLE', detail };
    }
    case 'invalid': {
      const detail = `not cosigned by \`${clip(found.witness)}\` as it says`;
      return { status: 'fail', code: 'COSIGNATURE_INVALID', detail };
    }
  }
}

/** The last moment that `Date` can write. */
const dateMaxS = 8_640_000_000_000;

const sayTime = (timeS: number): string =>
  timeS <= dateMaxS
    ? `last at ${new Date(timeS * 1_000).toISOString()}`
    : `last at second ${timeS} of 1970`;

const clip = (text: string): string => text.slice(0, 100);
