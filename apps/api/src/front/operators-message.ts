import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** What the front says to the operators' thread. */
export type ToOperators = { readonly kind: 'metrics'; readonly id: number } | { readonly kind: 'close' };

export type ThreadMetrics = MetricObjectWithValues<MetricValue<string>>[];

/** What the operators' thread says to the front. */
export type FromOperators = { readonly kind: 'ready' } | { readonly kind: 'metrics'; readonly id: number; readonly metrics: ThreadMetrics };
