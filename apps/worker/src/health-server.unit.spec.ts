import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startHealthServer } from './health-server.js';

describe('the health port', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.close();
  });

  it('is open at the address that it is given, and at no other', async () => {
    const sources = { readiness: () => Promise.resolve({ ready: true, parts: {} }), metrics: () => Promise.resolve('') };
    server = await startHealthServer(0, '127.0.0.1', sources);
    const { port, address } = server.address() as AddressInfo;
    expect(address).toBe('127.0.0.1');
    expect((await fetch(`http://127.0.0.1:${String(port)}/health/live`)).status).toBe(200);
    await expect(fetch(`http://127.0.0.2:${String(port)}/health/live`)).rejects.toThrow();
  });
});
