import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that the operating system gives to whoever asks for any (`ip_local_port_range` begins at 32,768). */
const [FIRST, LAST] = [15_000, 32_000];
const TRIES = 50;

/**
 * A TCP port of 127.0.0.1 that nobody listens on at the moment. Not one that the system would give: it gives it again to the next who asks, and a test whose server begins to listen only later finds
 * another test's there.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) return port;
  }
  throw new Error(`none of ${String(TRIES)} TCP ports from ${String(FIRST)} to ${String(LAST)} is free`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const listens = await new Promise<boolean>((resolve) => {
    server.once('listening', () => {
      resolve(true);
    });
    server.once('error', () => {
      resolve(false);
    });
  });
  if (!listens) return false;
  server.close();
  await once(server, 'close');
  return true;
}
