import { setTimeout as sleep } from 'node:timers/promises';
import { EventStore, limitedPool } from '@systole/event-store';
import { describeFault, type Fault, type FaultKind } from './faults/fault.js';
import { planOf, type Round } from './faults/plan.js';
import { strike, type LostTail } from './faults/strike.js';
import { ChaosLab } from './lab/chaos-lab.js';
import { withoutMaintenance } from './lab/cluster-configuration.js';
import type { Death } from './lab/service.js';
import { Fencings } from './oracles/fencings.js';
import { unsettledBecause } from './oracles/settled.js';
import { Witness } from './oracles/witness.js';
import { Writes } from './oracles/writes.js';
import type { Outcome, Recovery, Violation } from './report.js';
import { Timeline } from './timeline.js';

const LOOK_MS = 250;
/** How soon all must be well once the last fault is healed. */
const SETTLE_MS = 60_000;
/** When it is not by then either, the run ends: nothing more can be learnt. */
const GIVE_UP_MS = 180_000;
/** How much of the story before a violation is told. */
const STORY_MS = 45_000;
/** By then a program has started, or has given up. */
const START_MS = 30_000;

export interface ChaosOptions {
  readonly seed: number;
  readonly leaseMs: number;
  /** No round begins later than that, ms after the cluster was well for the first time. */
  readonly lengthMs: number;
  /** Default: all. */
  readonly kinds?: readonly FaultKind[];
  /** Called with each line of the story. */
  readonly tell: (line: string) => void;
  /** Ends the run early, at the end of a round. */
  readonly signal: AbortSignal;
  /** Called before anything is taken down when there was a violation, with the directory of the logs. */
  readonly keep: (logs: string) => Promise<void>;
}

/**
 * Sets Systole up on machines of its own, strikes it with the faults of a seed, round by round, and judges by witnesses outside of it.
 *
 * @throws when the lab can't be set up
 */
export async function runChaos(options: ChaosOptions): Promise<Outcome> {
  const timeline = new Timeline(options.tell);
  const deaths: Death[] = [];
  timeline.note('setting up');
  const lab = await ChaosLab.start({ leaseMs: options.leaseMs, timeline, onDeath: (death) => deaths.push(death) });
  const run = new ChaosRun(options, lab, timeline, deaths);
  try {
    return await run.toItsEnd();
  } finally {
    run.stopLooking();
    timeline.note('taking down');
    await lab.dispose();
  }
}

class ChaosRun {
  private readonly witness: Witness;
  private readonly fencings: Fencings;
  private readonly writes: Writes;
  private readonly looking: NodeJS.Timeout;
  private readonly violations: Violation[] = [];
  private readonly recoveries: Recovery[] = [];
  private readonly lostTails: LostTail[] = [];
  private readonly strikes: { readonly fault: Fault; readonly from: number; to: number }[] = [];
  private readonly begin = Date.now();
  private round = 0;
  private lastLook = Date.now();

  constructor(
    private readonly options: ChaosOptions,
    private readonly lab: ChaosLab,
    private readonly timeline: Timeline,
    private readonly deaths: Death[],
  ) {
    this.witness = new Witness(lab.shared, timeline);
    this.fencings = new Fencings(lab.shared, options.leaseMs, timeline);
    this.writes = new Writes(lab);
    this.looking = setInterval(() => {
      this.look();
    }, LOOK_MS);
  }

  stopLooking(): void {
    clearInterval(this.looking);
  }

  async toItsEnd(): Promise<Outcome> {
    const { seed, leaseMs, lengthMs, kinds, signal } = this.options;
    const rounds = planOf(seed, leaseMs, kinds);
    if ((await this.untilWell()) !== undefined) {
      const end = Date.now() + lengthMs;
      while (Date.now() < end && !signal.aborted) if (!(await this.play(rounds.next().value))) break;
    }
    await this.checkLog();
    if (this.violations.length > 0) await this.options.keep(this.lab.logs);
    return {
      ...{ seed, rounds: this.round, recoveries: this.recoveries, violations: this.violations },
      seconds: (Date.now() - this.begin) / 1000,
      figures: [`${this.witness.starts} starts of resources, ${this.fencings.count} fencings, ${this.writes.summary}`],
    };
  }

