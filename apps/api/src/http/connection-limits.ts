import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestLimits } from '../request-limits.js';
import type { ConnectionTable } from './connection-table.js';

/** Node looks so seldom for requests that are too late, unless told otherwise, that a head would have three times its time, ms. */
const LOOK_AT_MOST_EVERY_MS = 2_000;
/** How long an idle connection is kept for a next request, ms: longer than proxies keep theirs, so that none meets one that is being closed. */
const IDLE_MS = 75_000;

/** Bounds the connections of a server by a table, which closes unread what is too much, and the time that a request may take to come. */
export function limitConnections(
  server: Server,
  { arrival }: Pick<RequestLimits, 'arrival'>,
  connections: Pick<ConnectionTable, 'accept'>,
): void {
  server.headersTimeout = arrival.headMs;
  server.requestTimeout = arrival.requestMs;
  // Read when the server begins to listen; Nest makes the server, and takes no options for it.
  Object.assign(server, { connectionsCheckingInterval: Math.min(LOOK_AT_MOST_EVERY_MS, arrival.headMs / 3) });
  server.keepAliveTimeout = IDLE_MS;
  server.on('connection', (socket: Socket) => {
    connections.accept(socket);
  });
}

/** For a server behind the front, which limits connections and the time of requests: its own connections stay open until the front closes them. */
export function keepConnections(server: Server): void {
  server.headersTimeout = 0;
  server.requestTimeout = 0;
  server.keepAliveTimeout = 0;
}
