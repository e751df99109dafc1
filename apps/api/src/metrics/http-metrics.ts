import type { NextFunction, Request, Response } from 'express';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Prometheus metrics of this process. */
export class HttpMetrics {
  readonly registry = new Registry();
  readonly #duration: Histogram<'method' | 'route' | 'status'>;
  readonly #open: Gauge;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    this.#duration = new Histogram({
      name: 'systole_http_request_duration_seconds',
      help: 'Time from the request to the end of its answer; polls and streams wait on purpose.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
      registers: [this.registry],
    });
    this.#open = new Gauge({
      name: 'systole_http_requests_open',
      help: 'Requests that are being answered, polls and streams included.',
      registers: [this.registry],
    });
  }

  /** Measures every request. */
  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    const start = performance.now();
    this.#open.inc();
    response.once('close', () => {
      this.#open.dec();
      this.#duration.observe(
        { method: request.method, route: routeOf(request), status: String(response.statusCode) },
        (performance.now() - start) / 1_000,
      );
    });
    next();
  };
}

/** The route's pattern, not the path: paths are without number. */
function routeOf(request: Request): string {
  const route: unknown = request.route;
  return typeof route === 'object' && route !== null && 'path' in route && typeof route.path === 'string' ? route.path : 'other';
}
