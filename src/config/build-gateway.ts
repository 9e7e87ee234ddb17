// `[gateway]`: names and places of this gateway.
import { realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isLogOrigin } from '../core/log-origin.ts';
import { sha256Hex } from '../core/sha256.ts';
import { absolute, type BuildContext, type Report, reporter } from './build-context.ts';
import { type GatewayConfig, isPostgresUrl } from './config.ts';
import type { FileShape } from './file-shape.ts';
import { stateFolder } from './state-folder.ts';

/** Refused or asked proposals per minute. */
const rateLimitDefault = 10_000;

export function buildGateway(shape: FileShape, context: BuildContext): GatewayConfig {
  const { folder, environment, file } = context;
  const gateway = shape.gateway ?? {};
  const report = reporter(context, ['gateway']);
  const name = gateway.name ?? defaultName(file);
  if (!isLogOrigin(name))
    report(['name'], 'must have no space and no + (it names the receipt log)');
  const data = absolute(folder, gateway.data) ?? join(stateFolder(environment), folderName(name));
  return {
    name,
    data,
    store: storePath(gateway.store, { folder, data, report }),
    rateLimit: gateway.rate_limit ?? rateLimitDefault,
    ownTools: gateway.own_tools ?? true,
    log: { level: gateway.log?.level ?? 'info', format: gateway.log?.format ?? 'pretty' },
  };
}

/** Two files never share a store by accident: the name holds the place of the file. */
function defaultName(file: string): string {
  const base = basename(file)
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[^A-Za-z0-9._-]/g, '-');
  return `${base}-${sha256Hex(realpathSync(file)).slice(0, 8)}`;
}

/** One folder below the state folder, whatever the name holds. */
const folderName = (name: string): string =>
  name.replaceAll(/[/\\:]/g, '_').replace(/^\.+/, (dots) => '_'.repeat(dots.length));

function storePath(
  store: string | undefined,
  {
    folder,
    data,
    report,
  }: { readonly folder: string; readonly data: string; readonly report: Report },
): string {
  if (store === undefined) return join(data, 'store.db');
  const path = /^sqlite:(.+)$/s.exec(store)?.[1];
  if (path !== undefined) return path === ':memory:' ? path : resolve(folder, path);
  // The address may hold a password: no message repeats it.
  if (isPostgresUrl(store)) {
    if (namesDatabase(store)) return store;
    report(['store'], 'must be postgres://<user>@<host>/<database>');
  } else report(['store'], 'must be sqlite:<path> or postgres://<user>@<host>/<database>');
  return '';
}

function namesDatabase(url: string): boolean {
  return URL.canParse(url) && new URL(url).pathname.length > 1;
}
