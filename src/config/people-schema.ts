// The shape of one `[[people]]`.
import { TomlDate } from 'smol-toml';
import { z } from 'zod';
import type { PersonShape } from './file-shape.ts';
import { text } from './value-schemas.ts';

const idFault = 'must be 1 to 64 letters, digits, . _ or -';
const nameFault = 'must be 1 to 200 characters without control characters';
const roleFault = 'must be a role such as approver: a-z, 0-9, _ and -, a letter first, at most 64';
const subjectFault = 'must be 1 to 255 printable ASCII characters';
const awayFault =
  'must be a day such as 2026-08-01 or a time with its offset: 2026-08-01T09:00:00Z';

/** What a person may do. Other roles than those of the product are for quorums. */
export const role: z.ZodString = z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, roleFault);

/** The id of a person, where other tables name one too. */
export const personId: z.ZodString = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, idFault);

/** A day begins at midnight UTC. A time without an offset would be another instant in each zone. */
const instant: z.ZodType<number, Date> = z
  .date(awayFault)
  .refine((date) => date instanceof TomlDate && (date.isDate() || !date.isLocal()), awayFault)
  .transform((date) => date.getTime());

export const person: z.ZodType<PersonShape> = z.strictObject({
  id: personId.describe(
    'What this person is called in commands and receipts. That of `[mandate] principal` is the principal.',
  ),
  name: text
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u, nameFault)
    .exactOptional()
    .describe('Name on the page and in notices; the id when absent.'),
  email: text.exactOptional().describe('Address for notices by mail. It identifies nobody.'),
  roles: z
    .array(role)
    .max(16)
    .exactOptional()
    .describe(
      '`approver`: answers level 2 for others; `admin`: decides about people and amendments. Other names are for quorums.',
    ),
  passcode: text
    .exactOptional()
    .describe(
      "Hash of this person's passcode, made by `intentplane passcode`, or `file:<path>`. That of the principal may stand in `[approvals]` instead.",
    ),
  oidc_subject: text
    .regex(/^[\x20-\x7e]{1,255}$/, subjectFault)
    .exactOptional()
    .describe('`sub` of this person at the issuer of `[http] oidc`: who signs in is told by it.'),
  away_until: instant
    .exactOptional()
    .describe(
      'A day (from its midnight, UTC) or a time with its offset, as TOML writes them, without quotes: before it the person gets no notices and does not count as somebody who may answer.',
    ),
} satisfies Record<keyof PersonShape, z.ZodType>);
