import { once } from 'node:events';
import { createServer, Server } from 'node:http';
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

  function doorOf(server: Server): OwnDoor {
    const door = new OwnDoor({
      server,
      clock: SYSTEM_CLOCK,
      leaseMs: 10_000,
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

  it('is closed while connections are made that the server never takes', async () => {
    const elsewhere = await listening();
    const queue = new Server();
    queue.address = () => elsewhere.address();
    const door = doorOf(queue);
    await expect.poll(() => door.openForMs).toBeLessThan(2_000);
    expect(late).toBeGreaterThan(2);
    expect(door.waitedMs).toBeGreaterThan(3_000);
    expect(warnings).toEqual([expect.stringContaining('does not come to what agents ask in time')]);
  });
});
