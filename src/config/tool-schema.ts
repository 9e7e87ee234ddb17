// `[[tools]]` and `[tools.params.NAME]`: the shape of a contract in the file.
import { z } from 'zod';
import type { ParamShape, SuccessShape, ToolShape } from './file-shape.ts';
import { idempotency, reconcile } from './reconcile-schema.ts';
import { decimal, duration, scalar, text, texts, within } from './value-schemas.ts';

const paramTypes = [
  'string',
  'integer',
  'number',
  'boolean',
  'money',
  'date',
  'datetime',
  'list',
  'object',
] as const;
const textRule = z.enum(['free', 'entities']);
const onUnknown = z.enum(['ask', 'deny']);
const count = within(0, 10_000);
const actionFault = 'must be a name of letters, digits, _ . : or -, at most 200 long';
const scaleFault = 'must be a whole number from 1 to 1000000000 (100 = hundredths)';

const param: z.ZodType<ParamShape> = z.strictObject({
  type: z.enum(paramTypes).exactOptional().describe('Type of the value; `string` when absent.'),
  critical: z
    .boolean()
    .exactOptional()
    .describe('The value must equal a trusted value of one of the `sources`.'),
  sources: texts
    .exactOptional()
    .describe(
      'Trusted sources in order: `mandate:<claim>`, `registry:<name>`, `registry:<name>.<field>`, `request`, `const:<value>`.',
    ),
  each: z.boolean().exactOptional().describe('A list whose every item is a value of its own.'),
  path: text
    .min(1)
    .exactOptional()
    .describe('Where the value stands in the arguments, e.g. `to[].address`; else its own name.'),
  normalize: text
    .exactOptional()
    .describe('Value type that makes spellings comparable, e.g. `iban`.'),
  scale: z
    .int({ error: scaleFault })
    .min(1, scaleFault)
    .max(1_000_000_000, scaleFault)
    .exactOptional()
    .describe('Multiplier that makes a number whole for policy and budget; 100 = hundredths.'),
  optional: z.boolean().exactOptional().describe('The call may leave the value out.'),
  enum: z.array(scalar).min(1).exactOptional().describe('The only values that are accepted.'),
  pattern: text.exactOptional().describe('RE2 pattern that the whole text must match.'),
  min: decimal.exactOptional().describe('Smallest number, in the unit of the tool.'),
  max: decimal.exactOptional().describe('Largest number, in the unit of the tool.'),
  max_length: within(0, 1_000_000).exactOptional().describe('Longest text, in UTF-16 units.'),
  min_items: count.exactOptional().describe('Fewest items of a list; 1 when critical.'),
  max_items: count.exactOptional().describe('Most items of a list; 50 when absent.'),
  record: text
    .exactOptional()
    .describe('Parameter that selects the record which this value must come from.'),
  text: textRule
    .exactOptional()
    .describe(
      '`entities`: unknown addresses, links and accounts in it are found; `free`: not looked at.',
    ),
  on_unknown: onUnknown
    .exactOptional()
    .describe(
      'What an unknown entity in this text means: a person is asked, or the call is denied.',
    ),
  multiline: z.boolean().exactOptional().describe('The text may hold line breaks.'),
  label: text.min(1).max(100).exactOptional().describe('What a person reads instead of the name.'),
  currency: text.exactOptional().describe('ISO 4217 code of a `money` value.'),
  zone: text.exactOptional().describe('IANA zone in which a `datetime` without offset is read.'),
  text_allow: texts
    .exactOptional()
    .describe('RE2 patterns of doubtful entities that this text may hold.'),
  text_sources: texts.exactOptional().describe('Registries whose values this text may name.'),
  text_domains: texts.exactOptional().describe('Own domains that this text may name.'),
  text_templates: texts.exactOptional().describe('Fixed texts that this text may be built from.'),
} satisfies Record<keyof ParamShape, z.ZodType>);

const success: z.ZodType<SuccessShape> = z.strictObject({
  pointer: text.exactOptional().describe('JSON pointer into the structured result.'),
  value: scalar
    .exactOptional()
    .describe('Value that stands there after a success; `true` when absent.'),
  text: text.exactOptional().describe('RE2 pattern that the text of a success contains.'),
} satisfies Record<keyof SuccessShape, z.ZodType>);

export const tool: z.ZodType<ToolShape> = z.strictObject({
  server: text.describe('Name of the server that has the tool.'),
  tool: text.min(1).describe('Name of the tool at its server.'),
  action: z
    .string()
    .regex(/^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,199}$/, actionFault)
    .exactOptional()
    .describe('Name in policies, scopes and receipts; `<server>.<tool>` when absent.'),
  budget_param: text
    .exactOptional()
    .describe('Number that is charged to the budget of the mandate.'),
  params: z.record(z.string(), param).exactOptional().describe('Declared parameters by name.'),
  when: z
    .record(z.string(), scalar)
    .exactOptional()
    .describe('Literal argument values that select this entry of a tool which runs several acts.'),
  success: success.exactOptional().describe('How an answer that means success looks.'),
  expect: z
    .record(z.string(), text)
    .exactOptional()
    .describe('JSON pointer into the structured result → parameter whose value must stand there.'),
  volatile: texts
    .exactOptional()
    .describe('Arguments that may differ between two calls which are otherwise the same.'),
  idempotency: idempotency
    .exactOptional()
    .describe('The target honours a key: a call whose end is unknown may be sent again.'),
  reconcile: reconcile
    .exactOptional()
    .describe('How the gateway finds out what became of a call whose end is unknown.'),
  once: texts
    .min(1)
    .exactOptional()
    .describe('Parameters whose values together can succeed once, for ever, e.g. an invoice id.'),
  tool_error: z
    .enum(['unknown', 'failed'])
    .exactOptional()
    .describe('What an error of the tool means for a write: nobody knows, or nothing happened.'),
  duplicate_window: duration
    .exactOptional()
    .describe(
      'How long after a success the same call asks a person; 120 s when absent, 0 = never.',
    ),
  description: text.exactOptional().describe("Replaces the server's description of the tool."),
  effect: z
    .enum(['write', 'read'])
    .exactOptional()
    .describe('Whether the tool changes anything; `write` when absent.'),
  text: textRule.exactOptional().describe('`text` of every parameter that says nothing else.'),
  undeclared: z
    .enum(['entities', 'free', 'refuse'])
    .exactOptional()
    .describe('Arguments that only the tool knows: looked through, let through, or refused.'),
  on_unknown: onUnknown
    .exactOptional()
    .describe(
      '`on_unknown` of undeclared arguments and of every parameter that says nothing else.',
    ),
  level_floor: z
    .union([z.literal(0), z.literal(1), z.literal(2)], { error: 'must be 0, 1 or 2' })
    .exactOptional()
    .describe('Lowest approval level, whatever the policy says.'),
  scope: text
    .min(1)
    .exactOptional()
    .describe('Scope that the mandate must hold; the action when absent.'),
  confirm: z
    .literal('page', { error: 'must be "page"' })
    .exactOptional()
    .describe("Only the page may confirm, never a form in the agent's own client."),
  sentence: text
    .max(500)
    .exactOptional()
    .describe('What a person reads first; `{name}` stands for the value of a parameter.'),
} satisfies Record<keyof ToolShape, z.ZodType>);
