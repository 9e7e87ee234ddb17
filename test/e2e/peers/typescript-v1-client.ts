// The stories, told with @modelcontextprotocol/sdk 1.x: the client that checks results strictly.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import {
  approveForm,
  observeCall,
  runStories,
  type StoryClient,
  type ToolResult,
} from './run-stories.ts';
import type { Approve, FormObservation, PeerTarget, Scenario, StoryReport } from './story.ts';

const clientInfo = { name: 'typescript-v1-peer', version: '1.0.0' };

export async function runTypescriptV1Stories(
  target: PeerTarget,
  scenario: Scenario,
  approve: Approve,
): Promise<StoryReport> {
  const hasForms = scenario.pending?.by === 'form';
  return runStories(await connectTypescriptV1(target, { hasForms }), scenario, approve);
}

async function connectTypescriptV1(
  target: PeerTarget,
  { hasForms }: { readonly hasForms: boolean },
): Promise<StoryClient> {
  const forms: FormObservation[] = [];
  const client = new Client(clientInfo, { capabilities: hasForms ? { elicitation: {} } : {} });
  if (hasForms) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      const requestedSchema = 'requestedSchema' in params ? params.requestedSchema : null;
      forms.push({ message: params.message, requestedSchema });
      return { action: 'accept', content: approveForm(requestedSchema) };
    });
  }
  let protocolVersion = '';
  // The client tells its transport the revision that the handshake ended with, and nobody else.
  const setProtocolVersion = (version: string): void => {
    protocolVersion = version;
  };
  const server = { ...target, args: [...target.args], stderr: 'ignore' as const };
  const transport = Object.assign(new StdioClientTransport(server), { setProtocolVersion });
  await client.connect(transport);
  return {
    peer: clientInfo.name,
    protocolVersion,
    pid: transport.pid ?? 0,
    forms,
    listTools: async () => {
      const { tools } = await client.listTools();
      return tools.map(({ name, outputSchema }) => ({
        name,
        hasOutputSchema: outputSchema !== undefined,
      }));
    },
    callTool: ({ name, arguments: args }) =>
      observeCall(async () => (await client.callTool({ name, arguments: args })) as ToolResult),
    close: () => client.close(),
  };
}
