// The stories, told with @modelcontextprotocol/client 2.x in the era that `mode` asks for.
import { Client, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { approveForm, observeCall, runStories, type StoryClient } from './run-stories.ts';
import type { Approve, FormObservation, PeerTarget, Scenario, StoryReport } from './story.ts';

const clientInfo = { name: 'typescript-v2-peer', version: '1.0.0' };

interface TypescriptV2Options {
  readonly hasForms: boolean;
  /** `legacy`, `auto`, or `{ pin: '2026-07-28' }`. */
  readonly mode: VersionNegotiationMode;
}

export async function runTypescriptV2Stories(
  { mode, ...target }: PeerTarget & { readonly mode: VersionNegotiationMode },
  scenario: Scenario,
  approve: Approve,
): Promise<StoryReport> {
  const hasForms = scenario.pending?.by === 'form';
  return runStories(await connectTypescriptV2(target, { hasForms, mode }), scenario, approve);
}

async function connectTypescriptV2(
  target: PeerTarget,
  { hasForms, mode }: TypescriptV2Options,
): Promise<StoryClient> {
  const forms: FormObservation[] = [];
  const client = new Client(clientInfo, {
    capabilities: hasForms ? { elicitation: { form: {} } } : {},
    versionNegotiation: { mode },
  });
  if (hasForms) {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      const requestedSchema = 'requestedSchema' in params ? params.requestedSchema : null;
      forms.push({ message: params.message, requestedSchema });
      return { action: 'accept', content: approveForm(requestedSchema) };
    });
  }
  const transport = new StdioClientTransport({
    ...target,
    args: [...target.args],
    stderr: 'ignore',
  });
  await client.connect(transport);
  return {
    peer: clientInfo.name,
    protocolVersion: client.getNegotiatedProtocolVersion() ?? '',
    pid: transport.pid ?? 0,
    forms,
    listTools: async () => {
      // Never from the client's cache: the listing also shows that the gateway is alive.
      const { tools } = await client.listTools(undefined, { cacheMode: 'refresh' });
      return tools.map(({ name, outputSchema }) => ({
        name,
        hasOutputSchema: outputSchema !== undefined,
      }));
    },
    callTool: ({ name, arguments: args }) =>
      observeCall(() => client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
}
