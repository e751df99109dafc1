import type { Report, Scheduling } from '@systole/control-plane';
import { inSlices, slices } from '@systole/read-models';
import { NoSpareTime, SpareTime } from './spare-time.js';
import { SYSTEM_CHANCE, SYSTEM_CLOCK } from './system-clock.js';

/** A thread that makes itself quick. */
export interface WarmUp {
  /** Resolves when it has ended, whatever became of it; never rejects. */
  readonly ended: Promise<void>;
  /** Makes no further step, and waits for the one that is under way. */
  end(): Promise<void>;
}

export interface WarmUpParts {
  /** Plans for the clusters of the rehearsal; what it does so becomes quick as well. */
  readonly scheduling: Scheduling;
  readonly report: Report;
}

/**
 * Rehearses in this thread's spare time what the server does for its clusters, once: code that has just been loaded takes several times as long as code that V8 has compiled. Nothing of it touches the
 * database, and nothing waits for it. What goes wrong in it is said, and changes nothing else.
 */
export function warmUp({ scheduling, report }: WarmUpParts): WarmUp {
  const time = new SpareTime();
  const ended = rehearsed(time, scheduling, report);
  return {
    ended,
    end: () => {
      time.end();
      return ended;
    },
  };
}

async function rehearsed(time: SpareTime, scheduling: Scheduling, report: Report): Promise<void> {
  const begunAt = SYSTEM_CLOCK.monotonic();
  const tookMs = (): number => Math.round(SYSTEM_CLOCK.monotonic() - begunAt);
  try {
    await time.turn();
    const { rehearse } = await import('@systole/control-plane/rehearsal');
    const { results } = await rehearse({
      scheduling,
      clock: { ...SYSTEM_CLOCK, after: unwaitedFor },
      chance: SYSTEM_CHANCE,
      turn: time.turn,
      bitByBit: inSlices,
      slices,
    });
    report.info({ results, tookMs: tookMs() }, 'what is done for clusters was rehearsed: it is quick from now on');
  } catch (error) {
    if (error instanceof NoSpareTime) report.info({ why: error.message, tookMs: tookMs() }, 'the rehearsal was ended early');
    else report.warn({ err: error, tookMs: tookMs() }, 'what is done for clusters could not be rehearsed: it takes longer at first');
  } finally {
    time.end();
  }
}

/** A timer for which no process stays. */
function unwaitedFor(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms).unref();
  return () => {
    clearTimeout(timer);
  };
}
