import type { IncomingMessage, Server } from 'node:http';

const received = new WeakMap<IncomingMessage, number>();

/** Notes when requests are received, before anything is done with them: what looks at tokens, at budgets and at bodies may take long. */
export function noteReceived(server: Server): void {
  server.prependListener('request', (request: IncomingMessage) => {
    received.set(request, performance.now());
  });
}

/** When a request was received, monotonic ms. Of one that nobody noted: now. */
export function receivedAt(request: IncomingMessage): number {
  return received.get(request) ?? performance.now();
}
