import { createServer, type Server } from 'node:http';
import { Registry } from 'prom-client';

/** Whether the worker can do its work now, and what it depends on. */
export interface Readiness {
  readonly ready: boolean;
  readonly parts: Readonly<Record<string, string>>;
}

/** What is said of a worker that runs alone. */
export interface HealthSources {
  readonly readiness: () => Promise<Readiness>;
  /** In the form that Prometheus reads. */
  readonly metrics: () => Promise<string>;
}

/** `GET /health/live`, `GET /health/ready` and `GET /metrics`, for whoever supervises a worker that runs alone. They ask for no token. @param host address at which it listens */
export async function startHealthServer(port: number, host: string, { readiness, metrics }: HealthSources): Promise<Server> {
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
    } else if (request.url === '/metrics') {
      metrics().then(
        (text) => {
          response.writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text);
        },
        (error: unknown) => {
          answer(500, { status: 'error', error: error instanceof Error ? error.message : String(error) });
        },
      );
    } else {
      answer(404, { status: 'error', error: 'only /health/live, /health/ready and /metrics exist here' });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
  return server;
}
