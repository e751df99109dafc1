import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { limitConnections } from './connection-limits.js';

describe('the connections of a server', () => {
  it.each([
    ['of one address', { total: 10, each: 2 }, 'own 127.0.0.1'],
    ['of all', { total: 2, each: 10 }, 'total 127.0.0.1'],
  ])('are bounded, and whose bound it was is told: %s', async (_, connections, whose) => {
    const server = createServer();
    const refusals: string[] = [];
    limitConnections(server, { connections, arrival: { headMs: 10_000, requestMs: 10_000 } }, (refusal, address) =>
      refusals.push(`${refusal} ${address}`),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const sockets: Socket[] = [];
    for (let count = 0; count < 3; count++) {
      const socket = connect(port, '127.0.0.1');
      sockets.push(socket);
      await once(socket, 'connect');
    }
    await expect.poll(() => refusals).toEqual([whose]);
    for (const socket of sockets) socket.destroy();
    server.close();
  });
});
