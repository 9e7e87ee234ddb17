// The shape of `[log]`: how the receipt log is anchored outside this gateway, and how long values are kept.
import { z } from 'zod';
import type { ReceiptLogShape } from './file-shape.ts';
import { duration, name, positiveDuration, text, texts } from './value-schemas.ts';

export const receiptLog: z.ZodType<ReceiptLogShape> = z.strictObject({
  witnesses: z
    .array(
      z.strictObject({
        name: name.describe('Name in messages and in the exported trust file.'),
        url: text.describe('Address below which `add-checkpoint` is.'),
        keys: texts
          .min(1)
          .describe('Verifier keys of the witness, as it prints them at its start.'),
      }),
    )
    .max(16)
    .exactOptional()
    .describe('Who cosigns the checkpoints of this log.'),
  witness_block_after: duration
    .exactOptional()
    .describe(
      'Refuse calls when receipts wait longer than this for a witness, from `2m` on; calls go on when absent.',
    ),
  timestamp_url: text
    .exactOptional()
    .describe(
      'Time-stamping authority (RFC 3161) that is asked once an hour about a log that grew; needs the packages pkijs and asn1js.',
    ),
  pq: z
    .boolean()
    .exactOptional()
    .describe(
      'Whether checkpoints carry a second signature, ML-DSA-44; needs Node 24.6 or newer. False when absent.',
    ),
  retention: z
    .array(
      z.strictObject({
        action: text
          .exactOptional()
          .describe('Name of an action, or its beginning and `*`; every receipt when absent.'),
        types: texts.exactOptional().describe('Types of receipts; all when absent.'),
        keep: positiveDuration.describe('How long values are kept, at least 184d.'),
      }),
    )
    .exactOptional()
    .describe(
      'How long the values behind receipts are kept; the first rule that fits decides. Without one 3653d where an amount budget is spent, 731d elsewhere.',
    ),
} satisfies Record<keyof ReceiptLogShape, z.ZodType>);
