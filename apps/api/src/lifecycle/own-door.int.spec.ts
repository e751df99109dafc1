import { once } from 'node:events';
import { createServer, Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SYSTEM_CLOCK } from '@systole/control-plane-postgres';
import { afterEach, describe, expect, it } from 'vitest';
import { OwnDoor } from './own-door.js';

describe('the own door', () => {
  const open: { close(): unknown }[] = [];
  let late = 0;
  const warnings: string[] = [];

  afterEach(() => {
    for (const each of open.splice(0)) each.close();
    late = 0;
    warnings.splice(0);
  });

  async function listening(): Promise<Server> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    open.push(server);
    return server;
  }

  function doorOf(server: Server, leaseMs = 10_000): OwnDoor {
    const door = new OwnDoor({
      server,
      clock: SYSTEM_CLOCK,
      leaseMs: () => leaseMs,
      onLate: () => {
        late += 1;
      },
      report: {
        warn: (_, text) => {
          warnings.push(text);
        },
      },
    });
    open.push(door);
    return door;
  }

  it('is open where the server takes connections', async () => {
    const server = await listening();
    let taken = 0;
    server.on('connection', () => {
      taken += 1;
    });
    const door = doorOf(server);
    await expect.poll(() => taken).toBeGreaterThan(1);
    expect(door.openForMs).toBe(Number.POSITIVE_INFINITY);
    expect(door.waitedMs).toBeLessThan(1_000);
    expect([late, warnings]).toEqual([0, []]);
  });

  it('was closed while the thread came to nothing else, which may have been a pause', async () => {
    const door = doorOf(await listening());
    await sleep(600);
    const until = performance.now() + 2_500;
    while (performance.now() < until);
    await expect.poll(() => late).toBeGreaterThan(0);
    expect([door.openForMs, warnings]).toEqual([Number.POSITIVE_INFINITY, []]);
  });

  it('says nothing where this machine may not connect to it', async () => {
    const gone = createServer();
    gone.listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const address = gone.address();
    gone.close();
    await once(gone, 'close');
    const elsewhere = new Server();
    elsewhere.address = () => address;
    const door = doorOf(elsewhere);
    await sleep(3_000);
    expect([late, door.openForMs, door.waitedMs]).toEqual([0, Number.POSITIVE_INFINITY, 0]);
  });

  /** A server whose connections are made, and then only taken while `isTaking`. */
  async function queueOf(shown: (socket: Socket) => Pick<Socket, 'remoteAddress' | 'remotePort'> = (socket) => socket) {
    const elsewhere = await listening();
    const server = new Server();
    // What it takes is answered by the other one.
    server.removeAllListeners('connection');
    server.address = () => elsewhere.address();
    const queue = { server, isTaking: true };
    elsewhere.on('connection', (socket) => {
      if (queue.isTaking) server.emit('connection', shown(socket));
    });
    return queue;
  }

  it('is closed while connections are made that the server does not take any more', async () => {
    const queue = await queueOf();
    const door = doorOf(queue.server);
    await sleep(700);
    queue.isTaking = false;
    await expect.poll(() => door.openForMs, { timeout: 10_000 }).toBeLessThan(2_000);
    expect(late).toBeGreaterThan(2);
    expect(door.waitedMs).toBeGreaterThan(3_000);
    expect(warnings).toEqual([expect.stringContaining('no lease is judged, and none may join')]);
  });

  it('is closed for joins before it is for leases that are long, and for short ones soon', async () => {
    const [long, short] = [await queueOf(), await queueOf()];
    const slow = doorOf(long.server, 120_000);
    const quick = doorOf(short.server, 3_000);
    await sleep(700);
    short.isTaking = false;
    await expect.poll(() => late, { timeout: 2_000 }).toBeGreaterThan(0);
    quick.close();
    long.isTaking = false;
    late = 0;
    warnings.splice(0);
    await expect.poll(() => slow.openForMs, { timeout: 12_000, interval: 200 }).toBeLessThan(2_000);
    expect([late, warnings]).toEqual([0, [expect.stringContaining('in time: none may join')]]);
  });

  it('is not told from connections whose own address it does not see', async () => {
    const { server } = await queueOf(({ remoteAddress, remotePort = 0 }) => ({ remoteAddress, remotePort: remotePort ^ 1 }));
    const { server: other } = await queueOf(({ remotePort }) => ({ remoteAddress: '192.0.2.1', remotePort }));
    const doors = [doorOf(server), doorOf(other)];
    await sleep(11_500);
    expect([late, ...doors.map(({ waitedMs }) => waitedMs)]).toEqual([0, 0, 0]);
    expect(warnings).toEqual([1, 2].map(() => expect.stringContaining('can not see its own connections') as string));
  });
});
