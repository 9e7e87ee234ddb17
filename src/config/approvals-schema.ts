// The shape of `[approvals]`: how people are reached, what counts as an answer, and how many have to.
import { z } from 'zod';
import type { ApprovalsShape, NotifyShape, QuorumShape, RequireShape } from './file-shape.ts';
import { personId, role } from './people-schema.ts';
import { duration, text, texts, whole, within } from './value-schemas.ts';

const strong = ['passcode', 'oidc', 'passkey', 'passkey-bound'] as const;
const strongFault = 'must be passcode, oidc, passkey or passkey-bound';
const formFault =
  "cannot be elicitation: the agent's own client would answer for a second person; remove it";

const anyFactor = z.enum(['elicitation', ...strong], {
  error: 'must be elicitation, passcode, oidc, passkey or passkey-bound',
});
const strongFactor = z.enum(strong, {
  error: ({ input }) => (input === 'elicitation' ? formFault : strongFault),
});

const requireSchema: z.ZodType<RequireShape> = z.strictObject({
  '1': z
    .array(anyFactor)
    .min(1)
    .exactOptional()
    .describe(
      'Factors that may answer level 1; all when absent, but no passcode on a page that `page_url` makes remote.',
    ),
  '2': z
    .array(strongFactor)
    .min(1)
    .exactOptional()
    .describe('Factors that may answer level 2; `passkey` when absent.'),
} satisfies Record<keyof RequireShape, z.ZodType>);

const notify: z.ZodType<NotifyShape> = z.strictObject({
  kind: z.enum(['webhook', 'slack', 'mail']).describe('How the notice travels.'),
  url: text.describe(
    'Where it goes, or `file:<path>`: of a webhook or of Slack https, or http on this computer; of mail `smtp://` or `smtps://`, with user and password where the server wants them.',
  ),
  secret: text
    .exactOptional()
    .describe('Of a webhook: what signs its messages (HMAC), or `file:<path>`.'),
  from: text.exactOptional().describe('Of mail: the address it is sent from.'),
  to: z
    .union([text.transform((one) => [one]), texts.min(1)], {
      error: 'must be an address or a list of addresses',
    })
    .exactOptional()
    .describe(
      'Of mail: the addresses it is sent to; those of the people who may answer when absent.',
    ),
  detail: z
    .enum(['summary', 'full'])
    .exactOptional()
    .describe(
      '`summary`: action, asker, expiry and link; `full`: the values too. `summary` when absent.',
    ),
} satisfies Record<keyof NotifyShape, z.ZodType>);

const quorum: z.ZodType<QuorumShape> = z.strictObject({
  count: within(1, 5)
    .exactOptional()
    .describe('How many different persons have to approve; 1 when absent.'),
  roles: z
    .array(role)
    .min(1)
    .exactOptional()
    .describe('Roles of which each is filled by a different one of them; `approver` when absent.'),
  exclude: z
    .array(personId)
    .exactOptional()
    .describe('Ids of people whose approval never counts here.'),
  include_user: z
    .boolean()
    .exactOptional()
    .describe(
      "Whether the principal's own approval is needed beside the others; false when absent.",
    ),
} satisfies Record<keyof QuorumShape, z.ZodType>);

const selfApproval = z.union(
  [
    z.enum(['never', 'solo']),
    z.strictObject({
      mode: z.literal('solo').describe('`solo`, as the text alone.'),
      wait: duration
        .exactOptional()
        .describe('Time between the two signatures, from 1h to 71h; 24h when absent.'),
    }),
  ],
  { error: 'must be "never", "solo" or { mode = "solo", wait = "24h" }' },
);

export const approvals: z.ZodType<ApprovalsShape> = z.strictObject({
  passcode: text
    .exactOptional()
    .describe("Hash of the owner's passcode, made by `intentplane passcode`, or `file:<path>`."),
  listen: text
    .exactOptional()
    .describe('Address of the approval page, on this computer; `127.0.0.1:8765` when absent.'),
  page_url: text
    .exactOptional()
    .describe(
      'Public address of the page, `https://<host>`, when a TLS proxy on this computer hands it on; this computer only when absent.',
    ),
  wait: whole
    .exactOptional()
    .describe('Seconds to hold a call for the person, at most 45; 0 when absent.'),
  require: requireSchema
    .exactOptional()
    .describe('How a person must answer, by level. `passkey` is fulfilled by `passkey-bound` too.'),
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
    .describe(
      'How long a level 2 page must have been open before it takes an approval, at most 60s; 3s when absent.',
    ),
  notify: z
    .array(notify)
    .max(16)
    .exactOptional()
    .describe(
      'Where people are told of a request. A notice answers nothing. Not available in this version: refused at the start.',
    ),
  quorum: quorum
    .exactOptional()
    .describe('Who has to approve at level 2, unless a policy or a pack says more.'),
  self_approval: selfApproval
    .exactOptional()
    .describe(
      'What happens at level 2 where one person is alone. `never`: refused, also when absent; `solo`: two signatures of that person with a wait in between. Not available in this version: refused at the start.',
    ),
  channel: text
    .exactOptional()
    .describe(
      'A channel of your own: `./file.mjs:factory`, a JavaScript module and the function that it exports. Not available in this version: refused at the start.',
    ),
} satisfies Record<keyof ApprovalsShape, z.ZodType>);
