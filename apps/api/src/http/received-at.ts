import type { IncomingMessage, Server } from 'node:http';

/** Monotonic ms. */
interface Received {
  /** With its headers. */
  readonly at: number;
  /** With all of its body. */
  readonly wholeAt: number;
}

const received = new WeakMap<IncomingMessage, Received>();

/** Notes when requests are received, before anything is done with them: what looks at tokens, at budgets and at bodies may take long. */
export function noteReceived(server: Server): void {
  server.prependListener('request', (request: IncomingMessage) => {
    const at = performance.now();
    received.set(request, { at, wholeAt: at });
  });
}

/** All of the body is there, which may have been sent slowly. */
export function noteWhole(request: IncomingMessage): void {
  received.set(request, { at: receivedAt(request), wholeAt: performance.now() });
}

/** When a request was received, monotonic ms. Of one that nobody noted: now. */
export function receivedAt(request: IncomingMessage): number {
  return received.get(request)?.at ?? performance.now();
}

/** When all of it was there, monotonic ms: with the body, where it has one. Of one that nobody noted: now. */
export function wholeAt(request: IncomingMessage): number {
  return received.get(request)?.wholeAt ?? performance.now();
}
