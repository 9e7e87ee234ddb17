// The parts of the file brought together: defaults filled in, names resolved, contradictions found.
import { resolve } from 'node:path';
import { buildApprovals } from './build-approvals.ts';
import { absolute, type BuildContext, reporter } from './build-context.ts';
import { buildContracts } from './build-contract.ts';
import { buildGateway } from './build-gateway.ts';
import { buildMandate } from './build-mandate.ts';
import { buildPeople } from './build-people.ts';
import { buildReceiptLog } from './build-receipt-log.ts';
import { buildRegistries } from './build-registries.ts';
import { buildRetention } from './build-retention.ts';
import { buildServers } from './build-servers.ts';
import type { Config } from './config.ts';
import { exposedTools } from './exposed-tools.ts';
import type { FileShape } from './file-shape.ts';
import { findWarnings } from './find-warnings.ts';
import type { KeyPath } from './key-path.ts';
import { readTextFile } from './read-text-file.ts';

/** Complete whatever the problems; only one without problems is to be used. */
export function buildConfig(shape: FileShape, context: BuildContext): Config {
  const { file, folder, digest, placeOf } = context;
  const contracts = buildContracts(shape, context);
  const gateway = buildGateway(shape, context);
  const mandate = buildMandate(shape, contracts, context);
  const { principal } = mandate;
  const { people, owner } = buildPeople(shape, { principal, context });
  const config: Omit<Config, 'warnings'> = {
    file,
    folder,
    digest,
    gateway,
    mandate,
    registries: buildRegistries(shape, contracts, context),
    servers: buildServers(shape, context),
    contracts,
    tools: exposedTools(shape, context),
    policies: readPolicies(shape, context),
    receiptMirror: absolute(folder, shape.defaults?.receipts),
    approvals: buildApprovals(shape, { people, owner, principal, context }),
    people,
    keys: { log: logKeyPath(shape, context) ?? resolve(gateway.data, 'log-key.pem') },
    retention: buildRetention(shape, context),
    log: buildReceiptLog(shape, context),
    placeOf,
  };
  const warnings = [...context.warnings, ...findWarnings(config, shape)];
  return deepFreeze({ ...config, warnings });
}

function logKeyPath({ keys }: FileShape, context: BuildContext): string | undefined {
  if (keys?.log === undefined || keys.log.startsWith('file:')) {
    return absolute(context.folder, keys?.log?.slice('file:'.length));
  }
  const message = 'must be file:<path>: other key stores are not available in this version';
  reporter(context, ['keys'])(['log'], message);
  return undefined;
}

function readPolicies({ policy }: FileShape, context: BuildContext): Config['policies'] {
  const report = reporter(context, ['policy']);
  const named: readonly { readonly path: KeyPath; readonly file: string }[] = [
    ...(policy.file === undefined ? [] : [{ path: ['file'], file: policy.file }]),
    ...(policy.files ?? []).map((file, index) => ({ path: ['files', index], file })),
  ];
  if (named.length === 0) report([], 'names no policy: add file = "policy.cedar"');
  return named.flatMap(({ path, file }) => {
    const name = resolve(context.folder, file);
    const text = readTextFile(name, context.environment.platform);
    if (text.ok) return [{ name, text: text.value }];
    report(path, `the policy file \`${name}\` ${text.error}`);
    return [];
  });
}

/** Bytes cannot be frozen; nothing writes to those of a passcode. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}
