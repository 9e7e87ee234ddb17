// The shape of the file, table by table. Cross-checks between tables are in the build files.
import { z } from 'zod';
import { approvals } from './approvals-schema.ts';
import type {
  FileShape,
  GatewayShape,
  HttpShape,
  MandateShape,
  RegistryShape,
  ServerShape,
} from './file-shape.ts';
import { oidc } from './oidc-schema.ts';
import { person } from './people-schema.ts';
import { receiptLog } from './receipt-log-schema.ts';
import { tool } from './tool-schema.ts';
import {
  name,
  positiveDuration,
  positiveWhole,
  scalar,
  text,
  texts,
  whole,
  within,
} from './value-schemas.ts';

/** Longest request that literals are taken from, in UTF-16 units. */
export const requestLengthMax = 65_536;
/** More people than a file is a good place for. */
const peopleMax = 1_000;

const gateway: z.ZodType<GatewayShape> = z.strictObject({
  name: text
    .exactOptional()
    .describe('Name of the receipt log; made from the place of the file when absent.'),
  data: text
    .exactOptional()
    .describe('Folder of keys and store; in the state folder of the platform when absent.'),
  store: text
    .exactOptional()
    .describe(
      '`sqlite:<path>` or `postgres://<user>@<host>/<database>`; `store.db` in the data folder when absent.',
    ),
  rate_limit: within(1, 1_000_000_000)
    .exactOptional()
    .describe(
      'Refused or asked calls per minute before further ones are only counted; 10,000 when absent.',
    ),
  own_tools: z
    .boolean()
    .exactOptional()
    .describe('Whether agents see the `intentplane_…` tools; true when absent.'),
  mode: z
    .literal('enforce', {
      error: 'must be "enforce": other modes are not available in this version',
    })
    .exactOptional()
    .describe('`enforce`: what is refused does not happen.'),
  log: z
    .strictObject({
      level: z
        .enum(['debug', 'info', 'warn', 'error', 'silent'])
        .exactOptional()
        .describe('Least important lines that are written; `info` when absent.'),
      format: z
        .enum(['json', 'pretty'])
        .exactOptional()
        .describe('Form of a line; `pretty` when absent.'),
    })
    .exactOptional()
    .describe('The log on standard error. It never holds values.'),
} satisfies Record<keyof GatewayShape, z.ZodType>);

const claimFault = 'must be a text, a number, true/false, a day, or a list of these';

const mandate: z.ZodType<MandateShape> = z.strictObject({
  principal: text
    .min(1)
    .max(200)
    .exactOptional()
    .describe('Whom the agent acts for; `user` when absent.'),
  agent: text.min(1).max(200).exactOptional().describe('Name of the agent; `agent` when absent.'),
  budget: whole
    .exactOptional()
    .describe(
      'Ceiling of all charged amounts together, in the unit of `budget_param` after its `scale`.',
    ),
  calls: whole.exactOptional().describe('Ceiling of executed calls.'),
  period_budget: positiveWhole
    .exactOptional()
    .describe('Ceiling of all charged amounts within one `period`, in the same unit.'),
  period: text
    .exactOptional()
    .describe(
      '`30d` or `24h`: the last days or hours, at most 366d; `day`, `week` or `month`: of the calendar in `zone`, weeks from Monday.',
    ),
  zone: text
    .exactOptional()
    .describe('IANA zone whose midnight begins a `day`, `week` or `month`, e.g. `Europe/Berlin`.'),
  currency: text
    .exactOptional()
    .describe(
      'ISO 4217 code of `budget` and `period_budget`: an amount of another currency, or of none, is refused.',
    ),
  scopes: texts
    .exactOptional()
    .describe('Scopes that the mandate holds; all that the tools ask for when absent.'),
  claims: z
    .record(z.string(), z.union([scalar, z.array(scalar)], { error: claimFault }))
    .exactOptional()
    .describe(
      'Trusted values; a list means any item. `tenant` names the owner of registry records.',
    ),
  expires_in: positiveDuration
    .exactOptional()
    .describe('Validity of the mandate of a session; 12h when absent.'),
  request: text
    .max(requestLengthMax)
    .exactOptional()
    .describe("The user's own words; the source `request` takes literals from them."),
  request_file: text.exactOptional().describe('File with the request.'),
} satisfies Record<keyof MandateShape, z.ZodType>);

