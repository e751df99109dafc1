import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** What the front says to the operators' thread. */
export type ToOperators = { readonly kind: 'metrics'; readonly id: number } | { readonly kind: 'close' };

export type ThreadMetrics = MetricObjectWithValues<MetricValue<string>>[];

/** What the operators' thread says to the front. */
export type FromOperators =
  | { readonly kind: 'ready' }
  /** Said again and again, so that a thread that hangs is noticed. */
  | { readonly kind: 'alive' }
  | { readonly kind: 'metrics'; readonly id: number; readonly metrics: ThreadMetrics };
