import type { Chance, Clock } from '../ports/clock.js';
import { BEAT_MS, LONGEST_SILENCE_MS, type Heartbeats } from '../ports/heartbeats.js';
import type { Report } from '../ports/report.js';

export interface HeartbeatParts {
  readonly heartbeats: Heartbeats;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly report: Report;
  /** What follows as long as no beat can be written, for the log. */
  readonly meanwhile: string;
  /** What keeps this process from storing events, in words: said with each beat. */
  readonly trouble?: () => string | undefined;
}

/** Keeps saying that this process is up: leases that end while no api is are not judged; clusters that no worker looks at are said to stand still. */
export class Heartbeat {
  private readonly apiId: string;
  private readonly begunAt: number;
  private cancel: () => void = () => undefined;
  private beating: Promise<void> | undefined;
  private failing = false;
  /** When the newest beat that was written was begun, by the monotonic clock. */
  private lastBeat = Number.NEGATIVE_INFINITY;
  /** Since when no beat was late, by the monotonic clock. */
  private steadySince: number;

  private constructor(private readonly parts: HeartbeatParts) {
    this.apiId = parts.chance.uuid();
    this.begunAt = parts.clock.monotonic();
    this.steadySince = this.begunAt;
  }

  /** To be called by an api when agents can reach it. */
  static async start(parts: HeartbeatParts): Promise<Heartbeat> {
    await parts.heartbeats.forgetOld();
    const heartbeat = new Heartbeat(parts);
    heartbeat.beatOn();
    return heartbeat;
  }

  /** To be called by an api before agents can't reach it any more. */
  async stop(): Promise<void> {
    this.cancel();
    await this.beating;
  }

  /** Since the newest beat that was written was begun, or it began to beat, ms. */
  get silentForMs(): number {
    return this.parts.clock.monotonic() - Math.max(this.lastBeat, this.begunAt);
  }

  /** For how long it has been beating without a break, ms: 0 while none can be written. */
  get steadyForMs(): number {
    if (this.silentForMs > LONGEST_SILENCE_MS) return 0;
    return this.parts.clock.monotonic() - this.steadySince;
  }

  private beatOn(): void {
    // The next beat is due whether or not this one is written.
    this.cancel = this.parts.clock.after(BEAT_MS, () => {
      this.beatOn();
    });
    this.beat();
  }

  private beat(): void {
    if (this.beating) return;
    const { heartbeats, clock, report, meanwhile, trouble } = this.parts;
    const begunAt = clock.monotonic();
    this.beating = heartbeats
      .beat(this.apiId, begunAt - this.lastBeat <= LONGEST_SILENCE_MS, trouble?.())
      .then(
        () => {
          if (begunAt - Math.max(this.lastBeat, this.begunAt) > LONGEST_SILENCE_MS) this.steadySince = begunAt;
          this.lastBeat = begunAt;
          this.failing = false;
        },
        (error: unknown) => {
          if (!this.failing) report.warn({ err: error }, `the heartbeat could not be written: ${meanwhile}`);
          this.failing = true;
        },
      )
      .finally(() => {
        this.beating = undefined;
      });
  }
}
