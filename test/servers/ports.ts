import { once } from 'node:events';
import { connect, createServer } from 'node:net';

const PATIENCE_MS = 500;

/** Whether something accepts TCP connections there. */
export async function answers(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port, timeout: PATIENCE_MS });
  try {
    return await new Promise<boolean>((resolve) => {
      socket.once('connect', () => {
        resolve(true);
      });
      socket.once('timeout', () => {
        resolve(false);
      });
      socket.once('error', () => {
        resolve(false);
      });
    });
  } finally {
    socket.destroy();
  }
}

/** A TCP port of 127.0.0.1 that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('the operating system gave no TCP port');
  return address.port;
}
