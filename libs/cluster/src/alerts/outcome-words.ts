import { exitWords } from '@systole/cib';
import type { OperationStatus } from '../events/cluster-event.js';

/** In the words that alert programs know (docs/spec/alerts.md), of what did not end by itself. */
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
  return STATUSES[status] ?? exitWords(rc);
}
