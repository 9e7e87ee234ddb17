// The plainest proxy the SDK allows: a server that hands every request to a client, nothing decided. The baseline of a hop.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const [command = '', ...args] = process.argv.slice(2);
const client = new Client({ name: 'plain-proxy', version: '1' });
await client.connect(new StdioClientTransport({ command, args }));
const server = new Server({ name: 'plain-proxy', version: '1' }, { capabilities: { tools: {} } });
const anything = {
  '~standard': { version: 1, vendor: 'bench', validate: (value: unknown) => ({ value }) },
} as never;
server.fallbackRequestHandler = (request) => client.request(request as never, anything) as never;
await server.connect(new StdioServerTransport());
process.stdin.on('end', () => process.exit(0));
