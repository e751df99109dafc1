import type { OperationStatus } from '../events/cluster-event.js';

/** Return codes in the words that alert programs know (docs/spec/alerts.md). */
const CODES: Readonly<Record<number, string>> = {
  0: 'ok',
  1: 'error',
  2: 'invalid parameter',
  3: 'unimplemented feature',
  4: 'insufficient privileges',
  5: 'not installed',
  6: 'not configured',
  7: 'not running',
  8: 'promoted',
  9: 'promoted (failed)',
  190: 'degraded',
  191: 'promoted (degraded)',
};

/** The same for what did not end by itself. */
const STATUSES: Readonly<Partial<Record<OperationStatus, string>>> = {
  cancelled: 'Cancelled',
  timeout: 'Timed Out',
  'not-supported': 'NOT SUPPORTED',
  error: 'Error',
  'error-hard': 'Hard error',
  'error-fatal': 'Fatal error',
  'not-installed': 'Not installed',
  'not-connected': 'Internal communication failure',
  lost: 'Error',
};

/** How an operation ended, as alerts tell it. */
export function outcomeWords(status: OperationStatus, rc: number): string {
  return STATUSES[status] ?? CODES[rc] ?? 'unknown';
}
