// Which definition of each configured tool counts. A definition is recorded when it is first
// seen; from then on any difference makes the tool drifted, until a person accepts the new one.
import type { Log } from '../connectors/log.ts';
import type { AnnouncedTool, ServerListing, ToolServers } from '../connectors/tool-servers.ts';
import { isJsonObject, type JsonObject } from '../core/json-value.ts';
import type { LeafDraft } from '../core/leaf.ts';
import type { Store, StoredDefinition } from '../stores/store.ts';
import { definitionDigest, isDeeperThan } from './definition-digest.ts';

/** One tool as it stands in the configuration, by its server's own name. */
interface CataloguedTool {
  readonly server: string;
  readonly tool: string;
}

/** `definition` is the recorded one, and the server announces the same. */
export interface ListedStanding {
  readonly kind: 'listed';
  readonly definition: JsonObject;
  readonly digest: string;
  /** Hash of the server's command and arguments. */
  readonly identity: string;
}

/** Whether a tool may be listed and called now. */
export type ToolStanding =
  | ListedStanding
  /** The server announces another definition than the recorded one. */
  | { readonly kind: 'drifted' }
  /** Never seen, no longer announced, or it cannot be exposed. */
  | { readonly kind: 'absent' };

export interface ToolCatalogueOptions {
  readonly store: Pick<Store, 'readDefinitions' | 'recordDefinitions' | 'appendLeaves'>;
  readonly servers: ToolServers;
  /** The configured tools; nothing else is recorded or exposed. */
  readonly tools: readonly CataloguedTool[];
  /** Servers whose definitions are used as announced (`pin = "off"`). */
  readonly unpinned: ReadonlySet<string>;
  readonly log: Log;
  readonly nowMs: () => number;
}

const definitionMaxBytes = 256 * 1024;
const depthMax = 64;
/** Names that every host can show and call. */
const legalName = /^[A-Za-z0-9_.-]{1,128}$/;

interface Entry {
  recorded: StoredDefinition | undefined;
  definition: JsonObject | undefined;
  standing: ToolStanding;
  isAlarmed: boolean;
}

export class ToolCatalogue {
  readonly #options: ToolCatalogueOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #names = new Map<string, Set<string>>();
  readonly #listeners: (() => void)[] = [];
  readonly #instructions = new Map<string, string>();
  #work: Promise<void> = Promise.resolve();
  #busy = 0;

  constructor(options: ToolCatalogueOptions) {
    this.#options = options;
    for (const { server, tool } of options.tools) {
      this.#entries.set(keyOf(server, tool), emptyEntry());
      const names = this.#names.get(server) ?? new Set();
      this.#names.set(server, names.add(tool));
    }
    options.servers.onChange((server) => void this.#onServerChange(server));
  }

  /** Reads what was recorded by earlier runs. Called once, before anything is listed. */
  async load(): Promise<void> {
    await this.#readRecorded();
    for (const server of this.#names.keys()) await this.#onServerChange(server);
  }

  /** How a tool stands now; the pin is checked on every change of its server's list. */
  standing(server: string, tool: string): ToolStanding {
    return this.#entries.get(keyOf(server, tool))?.standing ?? absent;
  }

  /** The same without waiting; undefined when a list is being read, or a person may have acted. */
  currentStanding(server: string, tool: string): ListedStanding | undefined {
    const { servers } = this.#options;
    // A server that starts may bring another definition.
    if (this.#busy > 0 || servers.isListing(server) || servers.state(server) !== 'ready') {
      return undefined;
    }
    const standing = this.standing(server, tool);
    return standing.kind === 'listed' ? standing : undefined;
  }

  /** The same, after a start within its time limit, or a list that is being read right now (at most 5 s). */
  async checkedStanding(server: string, tool: string): Promise<ToolStanding> {
    const { servers } = this.#options;
    if (servers.state(server) !== 'ready') await servers.ready(server);
    await servers.listed(server);
    await this.#work;
    const standing = this.standing(server, tool);
    if (standing.kind !== 'drifted') return standing;
    // It may have been accepted by a person in another process.
    await this.#reconsider(server);
    return this.standing(server, tool);
  }

  /** Instructions recorded with the definitions of a server. */
  instructions(server: string): string | undefined {
    return this.#instructions.get(server);
  }

  /** True when every configured tool has a recorded definition: nobody needs to wait for a list. */
  get isComplete(): boolean {
    return [...this.#entries.values()].every((entry) => entry.standing.kind !== 'absent');
  }

  /** Called when the set of listed tools or a listed definition changed. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Resolves when everything that was announced so far is judged and recorded. */
  settled(): Promise<void> {
    return this.#work;
  }

  async #readRecorded(): Promise<void> {
    for (const stored of await this.#options.store.readDefinitions()) {
      const entry = this.#entries.get(keyOf(stored.server, stored.tool));
      if (entry === undefined) continue;
      if (stored.instructions !== undefined) {
        this.#instructions.set(stored.server, stored.instructions);
      }
      if (entry.recorded?.digest === stored.digest && entry.recorded.identity === stored.identity) {
        continue;
      }
      const definition: unknown = JSON.parse(stored.definition, keepDigits);
      if (!isJsonObject(definition as JsonObject)) continue;
      entry.recorded = stored;
      entry.definition = definition as JsonObject;
      entry.standing = this.#listedStanding(entry);
    }
  }

  #listedStanding(entry: Entry): ToolStanding {
    const { recorded, definition } = entry;
    if (recorded === undefined || definition === undefined) return absent;
    const { digest, identity } = recorded;
    return { kind: 'listed', definition, digest, identity };
  }

  #onServerChange(server: string): Promise<void> {
    return this.#enqueue(server, () => this.#judge(server));
  }

