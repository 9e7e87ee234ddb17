// What the script of the page sends.
import { z } from 'zod';

export interface AnswerBody {
  readonly verdict: 'approve' | 'reject';
  readonly passcode?: string;
  /** Answer of `navigator.credentials.get()` over the hash of the operation. */
  readonly assertion?: Readonly<Record<string, unknown>>;
  /** Hash of the operation that was shown. */
  readonly op_hash: string;
  readonly csrf: string;
  /** The person's own words, for the receipt. */
  readonly reason?: string;
  /** Names of the long texts that were opened. */
  readonly opened?: readonly string[];
  /** Last characters of the recipient, at level 2. */
  readonly typed?: string;
}

/** Unknown keys are refused: an answer means exactly what it says. */
export const answerBodySchema: z.ZodType<AnswerBody> = z.strictObject({
  verdict: z.enum(['approve', 'reject']),
  passcode: z.string().max(1_024).exactOptional(),
  assertion: z.record(z.string(), z.unknown()).exactOptional(),
  op_hash: z.string().regex(/^[0-9a-f]{64}$/),
  csrf: z.string().max(100),
  reason: z
    .string()
    .max(500)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u)
    .exactOptional(),
  opened: z
    .array(z.string().regex(/^[0-9a-f]{16}$/))
    .max(1_000)
    .exactOptional(),
  typed: z.string().max(100).exactOptional(),
} satisfies Record<keyof AnswerBody, z.ZodType>);
