import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { whenClosed } from './request-context.js';

/** So many requests of one connection may be unanswered, the one that is being answered included: whoever waits for an answer before the next request has one. */
const MOST_UNANSWERED = 4;

/**
 * Begins the requests of each connection one after another, and ends a connection with too many that are not answered yet. Node by itself begins all that it
 * reads, thousands in one piece, however many answers are still to be written, and also those of a connection that has ended meanwhile; of such it never
 * says that their answers are closed, so that what was begun for them would go on.
 *
 * @param onRefused hears of each connection that was ended
 */
export function oneAtATime(server: Server, onRefused: () => void): void {
  const begin = server.listeners('request');
  server.removeAllListeners('request');
  const lines = new WeakMap<Socket, [IncomingMessage, ServerResponse][]>();
  const beginFirst = (line: readonly [IncomingMessage, ServerResponse][]): void => {
    const [first] = line;
    if (first !== undefined) for (const listener of begin) listener.apply(server, first);
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const line = lines.get(socket) ?? [];
    if (line.length >= MOST_UNANSWERED) {
      onRefused();
      socket.destroy();
      return;
    }
    lines.set(socket, line);
    line.push([request, response]);
    whenClosed(response, () => {
      // Nobody is in line behind it: what comes next comes in another piece.
      if (line.length === 1) {
        line.shift();
        return;
      }
      // In the next turn of the loop: requests that are answered at once must not have a whole piece to themselves, either.
      setImmediate(() => {
        line.shift();
        if (!socket.destroyed) beginFirst(line);
      });
    });
    if (line.length === 1) beginFirst(line);
  });
}
