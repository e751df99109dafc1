import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Shares, type ShareLimits } from '@systole/access';

/** In which the head of a request has to come, ms. */
const HEAD_WITHIN_MS = 15_000;
/** In which a whole request has to come, ms: 64 MiB at half a MiB a second. */
const REQUEST_WITHIN_MS = 120_000;
/** How long an idle connection is kept for a next request, ms: longer than proxies keep theirs, so that none meets one that is being closed. */
const IDLE_MS = 75_000;

/**
 * Bounds the connections of a server, in all and from one address, and the time that a request may take to come. What is too much is closed unread.
 *
 * @param onRefused hears of each connection that was closed for that reason
 */
export function limitConnections(server: Server, limits: ShareLimits, onRefused: () => void): void {
  server.headersTimeout = HEAD_WITHIN_MS;
  server.requestTimeout = REQUEST_WITHIN_MS;
  server.keepAliveTimeout = IDLE_MS;
  const connections = new Shares(limits);
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (connections.take(address) !== undefined) {
      onRefused();
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
