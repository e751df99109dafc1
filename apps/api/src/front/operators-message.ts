import type { RefusedReport } from '../access/node-report-budgets.js';
import type { Unwritable } from '../watches/log-watch.js';
import type { MetricValues } from '../metrics/http-metrics.js';

/** What the front says to the operators' thread. */
export type ToOperators =
  | { readonly kind: 'metrics'; readonly id: number }
  | { readonly kind: 'close' }
  /** Said again and again: what keeps the front from storing anything, its heartbeat included. A database that takes none tells nobody. */
  | { readonly kind: 'front'; readonly unwritable?: Unwritable }
  /** The front takes what nodes report; the status, which says who waits, is made there. */
  | { readonly kind: 'report-refused'; readonly refused: RefusedReport };

/** What the operators' thread says to the front. */
export type FromOperators =
  | { readonly kind: 'ready' }
  /** Said again and again, so that a thread that hangs is noticed; with what keeps it from storing events. */
  | { readonly kind: 'alive'; readonly unwritable?: Unwritable }
  | { readonly kind: 'metrics'; readonly id: number; readonly metrics: MetricValues };
