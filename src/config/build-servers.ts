// `[[servers]]`: downstream servers over stdio.
import { resolve } from 'node:path';
import { type BuildContext, type Report, reporter } from './build-context.ts';
import type { ServerConfig } from './config.ts';
import type { FileShape, ServerShape } from './file-shape.ts';
import { readSecret } from './read-secret.ts';

const timeoutDefaultMs = 30_000;
const callTimeoutDefaultMs = 300_000;

export function buildServers(shape: FileShape, context: BuildContext): readonly ServerConfig[] {
  const names = shape.servers.map((server) => server.name);
  return shape.servers.map((server, index) => {
    const report = reporter(context, ['servers', index]);
    if (names.indexOf(server.name) < index) {
      report(['name'], `two servers are called \`${server.name}\`: rename one`);
    }
    return buildServer(server, context, report);
  });
}

function buildServer(server: ServerShape, context: BuildContext, report: Report): ServerConfig {
  return {
    name: server.name,
    command: server.command,
    args: server.args ?? [],
    env: readEnv(server.env ?? {}, context, report),
    inheritEnv: server.inherit_env ?? [],
    cwd: resolve(context.folder, server.cwd ?? '.'),
    timeoutMs: server.timeout ?? timeoutDefaultMs,
    callTimeoutMs: server.call_timeout ?? callTimeoutDefaultMs,
    restart: server.restart ?? 'on-crash',
    prefix: server.prefix,
    pin: server.pin ?? 'on',
  };
}

function readEnv(
  env: Readonly<Record<string, string>>,
  context: BuildContext,
  report: Report,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, text]) => {
      const secret = readSecret(text, context);
      if (secret.ok) return [[name, secret.value]];
      report(['env', name], secret.error);
      return [];
    }),
  );
}
