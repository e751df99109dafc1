const texts: Readonly<Record<number, string>> = {
  0: 'OK',
  1: 'Error occurred',
  2: 'Invalid parameter',
  3: 'Unimplemented',
  4: 'Insufficient privileges',
  5: 'Not installed',
  6: 'Not configured',
  7: 'Not running',
  8: 'Promoted',
  9: 'Failed in promoted role',
  190: 'Service is active but might fail soon',
  191: 'Service is promoted but might fail soon',
};

/** What an agent's exit code means, as status shows it (specification 08 §6.3). */
export function exitText(code: number): string {
  return texts[code] ?? `Unknown exit status`;
}

const statusTexts: Readonly<Record<number, string>> = {
  [-1]: 'pending',
  0: 'complete',
  1: 'Cancelled',
  2: 'Timed Out',
  3: 'NOT SUPPORTED',
  4: 'Error',
  5: 'Hard error',
  6: 'Fatal error',
  7: 'Not installed',
  8: 'Internal communication failure',
  9: 'Cannot execute now',
  10: 'No fence device',
  11: 'CIB secrets unavailable',
};

/** What became of an operation's execution, as status shows it. */
export function statusText(status: number): string {
  return statusTexts[status] ?? 'UNKNOWN!';
}
