// A configuration becomes a running gateway: store, servers, catalogue, decisions and timers.
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import type { ToolServers } from '../connectors/tool-servers.ts';
import type { Contract } from '../core/contract.ts';
import type { MandateDraft } from '../core/moves/plan-mandate.ts';
import { hmacSha256 } from '../core/sha256.ts';
import { type AssembledGateway, assembleGateway } from '../gateway/assemble-gateway.ts';
import { ClaimIndex, textsOf } from '../gateway/claim-index.ts';
import type { ApprovalSettings, GatewayParts, LogLine } from '../gateway/gateway-parts.ts';
import { requestTexts } from '../gateway/request-texts.ts';
import { ToolCatalogue } from '../gateway/tool-catalogue.ts';
import type { StartReport, Store } from '../stores/store.ts';
import { backgroundError } from './background-error.ts';
import { createConnector, createToolServers } from './compose.ts';
import { retentionTerms } from './expire-payloads.ts';
import type { LoadedParts } from './load-parts.ts';
import { askWitnesses, type LogAnchors, loadAnchors } from './log-anchors.ts';
import { readSections } from './log-sections.ts';
import { LogSigner } from './log-signer.ts';
import { type OpenedStore, openStore } from './open-store.ts';
import { MirrorFile } from './receipt-mirror.ts';
import { ReconcileRunner } from './reconcile-runner.ts';
import { RetentionJob } from './retention-job.ts';
import { syncPeople } from './sync-people.ts';
import { TimestampRounds } from './timestamp-rounds.ts';
import { ToolDefinitions } from './tool-definitions.ts';
import { ClockWatch } from './watch-clock.ts';
import { DiskWatch, freeBytes, storeFolder } from './watch-disk.ts';
import { WitnessRounds } from './witness-rounds.ts';

const heartbeatMs = 5_000;
/** How often somebody looks whether a look-up is due. */
const checkMs = 1_000;
/** How late a request may leave the inbox by itself. */
const expireMs = 5_000;
/** How often a log that grew is signed. */
const checkpointMs = 250;
/** How often it is asked whether a day is over: also a process that runs for weeks erases. */
const retentionMs = 60_000;
/** How long an end waits for witnesses: 3 s. What they did not see is shown at the next start. */
const lastRoundMaxMs = 3_000;

