/** What happened when, in one order for faults, witnesses, deaths and findings. */
export interface Moment {
  /** ms since the epoch, by the clock of the run. */
  readonly at: number;
  readonly text: string;
}

/** The story of a run, from which a violation is understood. */
export class Timeline {
  private readonly moments: Moment[] = [];
  private readonly begin = Date.now();

  constructor(private readonly tell: (line: string) => void) {}

  /** @param at when it happened; default: now */
  note(text: string, at = Date.now()): void {
    const moment = { at, text };
    this.moments.push(moment);
    this.tell(this.line(moment));
  }

  /** Lines from a moment on, in the order of time. */
  since(at: number): string[] {
    const later = this.moments.filter((moment) => moment.at >= at).toSorted((one, other) => one.at - other.at);
    return later.map((moment) => this.line(moment));
  }

  private line({ at, text }: Moment): string {
    return `${((at - this.begin) / 1000).toFixed(1).padStart(7)} s  ${text}`;
  }
}