  /** @returns false when there is no use in going on */
  private async play({ faults }: Round): Promise<boolean> {
    this.round += 1;
    this.timeline.note(`round ${this.round}`);
    await Promise.all(
      faults.map(async ({ afterMs, fault }) => {
        await sleep(afterMs);
        this.timeline.note(`strike: ${describeFault(fault)}`);
        const span = { fault, from: Date.now(), to: Infinity };
        this.strikes.push(span);
        const healed = this.fencings.excuse(fault);
        await strike(this.lab, fault, (lost) => this.lostTails.push(lost));
        healed();
        span.to = Date.now();
        this.timeline.note(`healed: ${describeFault(fault)}`);
      }),
    );
    // A database that was put back may have brought back what was on when it was copied.
    await this.lab.changeConfiguration(withoutMaintenance, 'no maintenance after a round').catch((error: unknown) => {
      this.violate(error instanceof Error ? error.message : String(error));
    });
    const ms = await this.untilWell();
    if (ms === undefined) return false;
    this.recoveries.push({ kinds: faults.map(({ fault }) => fault.kind), ms });
    this.timeline.note(`well again after ${(ms / 1000).toFixed(1)} s`);
    return true;
  }

  /** @returns after how many ms; undefined when it was given up */
  private async untilWell(): Promise<number | undefined> {
    const from = Date.now();
    let late = false;
    let told = from;
    for (;;) {
      // Who looks well and takes no orders is not well.
      const reason = this.writes.succeededAfter(from)
        ? await unsettledBecause(this.lab, this.witness)
        : 'no change of the configuration was acknowledged since';
      const ms = Date.now() - from;
      if (reason === undefined) return ms;
      if (!late && ms > SETTLE_MS) {
        late = true;
        this.violate(`not well ${SETTLE_MS / 1000} s after the last fault: ${reason}`);
      }
      if (ms > GIVE_UP_MS) return undefined;
      if (Date.now() - told > 5_000) {
        told = Date.now();
        this.timeline.note(`not well yet: ${reason}`);
      }
      await sleep(LOOK_MS);
    }
  }

  private look(): void {
    const now = Date.now();
    if (now - this.lastLook > 4 * LOOK_MS) this.timeline.note(`this machine was too busy to look for ${now - this.lastLook} ms`);
    this.lastLook = now;
    for (const finding of [...this.witness.look(), ...this.fencings.look()]) this.violate(finding);
    for (const death of this.deaths.splice(0)) {
      const text = `${death.service} ended by itself: ${death.how}, ${death.at - death.startedAt} ms after its start`;
      if (this.isMeant(death)) this.timeline.note(text, death.at);
      else this.violate(text);
    }
  }

  /**
   * A program that finds its stores away at its start says so and ends, and an agent that can't write its journal ends rather than act without it;
   * both are started again.
   */
  private isMeant({ service, startedAt, at }: Death): boolean {
    return this.strikes.some(({ fault, from, to }) => {
      if (from > at || to < startedAt) return false;
      return fault.kind === 'disk-full' ? fault.target === service : at - startedAt < START_MS;
    });
  }

  /** What was acknowledged is there, and the chain of events is whole. */
  private async checkLog(): Promise<void> {
    await this.writes.stop();
    for (const finding of await this.writes.check(this.lostTails)) this.violate(finding);
    // It bears being cut off: the server is taken down while the last connections are still closing.
    const pool = limitedPool({ databaseUrl: this.lab.databaseUrl, applicationName: 'chaos run' });
    const store = new EventStore(pool);
    try {
      const verdict = await store.verifyChain();
      if (!verdict.intact) this.violate(`the chain of events is broken: ${JSON.stringify(verdict)}`);
    } finally {
      await store.close();
      await pool.end();
    }
  }

  private violate(text: string): void {
    this.timeline.note(`VIOLATION: ${text}`);
    this.violations.push({ at: Date.now(), round: this.round, text, story: this.timeline.since(Date.now() - STORY_MS) });
  }
}
