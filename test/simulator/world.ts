// Everything of one history: processes, store, target, clock, clients, and what was noticed.
import type { Connector } from '../../src/connectors/connector.ts';
import type { Answer } from '../../src/gateway/gateway.ts';
import type { GatewayParts } from '../../src/gateway/gateway-parts.ts';
import { leaseMs } from '../../src/stores/lease.ts';
import type { Store } from '../../src/stores/store.ts';
import { describeEvent } from './describe-event.ts';
import { Random } from './random.ts';
import { ReferenceGateway } from './reference-gateway.ts';
import { rowDifferences } from './row-differences.ts';
import { commitProblems, sendProblems } from './rules-at-once.ts';
import { Scheduler, settled } from './scheduler.ts';
import { type SimAction, type SimArguments, simActions } from './sim-calls.ts';
import { type RegisteredProcess, SimDatabase } from './sim-database.ts';
import { type SimProcess, simGateway } from './sim-process.ts';
import { SimStore } from './sim-store.ts';
import { type Sending, SimTarget } from './sim-target.ts';
import type { StoreCall } from './store-call.ts';
import { type StoreFault, type StoreMethods, storeMethods } from './store-world.ts';

/** A fault put into the product from outside, to see that it is found. */
export interface PlantedFault {
  readonly methods?: (real: StoreMethods, world: World) => Partial<StoreMethods>;
  readonly store?: (real: Store, world: World, connector: Connector) => Store;
  readonly connector?: (real: Connector, world: World) => Connector;
}

/** One call of a client. */
export interface Submission {
  readonly action: string;
  readonly args: SimArguments;
  readonly process: SimProcess;
  readonly abort: AbortController;
  /** Faults of the process before it. */
  readonly faultsBefore: number;
  answer?: Answer;
  /** Faults of the process until its answer. */
  faultsAfter?: number;
}

const startMs = 1_800_000_000_000;

const writeFaults: readonly { readonly fault: StoreFault; readonly weight: number }[] = [
  { fault: 'busy', weight: 3 },
  { fault: 'full', weight: 2 },
  { fault: 'fsync failed', weight: 1 },
  { fault: 'uncertain, written', weight: 2 },
  { fault: 'uncertain, lost', weight: 2 },
  { fault: 'crash before commit', weight: 3 },
  { fault: 'crash after commit', weight: 4 },
];

export class World {
  readonly random: Random;
  /** Salts and ids: how many are drawn changes nothing about what happens. */
  readonly #bytes: (size: number) => Uint8Array;
  readonly scheduler: Scheduler;
  readonly database: SimDatabase;
  readonly target: SimTarget;
  readonly reference: ReferenceGateway = new ReferenceGateway();
  readonly processes: SimProcess[] = [];
  readonly submissions: Submission[] = [];
  readonly calls: StoreCall[] = [];
  readonly acknowledged: NonNullable<StoreCall['log']>[] = [];
  /** Operations about which a person or the target was wrong, or a person settled what nobody could see. */
  readonly saidWrongly: Set<string> = new Set();
  /** Everything that happened, one line each: equal for equal seeds. */
  readonly trace: string[] = [];
  readonly problems: Set<string> = new Set();
  readonly planted: PlantedFault;
  /** Probability of a fault at each call of the store. */
  faultRate: number;
  #clockMs = startMs;
  #latestMs = startMs;
  /** A lease is counted by the clock: a step back gives back one that is lost already. */
  hasSteppedBack = false;
  definitionVersion = 1;
  /** One of them is called more often in this history than the others. */
  readonly actions: readonly SimAction[];
  #moment = 0;
  /** Number of the transaction that sent each operation on its way. */
  readonly dispatchedIn: Map<string, number> = new Map();

  constructor(seed: number, planted: PlantedFault) {
    this.random = new Random(seed);
    this.#bytes = new Random(-seed - 2).bytes;
    this.planted = planted;
    this.faultRate = this.random.pick([0, 0.02, 0.08]);
    const often = this.random.pick(simActions);
    this.actions = [...simActions, { ...often, weight: 10 }];
    this.scheduler = new Scheduler(this.random);
    this.database = new SimDatabase(this.random);
    this.database.accompany(this.reference);
    this.target = new SimTarget({
      random: this.random,
      trouble: this.random.pick(['none', 'none', 'nothing comes back', 'tool errors']),
      nowMs: () => this.#latestMs,
      schedule: (owner, what, run) => this.scheduler.add(owner, what, run),
      lied: (opId) => this.saidWrongly.add(opId),
    });
  }

