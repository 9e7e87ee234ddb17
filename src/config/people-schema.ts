// The shapes of `[[people]]`, `[approvals]` and `[http] oidc`: who answers requests, and how.
import { z } from 'zod';
import { approvalFactors } from './approval-factors.ts';
import type { ApprovalsShape, HttpShape, PersonShape } from './file-shape.ts';
import { duration, text, texts, whole, within } from './value-schemas.ts';

const handleFault = 'must be 1 to 64 of the characters A-Z a-z 0-9 . _ -';
const handle = text.regex(/^[A-Za-z0-9._-]{1,64}$/, handleFault);
const roleFault = 'must be a name such as approver, admin or finance';
const role = text.regex(/^[a-z][a-z0-9_-]{0,63}$/, roleFault);
const mailFault = 'must be an e-mail address';
const mail = text.regex(/^[^\s@<>,;]{1,64}@[^\s@<>,;]{1,255}$/, mailFault);

/** A day or an instant of TOML; milliseconds. */
const instant = z
  .date({ error: 'must be a day or an instant, written without quotes: 2026-12-24' })
  .transform((date) => date.getTime());

export const person: z.ZodType<PersonShape> = z.strictObject({
  id: handle.describe('Short name that stands for this person; never an e-mail address.'),
  name: text.min(1).max(200).exactOptional().describe('Name that others see; the id when absent.'),
  email: mail.exactOptional().describe('Where notices go. Nobody is recognised by it.'),
  roles: z
    .array(role)
    .exactOptional()
    .describe(
      '`approver` answers level 2, `admin` changes people; others as the quorum names them.',
    ),
  passcode: text.exactOptional().describe("Hash of this person's passcode, or `file:<path>`."),
  oidc_subject: text
    .min(1)
    .max(255)
    .exactOptional()
    .describe('`sub` of this person at the issuer of `[http] oidc`.'),
  away_until: instant
    .exactOptional()
    .describe(
      'Until then this person gets no notices and does not count as somebody who is there.',
    ),
} satisfies Record<keyof PersonShape, z.ZodType>);

const factors = z
  .array(z.enum(approvalFactors, { error: `must be one of ${approvalFactors.join(', ')}` }))
  .min(1);

const detail = z
  .enum(['summary', 'full'], { error: 'must be summary or full' })
  .exactOptional()
  .describe('`full` names the values too; `summary` when absent.');

const notice = z.strictObject({
  webhook: z
    .strictObject({
      url: text.describe('Address that gets a POST.'),
      secret: text.describe('Key of the signature, at least 16 characters, or `file:<path>`.'),
    })
    .exactOptional()
    .describe('A signed POST.'),
  slack: z
    .strictObject({ url: text.describe('Incoming webhook, or `file:<path>`.') })
    .exactOptional()
    .describe('A message without buttons.'),
  mail: z
    .strictObject({
      url: text.describe('`smtp://` or `smtps://`, or `file:<path>`.'),
      from: mail.describe('Sender.'),
      to: z.array(mail).min(1).exactOptional().describe('Absent: those who may answer.'),
    })
    .exactOptional()
    .describe('A plain text.'),
  detail,
});

export const approvals: z.ZodType<ApprovalsShape> = z.strictObject({
  passcode: text
    .exactOptional()
    .describe("Hash of the owner's passcode, made by `intentplane passcode`, or `file:<path>`."),
  listen: text
    .exactOptional()
    .describe('Address of the approval page; `127.0.0.1:8765` when absent.'),
  page_url: text
    .exactOptional()
    .describe(
      'Public address of the page behind a TLS proxy of yours, such as https://ok.example.com.',
    ),
  wait: whole
    .exactOptional()
    .describe('Seconds to hold a call for the person, at most 45; 0 when absent.'),
  require: z
    .strictObject({
      '1': factors.exactOptional().describe('What may answer level 1.'),
      '2': factors.exactOptional().describe('What may answer level 2; `passkey` when absent.'),
    })
    .exactOptional()
    .describe('How a person must answer, by level.'),
  expires_in: z
    .union(
      [
        duration,
        z.strictObject({
          '1': duration.exactOptional().describe('Of level 1; 15 minutes when absent.'),
          '2': duration.exactOptional().describe('Of level 2; 4 hours when absent.'),
        }),
      ],
      { error: 'must be a time such as 15m, or a table of times by level' },
    )
    .exactOptional()
    .describe('How long a request waits for an answer.'),
  dwell: duration
    .exactOptional()
    .describe('How long a page of level 2 is open before it takes an approval; `3s` when absent.'),
  notify: z.array(notice).max(16).exactOptional().describe('Who is told of a request.'),
  channel: text
    .exactOptional()
    .describe('A module of your own that asks people: `./file.mjs:factory`.'),
  quorum: z
    .strictObject({
      count: within(1, 5).exactOptional().describe('Persons beside the owner; 1 when absent.'),
      roles: z.array(role).max(5).exactOptional().describe('Each filled by a different person.'),
      exclude: z.array(handle).exactOptional().describe('Persons who never count.'),
      include_user: z
        .boolean()
        .exactOptional()
        .describe('Whether the owner has to approve as well; false when absent.'),
    })
    .exactOptional()
    .describe('Who has to approve at level 2.'),
  self_approval: z
    .union(
      [
        z.enum(['never', 'solo']),
        z.strictObject({
          mode: z.enum(['solo']).describe('Alone, twice.'),
          wait: duration.exactOptional().describe('Between the two answers; `24h` when absent.'),
        }),
      ],
      { error: 'must be never or solo' },
    )
    .exactOptional()
    .describe('Whether one person alone may answer level 2, after a waiting time.'),
} satisfies Record<keyof ApprovalsShape, z.ZodType>);

export const http: z.ZodType<HttpShape> = z.strictObject({
  oidc: z
    .strictObject({
      issuer: text.describe('Address of the OpenID provider.'),
      client_id: text.min(1).describe('Our id there.'),
      client_secret: text.exactOptional().describe('Our secret there, or `file:<path>`.'),
      acr: text.exactOptional().describe('Class of sign-in that is demanded.'),
      amr: texts.exactOptional().describe('Methods of which one must have been used.'),
    })
    .exactOptional()
    .describe('How people sign in at an OpenID provider.'),
} satisfies Record<keyof HttpShape, z.ZodType>);
