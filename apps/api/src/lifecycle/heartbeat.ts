import { randomUUID } from 'node:crypto';
import { BEAT_MS, LONGEST_SILENCE_MS, type ApiHeartbeats } from '@systole/read-models';
import type { Logger } from 'pino';

/** Keeps saying in the database that this api is up: leases that end while none is are not judged. */
export class Heartbeat {
  readonly #apiId = randomUUID();
  readonly #timer: NodeJS.Timeout;
  #beating: Promise<void> | undefined;
  #failing = false;
  /** When the newest beat that was written was begun, by the monotonic clock. */
  #lastBeat = Number.NEGATIVE_INFINITY;

  private constructor(
    private readonly heartbeats: ApiHeartbeats,
    private readonly log: Logger,
  ) {
    this.#timer = setInterval(() => {
      this.#beat();
    }, BEAT_MS);
  }

  /** To be called when agents can reach this api. */
  static async start(heartbeats: ApiHeartbeats, log: Logger): Promise<Heartbeat> {
    await heartbeats.forgetOld();
    const heartbeat = new Heartbeat(heartbeats, log);
    heartbeat.#beat();
    return heartbeat;
  }

  /** To be called before agents can't reach it any more. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
  }

  #beat(): void {
    if (this.#beating) return;
    const begunAt = performance.now();
    this.#beating = this.heartbeats
      .beat(this.#apiId, begunAt - this.#lastBeat <= LONGEST_SILENCE_MS)
      .then(
        () => {
          this.#lastBeat = begunAt;
          this.#failing = false;
        },
        (error: unknown) => {
          if (!this.#failing) this.log.warn({ err: error }, 'the heartbeat could not be written: no lease is judged meanwhile');
          this.#failing = true;
        },
      )
      .finally(() => {
        this.#beating = undefined;
      });
  }
}