  get clockMs(): number {
    return this.#clockMs;
  }

  /** Steps of a clock; the time of the target only goes on. */
  set clockMs(nowMs: number) {
    if (nowMs < this.#clockMs) this.hasSteppedBack = true;
    this.#clockMs = nowMs;
    this.#latestMs = Math.max(this.#latestMs, nowMs);
  }

  /** So long that nothing is on its way any more and no lease holds. */
  waitLong(): void {
    this.clockMs = this.#latestMs + 10 * leaseMs;
  }

  note(line: string): void {
    this.trace.push(line);
  }

  problem(line: string): void {
    this.problems.add(line);
  }

  /** The next moment: everything that happens has one of its own. */
  tick(): number {
    this.#moment += 1;
    return this.#moment;
  }

  /** Runs one task that is due; false when there is none. */
  async step(): Promise<boolean> {
    this.clockMs += this.random.below(40);
    return this.scheduler.runOne((what) => this.note(what));
  }

  get serving(): readonly SimProcess[] {
    return this.processes.filter(({ state, isPaused }) => state === 'serving' && !isPaused);
  }

  get alive(): readonly SimProcess[] {
    return this.processes.filter(({ state }) => state !== 'dead');
  }

  /** Starts one more gateway on the store. */
  start(): void {
    const processId = `p${this.processes.length + 1}`;
    // One host for some, a host of its own for others.
    const host = this.random.pick(['h', processId]);
    const store = this.#storeOf(processId, host);
    const process: SimProcess = {
      processId,
      host,
      store,
      state: 'starting',
      isPaused: false,
      faults: 0,
    };
    this.processes.push(process);
    this.note(`start ${processId}`);
    store.start().then(
      ({ origin, secret }) => {
        process.gateway = this.#gatewayOf(process, { origin, secret });
        process.state = 'serving';
      },
      () => this.crash(process, 'it cannot start'),
    );
  }

  #storeOf(processId: string, host: string): SimStore {
    const { planted, database } = this;
    const process = (): SimProcess =>
      this.processes.find((each) => each.processId === processId) as SimProcess;
    const world = {
      database,
      methods: { ...storeMethods, ...planted.methods?.(storeMethods, this) },
      origin: 'sim.example/gateway',
      nowMs: () => this.clockMs,
      schedule: (what: string, run: () => void) => this.scheduler.add(processId, what, run),
      pickFault: (isWrite: boolean) => this.#pickFault(isWrite),
      failed: (fault: StoreFault) => {
        process().faults += 1;
        this.note(`${processId} fault: ${fault}`);
      },
      refused: (what: string, error: unknown) =>
        this.problem(`rule: the store cannot ${what}: ${String(error)}`),
      crash: (why: string) => this.crash(process(), why),
      isAlive: (other: RegisteredProcess) => this.#seemsAlive(other, host),
      called: () => this.#called(processId),
      committed: (call: StoreCall) => this.#committed(call),
      answered: (call: StoreCall) => this.#answered(call),
    };
    const identity = { processId, host, bootId: 'b', pid: 1, pidStart: '1' };
    return new SimStore(identity, world, this.#bytes);
  }

  /** On its own host a process sees who runs; of another host it knows the last heartbeat. */
  #seemsAlive({ processId, host, heartbeatMs }: RegisteredProcess, ownHost: string): boolean {
    if (host !== ownHost) return this.clockMs < heartbeatMs + leaseMs;
    return this.alive.some((each) => each.processId === processId);
  }

