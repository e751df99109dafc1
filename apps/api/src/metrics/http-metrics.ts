import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type Metric,
  type MetricObjectWithValues,
  type MetricValue,
} from 'prom-client';
import { whenClosed } from '../http/request-context.js';

/** Of what Prometheus reads. */
export const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

/** What there is to show, for whoever shows it together with metrics of others. */
export type MetricValues = MetricObjectWithValues<MetricValue<string>>[];

/** Prometheus metrics of this process, or of one of its threads. */
export class HttpMetrics {
  readonly registry = new Registry();
  readonly #duration: Histogram<'method' | 'route' | 'status'>;
  readonly #open: Gauge;
  readonly #refused: Counter<'reason'>;
  readonly #snapshotsRefused: Counter;
  readonly #givenAgain: Counter;

  /** @param ofProcess whether also what belongs to the whole process is shown; else only what this thread does */
  constructor(ofProcess = true) {
    if (ofProcess) collectDefaultMetrics({ register: this.registry });
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
    this.#refused = new Counter({
      name: 'systole_http_refused_total',
      help: 'What was refused because it was too much, by the last part of the problem type; `connections`: closed unread; `connections-without-token`: closed for new ones, as no valid token came on them; `pipelining`: ended with too many requests that were not answered yet.',
      labelNames: ['reason'],
      registers: [this.registry],
    });
    this.#givenAgain = new Counter({
      name: 'systole_answers_given_again_total',
      help: 'Answers to operators that were kept and given again, because nothing had happened since.',
      registers: [this.registry],
    });
    this.#snapshotsRefused = new Counter({
      name: 'systole_snapshots_refused_total',
      help: 'Snapshots that were passed over because they are not what was recorded when they were taken.',
      registers: [this.registry],
    });
  }

  /** Counts an answer that was kept and given once more. */
  givenAgain(): void {
    this.#givenAgain.inc();
  }

  /** What there is to show, added up with what others show: another thread, another part of the process. */
  async text(others: readonly MetricValues[] = []): Promise<string> {
    if (others.length === 0) return this.registry.metrics();
    return AggregatorRegistry.aggregate([await this.values(), ...others]).metrics();
  }

  values(): Promise<MetricValues> {
    return this.registry.getMetricsAsJSON();
  }

  snapshotRefused(): void {
    this.#snapshotsRefused.inc();
  }

  /** Counts what was refused because it was too much. */
  refused(reason: string): void {
    this.#refused.inc({ reason });
  }

  /** Shows a number that is asked for whenever somebody looks. */
  show(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }

  /** Shows one more metric. */
  register(metric: Metric): void {
    this.registry.registerMetric(metric);
  }

  /** Measures every request. */
  readonly middleware = (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    this.measure(request, response, performance.now());
    next();
  };

  /** Measures a request that came some time ago. @param begun monotonic ms */
  measure(request: IncomingMessage, response: ServerResponse, begun: number): void {
    this.#open.inc();
    whenClosed(response, () => {
      this.#open.dec();
      this.#duration.observe(
        { method: request.method ?? '', route: routeOf(request), status: String(response.statusCode) },
        (performance.now() - begun) / 1_000,
      );
    });
  }
}

/** The route's pattern, not the path: paths are without number. */
export function routeOf(request: IncomingMessage): string {
  const route: unknown = 'route' in request ? request.route : undefined;
  return typeof route === 'object' && route !== null && 'path' in route && typeof route.path === 'string' ? route.path : 'other';
}
