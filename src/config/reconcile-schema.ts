// `idempotency` and `reconcile` of a tool: how a call is repeated safely, and how its end is found out.
import { z } from 'zod';
import type { IdempotencyShape, LookupMatchShape, ReconcileShape } from './file-shape.ts';
import { duration, positiveDuration, scalar, text } from './value-schemas.ts';

export const idempotency: z.ZodType<IdempotencyShape> = z.strictObject({
  argument: text
    .min(1)
    .describe('Argument in which the gateway writes its key; what the agent wrote is replaced.'),
  lifetime: positiveDuration.describe('How long the target remembers a key, e.g. `24h`.'),
} satisfies Record<keyof IdempotencyShape, z.ZodType>);

const match = (meaning: string): z.ZodType<LookupMatchShape> =>
  z
    .strictObject({
      pointer: text.exactOptional().describe('JSON pointer into the structured result.'),
      value: z
        .union([scalar, z.array(scalar).min(1)])
        .exactOptional()
        .describe('Value, or one of several, that stands there.'),
      text: text.exactOptional().describe('RE2 pattern that the text of the result contains.'),
      is_error: z
        .boolean()
        .exactOptional()
        .describe('The tool answers this as an error; false when absent.'),
    } satisfies Record<keyof LookupMatchShape, z.ZodType>)
    .describe(meaning);

export const reconcile: z.ZodType<ReconcileShape> = z.strictObject({
  tool: text
    .min(1)
    .describe('Read-only tool that is asked what became of an operation, as `server.tool`.'),
  arguments: z
    .record(z.string(), scalar)
    .exactOptional()
    .describe(`Its arguments; texts may hold \`\${key}\`, \`\${op_id}\` and \`\${param.NAME}\`.`),
  succeeded: match('The answer that means: it happened.'),
  failed: match('The answer that means: it did not happen and never will.').exactOptional(),
  absent: match('The answer that means: nothing is there.').exactOptional(),
  amount: text
    .exactOptional()
    .describe('JSON pointer to the amount that was moved, in the unit of the tool.'),
  reference: text.exactOptional().describe("JSON pointer to the target's own name of it."),
  key: text
    .exactOptional()
    .describe('JSON pointer to the key that the target kept; another key there is an alarm.'),
  absence_final_after: duration
    .exactOptional()
    .describe(
      'How long after the deadline of the call `absent` means that it failed; never when absent.',
    ),
} satisfies Record<keyof ReconcileShape, z.ZodType>);
