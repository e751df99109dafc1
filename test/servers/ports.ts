import { connect } from 'node:net';

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
