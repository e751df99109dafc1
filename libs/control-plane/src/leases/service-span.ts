import { BEAT_MS, LONGEST_SILENCE_MS, type ApiBeats } from '../ports/heartbeats.js';
import type { Look } from './look.js';

/** When leases could be renewed without a break, at some api or other: ms by this process's monotonic clock. */
export interface ServedSpan {
  readonly since: number;
  /** Later than this nobody knows yet. */
  readonly until: number;
}

/**
 * Follows the beats of all apis: as long as any counter moves, somebody is there to renew leases at. One api may follow the other, as when they are
 * replaced in turn.
 */
export class ServiceSpan {
  private beats: ReadonlyMap<string, number> | undefined;
  private lastLook: Look | undefined;
  private span: ServedSpan | undefined;
  private notBefore = Number.NEGATIVE_INFINITY;

  /** @param everyMs the time between two looks */
  constructor(private readonly everyMs: number) {}

  /** @returns undefined when no api was heard of lately, or nothing can be told yet */
  see(apis: readonly ApiBeats[], look: Look): ServedSpan | undefined {
    const before = this.beats;
    const beaten = this.lastLook?.asked;
    this.beats = new Map(apis.map(({ apiId, beats }) => [apiId, beats]));
    this.lastLook = look;
    if (before !== undefined && beaten !== undefined) {
      const known = apis.filter(({ apiId }) => before.has(apiId));
      const went = known.filter(({ apiId, beats }) => beats > (before.get(apiId) ?? beats));
      // An api that counts from the start again was silent: it is there, but was not all the time.
      const moved = went.length > 0 || known.some(({ apiId, beats }) => beats < (before.get(apiId) ?? beats));
      // The beat came after the look before had been asked for: so much is sure.
      if (moved) this.span = { since: Math.max(this.notBefore, this.sinceOf(went, look)), until: beaten };
    }
    return this.span && !this.silentSince(this.span.until, look) ? this.span : undefined;
  }

  /** Nobody looked for a while: what was before is to be learnt from the apis' own count. */
  forget(): void {
    this.beats = undefined;
    this.lastLook = undefined;
    this.span = undefined;
  }

  /** There may have been no service before `at`, whatever the apis count. */
  beginAnew(at: number): void {
    this.notBefore = at;
    if (this.span) this.span = { ...this.span, since: Math.max(at, this.span.since) };
  }

  private sinceOf(went: readonly ApiBeats[], look: Look): number {
    if (went.length === 0) return look.answered;
    if (this.span) return this.silentSince(this.span.until, look) ? look.answered : this.span.since;
    return Math.min(...went.map(({ beats }) => look.answered - Math.max(0, beats - 1) * BEAT_MS));
  }

  private silentSince(until: number, { answered }: Look): boolean {
    return answered - until > LONGEST_SILENCE_MS + this.everyMs;
  }
}
