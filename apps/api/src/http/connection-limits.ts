import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Shares, type ShareRefusal } from '@systole/access';
import type { RequestLimits } from '../request-limits.js';

/** Node looks so seldom for requests that are too late, unless told otherwise, that a head would have three times its time, ms. */
const LOOK_AT_MOST_EVERY_MS = 2_000;
/** How long an idle connection is kept for a next request, ms: longer than proxies keep theirs, so that none meets one that is being closed. */
const IDLE_MS = 75_000;

/**
 * Bounds the connections of a server, in all and from one address, and the time that a request may take to come. What is too much is closed unread.
 *
 * @param onRefused hears of each connection that was closed for that reason: as there were too many from its address, or in all; and where it came from
 */
export function limitConnections(
  server: Server,
  { connections: limits, arrival }: Pick<RequestLimits, 'connections' | 'arrival'>,
  onRefused: (refusal: ShareRefusal, address: string) => void,
): void {
  server.headersTimeout = arrival.headMs;
  server.requestTimeout = arrival.requestMs;
  // Read when the server begins to listen; Nest makes the server, and takes no options for it.
  Object.assign(server, { connectionsCheckingInterval: Math.min(LOOK_AT_MOST_EVERY_MS, arrival.headMs / 3) });
  server.keepAliveTimeout = IDLE_MS;
  const connections = new Shares(limits);
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const refusal = connections.take(address);
    if (refusal !== undefined) {
      onRefused(refusal, address);
      socket.destroy();
      return;
    }
    socket.once('close', () => {
      connections.give(address);
    });
  });
}

/** For a server behind the front, which limits connections and the time of requests: its own connections stay open until the front closes them. */
export function keepConnections(server: Server): void {
  server.headersTimeout = 0;
  server.requestTimeout = 0;
  server.keepAliveTimeout = 0;
}