const registry: z.ZodType<RegistryShape> = z.strictObject({
  file: text.describe('File of records, .json or .csv.'),
  normalize: text.exactOptional().describe("Value type of the record's own value, e.g. `iban`."),
  value: text
    .exactOptional()
    .describe("Field that is the record's own value; `value` when absent."),
  fields: z
    .record(
      z.string(),
      z.strictObject({ normalize: text.exactOptional().describe('Value type of the field.') }),
    )
    .exactOptional()
    .describe('Fields that sources may name as `registry:<name>.<field>`.'),
  alias: z
    .union([text.transform((one) => [one]), texts], {
      error: 'must be a field or a list of fields',
    })
    .exactOptional()
    .describe('Fields by which an agent may name a record: `name:<alias>`.'),
  owner: text
    .exactOptional()
    .describe(
      'Field that names the owner of a record, or `*` for everybody; the principal alone when absent.',
    ),
  listable: z.boolean().exactOptional().describe('Agents may list names and masked values.'),
  max_age: positiveDuration
    .exactOptional()
    .describe('Records that were last verified longer ago are refused.'),
} satisfies Record<keyof RegistryShape, z.ZodType>);

const server: z.ZodType<ServerShape> = z.strictObject({
  name: name.describe('Name in this file and in policies.'),
  command: text
    .min(1)
    .describe('Program that speaks MCP over stdio. `python` is the first of python3 and python.'),
  args: texts.exactOptional().describe('Arguments of the program.'),
  env: z
    .record(z.string(), z.string())
    .exactOptional()
    .describe(
      'Variables of the program; `file:<path>` reads a value from a file that only you can read.',
    ),
  inherit_env: texts
    .exactOptional()
    .describe("Names of this process's variables that the program gets too."),
  cwd: text
    .exactOptional()
    .describe("Working folder of the program; the file's folder when absent."),
  timeout: positiveDuration
    .exactOptional()
    .describe('Longest start of the program; 30 s when absent.'),
  call_timeout: positiveDuration.exactOptional().describe('Longest call; 5 minutes when absent.'),
  restart: z
    .enum(['on-crash', 'never'])
    .exactOptional()
    .describe('Whether a program that ended is started again; `on-crash` when absent.'),
  prefix: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,32}$/, 'must be 1 to 32 letters, digits, _ or -')
    .exactOptional()
    .describe('Put before the names of its tools: `prefix__tool`.'),
  era: z
    .literal('legacy', { error: 'must be "legacy": other eras are not available in this version' })
    .exactOptional()
    .describe('Revision of MCP that the program speaks.'),
  pin: z
    .enum(['on', 'off'])
    .exactOptional()
    .describe(
      'Whether a changed definition of a tool is refused until it is accepted; `on` when absent.',
    ),
} satisfies Record<keyof ServerShape, z.ZodType>);

const http: z.ZodType<HttpShape> = z.strictObject({
  oidc: oidc
    .exactOptional()
    .describe(
      'Provider at which people sign in (OpenID Connect). Not available in this version: refused at the start.',
    ),
} satisfies Record<keyof HttpShape, z.ZodType>);

/** What to do about a table that every file needs. */
const missing =
  (fix: string) =>
  (issue: { readonly input?: unknown }): string | undefined =>
    issue.input === undefined ? `is missing: ${fix}` : undefined;

/** The whole file. */
export const fileSchema: z.ZodType<FileShape> = z.strictObject({
  $schema: text.exactOptional().describe('Address of the schema of this file, for editors.'),
  gateway: gateway.exactOptional().describe('The gateway itself.'),
  mandate: mandate.exactOptional().describe('What the agent may do, for whom.'),
  registries: z
    .record(z.string(), registry)
    .exactOptional()
    .describe('Records of trusted values, by name.'),
  servers: z
    .array(server, { error: missing('add [[servers]] with a name and a command') })
    .min(1, 'must name at least one server')
    .describe('Servers behind the gateway.'),
  tools: z.array(tool).exactOptional().describe('Guarded tools.'),
  policy: z
    .strictObject(
      {
        file: text.exactOptional().describe('Cedar policies.'),
        files: texts.exactOptional().describe('More files of Cedar policies.'),
      },
      { error: missing('add [policy] with file = "policy.cedar"') },
    )
    .describe('What is permitted, at which approval level.'),
  defaults: z
    .strictObject({
      passthrough: texts
        .exactOptional()
        .describe(
          'Tools that run without a decision, as `server.tool`. Every other tool that is not guarded is hidden.',
        ),
      receipts: text
        .exactOptional()
        .describe('File to which receipts are also appended as JSON lines.'),
    })
    .exactOptional()
    .describe('Tools without a contract, and the receipts file of the 0.5.x packages.'),
  people: z
    .array(person)
    .max(peopleMax, `must name at most ${peopleMax} people`)
    .exactOptional()
    .describe(
      'People who answer approval requests. A passkey is enrolled by its person and never stands here.',
    ),
  approvals: approvals.exactOptional().describe('How a person confirms.'),
  http: http.exactOptional().describe('What the gateway uses of the web.'),
  keys: z
    .strictObject({
      log: text
        .exactOptional()
        .describe('`file:<path>` of the key that signs the receipt log; made at the first start.'),
    })
    .exactOptional()
    .describe('Keys of the gateway.'),
  log: receiptLog
    .exactOptional()
    .describe('The receipt log: who else sees it, and how long values are kept.'),
} satisfies Record<keyof FileShape, z.ZodType>);
