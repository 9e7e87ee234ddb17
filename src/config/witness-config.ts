// The file of a witness: its name, where it listens and keeps things, and the logs it knows.
import { dirname, resolve } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { z } from 'zod';
import { isLogOrigin } from '../core/log-origin.ts';
import { err, ok, type Result } from '../core/result.ts';
import { issueMessage } from './describe-issue.ts';
import { pathText } from './key-path.ts';
import { readTextFile } from './read-text-file.ts';
import { text, texts } from './value-schemas.ts';

/** A witness as its file says. */
export interface WitnessConfig {
  /** Name of its keys. */
  readonly name: string;
  readonly listen: { readonly host: string; readonly port: number };
  /** Absolute folder of keys and memory. */
  readonly data: string;
  /** Whether it also signs with ML-DSA-44; undefined = where Node has the algorithm. */
  readonly pq: boolean | undefined;
  readonly logs: readonly {
    readonly origin: string;
    /** Texts of verifier keys. */
    readonly keys: readonly string[];
  }[];
}

const listenDefault = '127.0.0.1:8780';

interface WitnessShape {
  readonly name: string;
  readonly listen?: string;
  readonly data: string;
  readonly pq?: boolean;
  readonly logs: readonly { readonly origin: string; readonly keys: readonly string[] }[];
}

const origin = text.refine(isLogOrigin, 'must have no space and no +');

const shape: z.ZodType<WitnessShape> = z.strictObject({
  name: origin,
  listen: text.exactOptional(),
  data: text,
  pq: z.boolean().exactOptional(),
  logs: z.array(z.strictObject({ origin, keys: texts.min(1) })).min(1),
} satisfies Record<keyof WitnessShape, z.ZodType>);

/** Reads and checks the file; each problem is one line that names the file and the key. */
export function loadWitnessConfig(
  path: string,
  platform: string,
): Result<WitnessConfig, readonly string[]> {
  const file = resolve(path);
  const source = readTextFile(file, platform);
  if (!source.ok) return err([`${file}: the file ${source.error}`]);
  const document = parseToml(source.value);
  if (!document.ok) return err([`${file}: ${document.error}`]);
  const read = shape.safeParse(document.value, { error: issueMessage });
  if (!read.success) return err(read.error.issues.flatMap((issue) => describe(file, issue)));
  const { name, data, pq, logs } = read.data;
  const listen = parseListen(read.data.listen ?? listenDefault);
  if (listen === undefined) return err([`${file}: listen: must be <host>:<port>`]);
  const twice = logs.find((log, i) => logs.findIndex((each) => each.origin === log.origin) !== i);
  if (twice !== undefined) return err([`${file}: logs: \`${twice.origin}\` is named twice`]);
  return ok({ name, listen, data: resolve(dirname(file), data), pq, logs });
}

function parseToml(source: string): Result<unknown, string> {
  try {
    return ok(parse(source, { unsafeKeyBehaviour: 'throw' }));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return err(`${error.message.split('\n')[0]} (line ${error.line})`);
  }
}

function describe(file: string, issue: z.core.$ZodIssue): readonly string[] {
  const path = issue.path.filter((step) => typeof step !== 'symbol');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${file}: ${pathText([...path, key])}: unknown key: remove it`);
  }
  return [`${file}: ${pathText(path)}: ${issue.message}`];
}

/** `host:port`, with an IPv6 address in brackets. */
function parseListen(listen: string): WitnessConfig['listen'] | undefined {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(listen);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  return host === undefined || port > 65_535 ? undefined : { host, port };
}
