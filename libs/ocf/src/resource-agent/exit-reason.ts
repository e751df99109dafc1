/** The cookie that an agent prints before its reason; passed to it as OCF_EXIT_REASON_PREFIX. */
export const EXIT_REASON_PREFIX = 'ocf-exit-reason:';

/** Remembers the last exit reason among the lines of an agent's standard error; the last one wins. */
export class ExitReason {
  private reason: string | undefined;

  readonly onLine = (line: string): void => {
    const at = line.indexOf(EXIT_REASON_PREFIX);
    if (at >= 0) this.reason = line.slice(at + EXIT_REASON_PREFIX.length).trim();
  };

  get last(): string | undefined {
    return this.reason === '' ? undefined : this.reason;
  }
}
