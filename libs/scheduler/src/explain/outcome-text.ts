/** OCF return codes (OCF resource agent API 1.1, section 2.3) and the controller's own for degraded services. */
const meanings: Readonly<Record<number, string>> = {
  0: 'ok',
  1: 'error',
  2: 'invalid parameter',
  3: 'not implemented',
  4: 'insufficient privileges',
  5: 'not installed',
  6: 'not configured',
  7: 'not running',
  8: 'promoted',
  9: 'failed while promoted',
  190: 'degraded',
  191: 'promoted, degraded',
};

/** Execution status of an operation that was given up (specification 03 §7.4). */
const TIMED_OUT = 2;

/** How an operation ended: `monitor ended with 7 (not running)`, `start timed out`. `status` is its `op-status`. */
export function outcomeText(operation: string, rc: number, status: number): string {
  if (status === TIMED_OUT) return `${operation} timed out`;
  const meaning = meanings[rc];
  return `${operation} ended with ${String(rc)}${meaning === undefined ? '' : ` (${meaning})`}`;
}
