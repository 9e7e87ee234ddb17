// `intentplane mcp run`: everything of one configuration, serving one client over stdio until it is gone.
import type { Readable, Writable } from 'node:stream';
import { packageVersion } from '../config/package-version.ts';
import { createProxy } from '../proxy/create-proxy.ts';
import type { ExposedTool } from '../proxy/exposed-tool.ts';
import { type ApprovalDesk, approvalDesk } from './approval-desk.ts';
import type { Prepared } from './prepare.ts';
import { untilStopped } from './shutdown.ts';
import { type Running, startGateway } from './start-gateway.ts';
import { releaseYoungGeneration } from './young-generation.ts';

export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/** The client has listed the tools and what the start left behind is collected: what allocates now is load. */
const startedAfterMs = 5_000;

/** Resolves with the exit code when the client is gone, a signal came, or the store failed. */
export async function startProxy(prepared: Prepared, streams: Streams): Promise<0 | 3> {
  const { config, parts, log, environment } = prepared;
  for (const warning of [...config.warnings, ...parts.warnings, ...prepared.names.warnings])
    log('warn', warning);
  const stop = untilStopped();
  const desk = approvalDesk(config, log);
  const running = await startGateway({
    config,
    parts,
    log,
    environment: environment.variables,
    approvals: desk.settings,
    onFatal: (error) => {
      log('error', `the store failed, so nothing more is served: ${String(error)}`);
      stop.fail();
    },
  });
  await openDesk(desk, running);
  const proxy = createProxy({
    gateway: running.gateway,
    servers: running.servers,
    catalogue: running.catalogue,
    tools: exposedTools(prepared),
    hasOwnTools: config.gateway.ownTools,
    principal: config.mandate.principal,
    waitSeconds: config.approvals.waitMs / 1_000,
    sealKey: running.started.secret,
    useNonce: (nonce, expiresMs) => running.store.useNonce(nonce, expiresMs),
    version: packageVersion,
    log: (level, line) => log(level, line),
    nowMs: Date.now,
    ...streams,
  });
  const served = proxy.serve();
  setTimeout(releaseYoungGeneration, startedAfterMs).unref();
  const code = await Promise.race([served.then(() => 0 as const), stop.stopped]);
  await proxy.close();
  await desk.close();
  await running.close();
  return code;
}

/** Without the page nobody could answer: then nothing stays running either. */
async function openDesk(desk: ApprovalDesk, running: Running): Promise<void> {
  try {
    await desk.open(running);
  } catch (error) {
    await running.close();
    throw error;
  }
}

function exposedTools({ config, names }: Prepared): readonly ExposedTool[] {
  return config.tools.map(({ server, tool, kind }, index) => ({
    name: names.names[index] ?? tool,
    server,
    tool,
    kind,
    contracts: config.contracts.filter(
      (contract) => contract.server === server && contract.tool === tool,
    ),
  }));
}
