const WORDS: Readonly<Record<number, string>> = {
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

/** What an agent's exit code means, in the words of `crm_mon` 2.1, which alert programs are told, too (docs/spec/alerts.md). */
export function exitWords(code: number): string {
  return WORDS[code] ?? 'unknown';
}
