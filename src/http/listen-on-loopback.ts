// Both loopback addresses on one port: a browser may take either for `localhost`, and whoever
// held the other one could show a page that looks like ours.
import type { Server } from 'node:http';

/** Servers that listen, and the port they share. */
export interface Listening {
  readonly servers: readonly Server[];
  readonly port: number;
}

const ephemeralTriesMax = 10;
/** The computer has no IPv6: nobody can hold that address. */
const noSuchFamily = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']);

/** The wanted port, or another one when it cannot be had; `reason` says why. */
export async function listenOnLoopback(
  makeServer: () => Server,
  wantedPort: number,
): Promise<Listening & { readonly reason: string | undefined }> {
  let reason: string | undefined;
  if (wantedPort !== 0) {
    const wanted = await listenOnBoth(makeServer, wantedPort);
    if (typeof wanted === 'object') return { ...wanted, reason };
    reason = wanted;
  }
  let last = '';
  for (let tries = 0; tries < ephemeralTriesMax; tries += 1) {
    const other = await listenOnBoth(makeServer, 0);
    if (typeof other === 'object') return { ...other, reason };
    last = other;
  }
  const message = `no port of this computer is free for the approval page (${last})`;
  throw Object.assign(new Error(message), { code: last });
}

/** The servers, or the code of what stood in the way. */
async function listenOnBoth(makeServer: () => Server, port: number): Promise<Listening | string> {
  const first = makeServer();
  const fault = await listen(first, '127.0.0.1', port);
  if (fault !== undefined) return fault;
  const bound = portOf(first);
  const second = makeServer();
  const secondFault = await listen(second, '::1', bound);
  if (secondFault === undefined) return { servers: [first, second], port: bound };
  if (noSuchFamily.has(secondFault)) return { servers: [first], port: bound };
  await new Promise((resolve) => first.close(resolve));
  return secondFault;
}

function listen(server: Server, host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException): void => resolve(error.code ?? 'UNKNOWN');
    server.once('error', fail);
    server.listen({ host, port, exclusive: true, ipv6Only: host === '::1' }, () => {
      server.off('error', fail);
      resolve(undefined);
    });
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a server has no port');
  return address.port;
}