  #reconsider(server: string): Promise<void> {
    return this.#enqueue(server, async () => {
      await this.#readRecorded();
      await this.#judge(server);
    });
  }

  // One after the other, so that a definition is recorded once.
  #enqueue(server: string, task: () => Promise<void>): Promise<void> {
    this.#busy += 1;
    this.#work = this.#work
      .then(task)
      .catch((error: unknown) => {
        this.#options.log('error', `[${server}] its definitions cannot be kept: ${String(error)}`);
      })
      .finally(() => {
        this.#busy -= 1;
      });
    return this.#work;
  }

  async #judge(server: string): Promise<void> {
    const listing = this.#options.servers.listing(server);
    const names = this.#names.get(server);
    if (listing === undefined || names === undefined) return;
    const before = this.#listedText(server);
    if (listing.instructions !== undefined && !this.#instructions.has(server)) {
      this.#instructions.set(server, listing.instructions);
    }
    const announced = new Map(listing.tools.map((tool) => [tool.name, tool] as const));
    const fresh: StoredDefinition[] = [];
    const drifted: string[] = [];
    for (const name of names) {
      const stored = this.#judgeTool({ listing, name, announced: announced.get(name) });
      if (stored === 'drifted') drifted.push(name);
      else if (stored !== undefined) fresh.push(stored);
    }
    await this.#record(server, fresh, drifted);
    if (this.#listedText(server) !== before) for (const listener of this.#listeners) listener();
  }

  #judgeTool(about: {
    readonly listing: ServerListing;
    readonly name: string;
    readonly announced: AnnouncedTool | undefined;
  }): StoredDefinition | 'drifted' | undefined {
    const { listing, name, announced } = about;
    const entry = this.#entries.get(keyOf(listing.server, name));
    if (entry === undefined) return undefined;
    if (announced === undefined) return this.#judgeMissing(entry, listing.server, name);
    const why = whyNotExposable(announced);
    if (why !== undefined) {
      if (entry.standing.kind !== 'absent' || entry.recorded === undefined) {
        this.#options.log('warn', `[${listing.server}] \`${name}\` is not exposed: ${why}`);
      }
      entry.standing = absent;
      return undefined;
    }
    return this.#compare(entry, listing, announced);
  }

  // A tool that its server no longer announces cannot be called; its record is kept.
  #judgeMissing(entry: Entry, server: string, name: string): undefined {
    if (entry.standing.kind === 'absent') {
      this.#options.log('warn', `[${server}] it has no tool \`${name}\`: check the configuration`);
    }
    entry.standing = absent;
    return undefined;
  }

  #compare(
    entry: Entry,
    listing: ServerListing,
    announced: AnnouncedTool,
  ): StoredDefinition | 'drifted' | undefined {
    const digest = definitionDigest(announced.definition);
    const isPinned = !this.#options.unpinned.has(listing.server);
    const { recorded } = entry;
    if (recorded !== undefined && isPinned) {
      const isSame = recorded.digest === digest && recorded.identity === listing.identity;
      entry.standing = isSame ? this.#listedStanding(entry) : { kind: 'drifted' };
      if (isSame) entry.isAlarmed = false;
      return isSame || entry.isAlarmed ? undefined : 'drifted';
    }
    entry.definition = announced.definition;
    entry.recorded = storedDefinition(listing, announced, { digest, nowMs: this.#options.nowMs() });
    entry.standing = this.#listedStanding(entry);
    const isNew = recorded?.digest !== digest || recorded.identity !== listing.identity;
    return isNew ? entry.recorded : undefined;
  }

  async #record(
    server: string,
    fresh: readonly StoredDefinition[],
    drifted: readonly string[],
  ): Promise<void> {
    if (fresh.length > 0) {
      await this.#recordFresh(server, fresh);
      const names = fresh.map((stored) => stored.tool).join(', ');
      this.#options.log('info', `[${server}] recorded the definitions of: ${names}`);
    }
    if (drifted.length === 0) return;
    for (const tool of drifted) {
      const entry = this.#entries.get(keyOf(server, tool));
      if (entry !== undefined) entry.isAlarmed = true;
      this.#options.log(
        'warn',
        `[${server}] the definition of \`${tool}\` changed since it was accepted: it is not listed and calls are refused until somebody looks at it (intentplane mcp pins)`,
      );
    }
    await this.#options.store.appendLeaves(drifted.map((tool) => alarmLeaf(server, tool)));
  }

  // What is not recorded must not be used: the next look might record something else.
  async #recordFresh(server: string, fresh: readonly StoredDefinition[]): Promise<void> {
    try {
      await this.#options.store.recordDefinitions(fresh, fresh.map(recordLeaf));
    } catch (error) {
      for (const { tool } of fresh) this.#entries.set(keyOf(server, tool), emptyEntry());
      throw error;
    }
  }

  #listedText(server: string): string {
    const names = [...(this.#names.get(server) ?? [])];
    return names
      .map((name) => {
        const standing = this.standing(server, name);
        return standing.kind === 'listed' ? standing.digest : standing.kind;
      })
      .join(' ');
  }
}

