import type { ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';

/**
 * Ends an answer that has begun and is not complete, so that nobody takes it for complete. Over HTTP/1.1 its last chunk is missing, over TLS the end of the connection. HTTP/1.0 (which proxies speak that nobody has told otherwise)
 * has no other end of an answer than that of the connection: that is broken then, not closed.
 */
export function cutOff(response: ServerResponse): void {
  const { socket, req } = response;
  const isEndOfConnection = req.httpVersionMajor === 1 && req.httpVersionMinor === 0;
  // A Unix socket, as between front and operators' thread, can't be broken so, and HTTP/1.1 is spoken there.
  if (isEndOfConnection && socket !== null && !(socket instanceof TLSSocket) && socket.remoteAddress !== undefined)
    socket.resetAndDestroy();
  response.destroy();
}
