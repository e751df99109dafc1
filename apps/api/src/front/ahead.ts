import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Has a server's requests served by this, and by whoever served them before where it does not. */
export function ahead(server: Server, serve: (request: IncomingMessage, response: ServerResponse, others: () => void) => boolean): void {
  const others = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const goOn = (): void => {
      for (const other of others) other.call(server, request, response);
    };
    if (!serve(request, response, goOn)) goOn();
  });
}