  #pickFault(isWrite: boolean): StoreFault {
    if (!this.random.chance(isWrite ? this.faultRate : this.faultRate / 4)) return 'none';
    return isWrite ? this.random.weighted(writeFaults).fault : 'busy';
  }

  #gatewayOf(
    process: SimProcess,
    { origin, secret }: { readonly origin: string; readonly secret: Uint8Array },
  ): NonNullable<SimProcess['gateway']> {
    const { processId } = process;
    const { planted } = this;
    const real = this.target.connectorOf(processId, (sending) => this.#sent(sending));
    const connector = planted.connector?.(real, this) ?? real;
    const store = planted.store?.(process.store, this, connector) ?? process.store;
    const log: GatewayParts['log'] = (level, message) => {
      if (level === 'error') this.note(`${processId} log: ${message.split('\n')[0]}`);
    };
    const onFatal = (): void => {
      if (process.state === 'dead') return;
      process.state = 'stopping';
      this.scheduler.add(processId, 'exits', () => this.crash(process, 'its store failed'));
    };
    const parts = { processId, store, connector, origin, secret, log, onFatal };
    return simGateway(
      {
        ...parts,
        nowMs: () => this.clockMs,
        random: this.#bytes,
        definitionVersion: () => this.definitionVersion,
      },
      () => ({}),
    );
  }

  /** The process ends at once: what it waited for never comes. */
  crash(process: SimProcess, why: string): void {
    if (process.state === 'dead') return;
    process.state = 'dead';
    this.scheduler.drop(process.processId);
    this.note(`${process.processId} dies: ${why}`);
  }

  /** Every process ends, and the end of the store that nobody was told may be gone. */
  cutPower(): void {
    for (const process of this.alive) this.crash(process, 'power cut');
    this.note(`lost ${this.database.loseTail(this.random)} transactions`);
  }

  /** One call of a client; what it hears is kept. */
  submit(process: SimProcess, action: string, args: SimArguments): void {
    const { gateway } = process;
    if (gateway === undefined) throw new Error('a process that does not serve');
    const abort = new AbortController();
    const submission: Submission = { action, args, process, abort, faultsBefore: process.faults };
    this.submissions.push(submission);
    this.note(
      `call ${this.submissions.length} ${action} ${args.amount} ${args.note} at ${process.processId}`,
    );
    const server = action === 'pay' || action === 'wire' ? 'bank' : 'shop';
    const call = { server, tool: action, args: { ...args }, rawText: JSON.stringify(args) };
    const caller = {
      channel: 'mcp',
      client: 'sim',
      signal: abort.signal,
      meta: undefined,
      onProgress: undefined,
      form: false,
    } as const;
    gateway.submit(call, caller).then(
      (answer) => {
        submission.answer = answer;
        submission.faultsAfter = process.faults;
        this.note(`answer ${this.submissions.indexOf(submission) + 1} ${briefly(answer)}`);
      },
      (error: unknown) => this.problem(`a call threw: ${String(error)}`),
    );
  }

  #called(processId: string): StoreCall {
    const call: StoreCall = { processId, calledAt: this.tick() };
    this.calls.push(call);
    return call;
  }

  /** A transaction took effect: the reference gateway takes it too, and both must agree. */
  #committed(call: StoreCall): void {
    const { leaves } = this.database.tables;
    const last = leaves.at(-1);
    if (last !== undefined) {
      call.log = { size: leaves.length, hash: Buffer.from(last.hash).toString('hex') };
    }
    const { event, nowMs } = call;
    if (event === undefined || nowMs === undefined) return;
    const did = describeEvent(event);
    this.note(`${call.processId} ${event.kind}: ${did}`);
    const expected = this.reference.apply(event, nowMs);
    if (did !== expected) {
      this.problem(`reference: ${event.kind} gave \`${did}\`, it should give \`${expected}\``);
    }
    const { tables } = this.database;
    for (const line of rowDifferences(this.reference, tables)) this.problem(`reference: ${line}`);
    for (const line of commitProblems(this, event)) this.problem(`rule: ${line}`);
  }

  #answered(call: StoreCall): void {
    call.returnedAt = this.tick();
    if (call.log !== undefined) this.acknowledged.push(call.log);
  }

  #sent(sending: Sending): void {
    this.note(`${sending.processId} sends ${sending.opId.slice(0, 8)}`);
    for (const line of sendProblems(this, sending)) this.problem(`rule: ${line}`);
  }

  /** Lets everything run that is due, without further faults. */
  async drain(): Promise<void> {
    await settled();
    for (let steps = 0; await this.step(); steps += 1) {
      if (steps > 5_000) throw new Error('the history does not end');
    }
  }
}

function briefly(answer: Answer): string {
  if (answer.kind === 'dropped') return 'dropped';
  if (answer.kind === 'executed') {
    return `executed ${answer.opId.slice(0, 8)}${answer.earlier === undefined ? '' : ' earlier'}`;
  }
  return `${answer.report.status} ${answer.report.codes.join()}`;
}
