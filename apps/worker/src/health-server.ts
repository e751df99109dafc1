import { createServer, type Server } from 'node:http';

/** Whether the worker can do its work now, and what it depends on. */
export interface Readiness {
  readonly ready: boolean;
  readonly parts: Readonly<Record<string, string>>;
}

/** `GET /health/live` and `GET /health/ready`, for whoever supervises a worker that runs alone. */
export async function startHealthServer(port: number, readiness: () => Promise<Readiness>): Promise<Server> {
  const server = createServer((request, response) => {
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.url === '/health/live') {
      answer(200, { status: 'ok' });
    } else if (request.url === '/health/ready') {
      readiness().then(
        ({ ready, parts }) => {
          answer(ready ? 200 : 503, { status: ready ? 'ok' : 'error', parts });
        },
        (error: unknown) => {
          answer(503, { status: 'error', error: error instanceof Error ? error.message : String(error) });
        },
      );
    } else {
      answer(404, { status: 'error', error: 'only /health/live and /health/ready exist here' });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
  return server;
}
