// Recorded tool definitions against what the servers announce now, and their acceptance by a person.
import type { ToolServers } from '../connectors/tool-servers.ts';
import type { LeafDraft } from '../core/leaf.ts';
import { definitionDigest } from '../gateway/definition-digest.ts';
import type { Store, StoredDefinition } from '../stores/store.ts';
import { createToolServers } from './compose.ts';
import type { Prepared } from './prepare.ts';

/** One configured tool. `announced` is what would be recorded. */
export interface Pin {
  readonly server: string;
  readonly tool: string;
  readonly status: 'same' | 'changed' | 'new' | 'missing' | 'server_down';
  readonly recorded: StoredDefinition | undefined;
  readonly announced: StoredDefinition | undefined;
}

/** Starts every server once, compares, and ends them again. */
export async function readPins(
  { config, environment, log }: Prepared,
  store: Store,
): Promise<readonly Pin[]> {
  const servers = createToolServers(config, { variables: environment.variables, log });
  const recorded = await store.readDefinitions();
  try {
    servers.start();
    await servers.settled(Math.max(...config.servers.map((server) => server.timeoutMs)));
    return config.tools.map(({ server, tool }) =>
      comparePin(
        { server, tool },
        { servers, recorded: recorded.find((row) => row.server === server && row.tool === tool) },
      ),
    );
  } finally {
    await servers.close();
  }
}

function comparePin(
  name: { readonly server: string; readonly tool: string },
  known: { readonly servers: ToolServers; readonly recorded: StoredDefinition | undefined },
): Pin {
  const { recorded, servers } = known;
  const listing = servers.listing(name.server);
  const found = listing?.tools.find((tool) => tool.name === name.tool);
  if (listing === undefined)
    return { ...name, status: 'server_down', recorded, announced: undefined };
  if (found === undefined) return { ...name, status: 'missing', recorded, announced: undefined };
  const announced: StoredDefinition = {
    ...name,
    identity: listing.identity,
    digest: definitionDigest(found.definition),
    definition: JSON.stringify(found.definition),
    instructions: listing.instructions,
    recordedMs: Date.now(),
  };
  if (recorded === undefined) return { ...name, status: 'new', recorded, announced };
  const isSame = recorded.digest === announced.digest && recorded.identity === announced.identity;
  return { ...name, status: isSame ? 'same' : 'changed', recorded, announced };
}

/** Records what is announced now as accepted, with one leaf per tool. */
export async function acceptPins(store: Store, pins: readonly Pin[]): Promise<void> {
  const accepted = pins.flatMap((pin) =>
    pin.announced === undefined ? [] : [{ pin, announced: pin.announced }],
  );
  const leaves = accepted.map(
    ({ pin, announced }): LeafDraft => ({
      type: 'policy.change',
      open: {
        kind: 'tool_definition',
        ...(pin.recorded === undefined ? {} : { old: pin.recorded.digest }),
        new: announced.digest,
        server: pin.server,
        tool: pin.tool,
      },
      committed: {},
    }),
  );
  await store.recordDefinitions(
    accepted.map(({ announced }) => announced),
    leaves,
  );
}
