import { createServer, type Server } from 'node:http';
import { describe, expect, it } from 'vitest';
import { listenOnLoopback } from './listen-on-loopback.ts';

/** Servers of a computer where some addresses cannot be had. */
function serversWithout(faults: Readonly<Record<string, string>>): () => Server {
  return () => {
    const server = createServer();
    const listen = server.listen.bind(server);
    const wrapped = (options: { readonly host: string }, done: () => void): Server => {
      const code = faults[options.host];
      if (code === undefined) return listen(options, done);
      queueMicrotask(() => server.emit('error', Object.assign(new Error(code), { code })));
      return server;
    };
    return Object.assign(server, { listen: wrapped as Server['listen'] });
  };
}

describe('listenOnLoopback', () => {
  it('is content with IPv4 where there is no IPv6', async () => {
    const { servers, port } = await listenOnLoopback(serversWithout({ '::1': 'EADDRNOTAVAIL' }), 0);
    expect(servers).toHaveLength(1);
    expect(servers[0]?.address()).toMatchObject({ address: '127.0.0.1', port });
    servers[0]?.close();
  });

  it('gives up a port whose other address is somebody else’s', async () => {
    const makeServer = serversWithout({ '::1': 'EADDRINUSE' });
    await expect(listenOnLoopback(makeServer, 0)).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: 'no port of this computer is free for the approval page (EADDRINUSE)',
    });
  });
});