/** What the start command hands over. */
export interface Composition {
  readonly config: Config;
  readonly parts: LoadedParts;
  readonly log: LogLine;
  /** The environment of this process, for the children. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly approvals: ApprovalSettings;
  readonly onFatal: (error: unknown) => void;
}

/** A gateway with everything behind it, open and started. */
export interface Running {
  readonly gateway: AssembledGateway;
  readonly store: Store;
  readonly started: StartReport;
  readonly servers: ToolServers;
  readonly catalogue: ToolCatalogue;
  readonly close: () => Promise<void>;
}

/** Opens the store, starts the servers, assembles the gateway. Throws `StoreError` or `KeyFileError`. */
export async function startGateway(composition: Composition): Promise<Running> {
  const { config } = composition;
  const anchors = await loadAnchors(config);
  const opened = await openStore(config, (store) =>
    refuseBehindWitness(anchors, store, composition),
  );
  try {
    return await startOn(composition, { ...opened, anchors });
  } catch (error) {
    await opened.store.close();
    throw error;
  }
}

/** Servers start last: nothing after them can fail and leave them running. */
async function startOn(
  composition: Composition,
  opened: OpenedStore & { readonly anchors: LogAnchors },
): Promise<Running> {
  const { config, log } = composition;
  const { store, started, anchors } = opened;
  await syncPeople(store, config, { nowMs: Date.now, secret: started.secret });
  const disk = diskWatch(config, store, log);
  await disk?.check();
  const signer = await LogSigner.open(config, store, started.origin);
  const rounds = await openRounds(composition, { store, signer, anchors });
  const stamps = openStamps(anchors, store, log);
  const servers = createToolServers(config, { variables: composition.environment, log });
  const unpinned = new Set(
    config.servers.filter((server) => server.pin === 'off').map((server) => server.name),
  );
  const catalogue = new ToolCatalogue({
    store,
    servers,
    tools: config.tools,
    unpinned,
    log: (level, line) => log(level, line),
    nowMs: Date.now,
  });
  await catalogue.load();
  const mirror = mirrorOf(config, log);
  const gateway = assembleGateway(
    gatewayParts(composition, { ...opened, servers, catalogue, unpinned, mirror, rounds }),
  );
  servers.start();
  const retention = new RetentionJob(store, retentionTerms(config), { nowMs: Date.now, log });
  const clock = new ClockWatch(store, { nowMs: Date.now, steadyMs: () => performance.now() }, log);
  const onError = backgroundError(log, composition.onFatal);
  const runner = new ReconcileRunner(gateway, { log, onError });
  runner.adopt(started.orphans);
  const timers = startTimers(
    { store, signer, rounds, stamps, runner },
    { onError, retention, clock, disk },
  );
  const close = async (): Promise<void> => {
    for (const timer of timers) clearInterval(timer);
    await retention.stop();
    await servers.close();
    await runner.close();
    // A store that failed must keep neither the servers nor the process.
    await settle(log, async () => {
      await gateway.flush();
      await mirror?.flush();
      // Signed in any case: `?.` would skip it without witnesses.
      const last = await signer.sign();
      rounds?.offer(last);
      const settled = Promise.all([rounds?.settle(), stamps?.settle()]);
      await Promise.race([settled, setTimeout(lastRoundMaxMs, undefined, { ref: false })]);
    });
    await store.close();
  };
  return { gateway, store, started, servers, catalogue, close };
}

/** A witness that saw more has the same say as the guard; one that cannot be asked has none. */
async function refuseBehindWitness(
  anchors: LogAnchors,
  store: Store,
  { config, log }: Composition,
): Promise<void> {
  if (anchors.links.length === 0) return;
  const origin = (await readSections(store)).at(-1)?.origin ?? config.gateway.name;
  const { keys } = await LogSigner.open(config, store, origin);
  for (const line of await askWitnesses(anchors, { store, keys, origin })) log('warn', line);
}

/** With a bound on waiting receipts the first calls must not be refused for what the last run left. */
async function openRounds(
  { config, log, onFatal }: Composition,
  {
    store,
    signer,
    anchors,
  }: Omit<Timed, 'rounds' | 'stamps' | 'runner'> & { readonly anchors: LogAnchors },
): Promise<WitnessRounds | undefined> {
  const { links, algorithms } = anchors;
  if (links.length === 0) return undefined;
  const { blockAfterMs } = config.log;
  const own = {
    store,
    // A key may be replaced while this runs.
    get keys() {
      return signer.keys;
    },
    algorithms,
    origin: signer.key.name,
  };
  const options = { links, log: own, blockAfterMs, nowMs: Date.now, report: log, onFatal };
  const rounds = await WitnessRounds.open(options);
  if (blockAfterMs === undefined) return rounds;
  rounds.offer(await signer.sign());
  await rounds.settle();
  return rounds;
}

/** Undefined without a time-stamping authority. */
function openStamps(
  { timestamps: link }: LogAnchors,
  store: Store,
  report: LogLine,
): TimestampRounds | undefined {
  return link && new TimestampRounds({ link, store, nowMs: Date.now, report });
}

function mirrorOf({ receiptMirror, mandate }: Config, log: LogLine): MirrorFile | undefined {
  if (receiptMirror === undefined) return undefined;
  return new MirrorFile({
    path: receiptMirror,
    principal: mandate.principal,
    nowMs: Date.now,
    log,
  });
}

function diskWatch(config: Config, store: Store, log: LogLine): DiskWatch | undefined {
  const folder = storeFolder(config);
  return folder === undefined ? undefined : new DiskWatch(store, folder, { free: freeBytes, log });
}

async function settle(log: LogLine, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log('error', `store: ${error instanceof Error ? error.message : String(error)}`);
  }
}

interface Opened extends OpenedStore {
  readonly servers: ToolServers;
  readonly catalogue: ToolCatalogue;
  readonly unpinned: ReadonlySet<string>;
  readonly mirror: MirrorFile | undefined;
  readonly rounds: WitnessRounds | undefined;
}