const absent: ToolStanding = { kind: 'absent' };

const emptyEntry = (): Entry => ({
  recorded: undefined,
  definition: undefined,
  standing: absent,
  isAlarmed: false,
});

const keyOf = (server: string, tool: string): string => `${server}\n${tool}`;

function whyNotExposable({ name, definition }: AnnouncedTool): string | undefined {
  if (!legalName.test(name)) return 'its name has characters that hosts do not take';
  if (isDeeperThan(definition, depthMax)) return `its definition nests deeper than ${depthMax}`;
  if (Buffer.byteLength(JSON.stringify(definition)) > definitionMaxBytes) {
    return 'its definition is larger than 256 KiB';
  }
  const execution = definition['execution'];
  if (isJsonObject(execution) && execution['taskSupport'] === 'required') {
    return 'it runs only as a task, and tasks are not supported';
  }
  return undefined;
}

function storedDefinition(
  listing: ServerListing,
  announced: AnnouncedTool,
  about: { readonly digest: string; readonly nowMs: number },
): StoredDefinition {
  return {
    server: listing.server,
    tool: announced.name,
    identity: listing.identity,
    digest: about.digest,
    definition: JSON.stringify(announced.definition),
    instructions: listing.instructions,
    recordedMs: about.nowMs,
  };
}

function recordLeaf({ server, tool, digest }: StoredDefinition): LeafDraft {
  const open = { kind: 'tool_definition', new: digest, server, tool };
  return { type: 'policy.change', open, committed: {} };
}

function alarmLeaf(server: string, tool: string): LeafDraft {
  return {
    type: 'alarm',
    code: 'CONTRACT_TOOL_CHANGED',
    open: { kind: 'tool_changed', server, tool },
    committed: {},
  };
}

// The third argument of a reviver holds the number's own text.
function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined || String(value) === source) return value;
  return JSON.rawJSON(source);
}
