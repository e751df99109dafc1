import { Injectable } from '@nestjs/common';
import { Wakeable } from '@systole/control-plane';
import { SYSTEM_CLOCK } from '@systole/control-plane-postgres';
import { ClusterStates, TransitionList, type TransitionEntry } from '@systole/read-models';
import type { Caller } from '../computing/caller.js';
import { ClusterSignals } from '../lifecycle/cluster-signals.js';
import { Shutdown } from '../lifecycle/shutdown.js';
import { StatusView } from '../status/status-view.js';
import { unsettledBecause } from '../status/unsettled.js';
import { TransitionSteps } from '../transitions/transition-steps.js';
import type { SettledDto } from './write.dto.js';

/** How often it is looked without any signal, ms. */
const LOOK_MS = 1_000;
/** Most transitions that an answer names. */
const NAMED = 20;

/** Waits until a cluster has nothing left to compute and to do. */
@Injectable()
export class Settling {
  constructor(
    private readonly states: ClusterStates,
    private readonly transitions: TransitionList,
    private readonly signals: ClusterSignals,
    private readonly shutdown: Shutdown,
    private readonly view: StatusView,
    private readonly steps: TransitionSteps,
  ) {}

  /** @param since version from which on transitions are named */
  async wait(clusterId: string, since: number, timeoutMs: number, { owner, gone }: Caller): Promise<SettledDto> {
    const deadline = performance.now() + timeoutMs;
    const wakeable = new Wakeable(SYSTEM_CLOCK);
    const forget = this.signals.listen(clusterId, wakeable.wake);
    try {
      for (;;) {
        const state = await this.states.load(clusterId);
        const left = deadline - performance.now();
        const over = left <= 0 || gone.aborted || this.shutdown.signal.aborted;
        const settled = await this.view.isSettled(clusterId, state, Date.now());
        if (settled || over) {
          return {
            outcome: settled ? 'settled' : 'timed-out',
            version: state.version,
            ...(state.existence === 'deleted' ? { deleted: true as const } : {}),
            ...(settled && state.existence !== 'deleted' ? await this.#troubles(clusterId, { owner, gone }) : {}),
            waitingFor: settled || gone.aborted ? [] : await this.#reasons(clusterId, { owner, gone }),
            transitions: await this.#transitionsSince(clusterId, since),
          };
        }
        await wakeable.wait(Math.min(left, LOOK_MS), gone, this.shutdown.signal);
      }
    } finally {
      forget();
    }
  }

  /** What is wrong with a cluster at rest; nothing of it where that can't be looked at now. */
  async #troubles(clusterId: string, caller: Caller): Promise<Pick<SettledDto, 'troubles'>> {
    return this.view.status(clusterId, caller).then(
      ({ troubles }) => ({ troubles }),
      () => ({}),
    );
  }

  /** The write is done: that its effects can't be looked at now makes it no failure. */
  async #reasons(clusterId: string, caller: Caller): Promise<readonly string[]> {
    return this.view.status(clusterId, caller).then(unsettledBecause, () => []);
  }

  async #transitionsSince(clusterId: string, since: number): Promise<SettledDto['transitions']> {
    const newest = await this.transitions.list(clusterId, { limit: NAMED });
    const ran = newest.filter((entry) => entry.plannedVersion > since).reverse();
    return Promise.all(
      ran.map(async (entry: TransitionEntry) => {
        const { number, status, summary, outcome } = entry;
        const steps = await this.steps.of(clusterId, entry);
        return { number, status, summary, ...(steps === undefined ? {} : { steps }), ...(outcome === undefined ? {} : { outcome }) };
      }),
    );
  }
}