function gatewayParts(composition: Composition, opened: Opened): GatewayParts {
  const { config, parts, log, approvals, onFatal } = composition;
  const { store, started, servers, catalogue, random } = opened;
  const definitions = new ToolDefinitions(catalogue, opened.unpinned);
  const timeouts = new Map(config.servers.map((server) => [server.name, server.callTimeoutMs]));
  return {
    store,
    policy: parts.policy,
    registries: parts.registries,
    contracts: contractsByTool(config),
    claims: new ClaimIndex(config.mandate.claims),
    requestTexts:
      config.mandate.request === undefined ? textsOf([]) : requestTexts(config.mandate.request),
    request: config.mandate.request,
    connector: createConnector(servers),
    definitionOf: (server, tool) => definitions.of(server, tool),
    listed: (server, tool) =>
      catalogue.currentStanding(server, tool) === undefined
        ? catalogue.checkedStanding(server, tool)
        : undefined,
    mandateDraft: () => mandateDraft(config, started.secret),
    approvals,
    rateLimit: config.gateway.rateLimit,
    attemptTimeoutMs: (server) => timeouts.get(server) ?? 300_000,
    origin: started.origin,
    secret: started.secret,
    processId: opened.identity.processId,
    nowMs: Date.now,
    random,
    log,
    mirror: opened.mirror?.write,
    isUncosigned: () => opened.rounds?.isBehind === true,
    onFatal,
  };
}

function contractsByTool(config: Config): GatewayParts['contracts'] {
  const byTool = new Map<string, Contract[]>();
  for (const contract of config.contracts) {
    const key = `${contract.server}\0${contract.tool}`;
    const known = byTool.get(key);
    if (known === undefined) byTool.set(key, [contract]);
    else known.push(contract);
  }
  return byTool;
}

/** A new identity each time; whether it is used is decided by the store. */
function mandateDraft({ mandate }: Config, secret: Uint8Array): MandateDraft {
  const { principal, agent, tenant, scopes, levelMin, budgets, claims, expiresInMs } = mandate;
  // Keyed: claims can be guessed, and this digest stands openly in the log.
  const mac = hmacSha256(
    secret,
    JSON.stringify({
      principal,
      agent,
      tenant,
      scopes,
      levelMin,
      budgets,
      claims,
      request: mandate.request ?? null,
    }),
  );
  const terms = Buffer.from(mac).toString('hex');
  return {
    mandateId: randomUUID(),
    principal,
    tenant,
    agent,
    scopes,
    levelMin,
    validForMs: expiresInMs,
    terms,
    budgets,
  };
}

interface Timed {
  readonly store: Store;
  readonly signer: LogSigner;
  readonly rounds: WitnessRounds | undefined;
  readonly stamps: TimestampRounds | undefined;
  readonly runner: ReconcileRunner;
}

interface Watches {
  readonly onError: (error: unknown) => void;
  readonly retention: RetentionJob;
  readonly clock: ClockWatch;
  readonly disk: DiskWatch | undefined;
}

/** Requests end by themselves, other processes see that this one lives, unknown outcomes are found out. */
function startTimers(
  { store, signer, rounds, stamps, runner }: Timed,
  { onError, retention, clock, disk }: Watches,
): readonly NodeJS.Timeout[] {
  const every = (ms: number, work: () => Promise<unknown>): NodeJS.Timeout => {
    const timer = setInterval(() => {
      work().catch(onError);
    }, ms);
    return timer.unref();
  };
  return [
    every(heartbeatMs, async () => runner.adopt(await store.heartbeat())),
    every(heartbeatMs, () => clock.check()),
    ...(disk === undefined ? [] : [every(heartbeatMs, () => disk.check())]),
    every(checkMs, async () => runner.tick()),
    every(expireMs, () => store.expireApprovals()),
    every(checkpointMs, async () => {
      const signed = await signer.signIfGrown();
      rounds?.offer(signed);
      stamps?.offer(signed);
    }),
    every(retentionMs, () => retention.run()),
  ];
}
