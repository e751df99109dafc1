import { Injectable } from '@nestjs/common';
import { primitiveIdOf } from '@systole/cib';
import type { ClusterState } from '@systole/cluster';
import { Wakeable } from '@systole/control-plane';
import { SYSTEM_CLOCK } from '@systole/control-plane-postgres';
import { ClusterStates, TransitionList, type TransitionEntry } from '@systole/read-models';
import type { Request } from 'express';
import type { Caller } from '../computing/caller.js';
import { reasonOf } from '../http/problem-of.js';
import { ClusterSignals } from '../lifecycle/cluster-signals.js';
import { Shutdown } from '../lifecycle/shutdown.js';
import { StatusView } from '../status/status-view.js';
import { unsettledBecause } from '../status/unsettled.js';
import { failuresSince } from '../status/failures.js';
import { TransitionSteps } from '../status/transition-steps.js';
import type { FailureDto, StatusDto } from '../status/status.dto.js';
import type { SettledDto } from './write.dto.js';
import { ClockWatch } from '../watches/clock-watch.js';

/** How often it is looked without any signal, ms. */
const LOOK_MS = 1_000;
/** For how long it is waited that a cluster settles, s, when nobody says. */
export const DEFAULT_WAIT_S = 60;
/** Most transitions that an answer names. */
const NAMED = 20;

/** Most failures that an answer names. */
const NAMED_FAILURES = 100;

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
    private readonly clock: ClockWatch,
  ) {}

  /**
   * @param since version from which on transitions are named
   * @param before the cluster before the write: what has failed since is told
   * @param toRun ids of what the write wants to run: it is told when that runs nowhere
   */
  async wait({ clusterId, since, before, toRun = [] }: AwaitedWrite, timeoutMs: number, { owner, gone }: Caller): Promise<SettledDto> {
    const deadline = performance.now() + timeoutMs;
    const wakeable = new Wakeable(SYSTEM_CLOCK);
    const forget = this.signals.listen(clusterId, wakeable.wake);
    try {
      for (;;) {
        const state = await this.states.load(clusterId);
        const left = deadline - performance.now();
        const over = left <= 0 || gone.aborted || this.shutdown.signal.aborted;
        const settled = await this.view.isSettled(clusterId, state, this.clock.now());
        if (settled || over) {
          const failures = state.existence === 'active' ? failuresSince(before.cib, state.cib) : [];
          return {
            // Who asks again with the same key is answered this, too: that time was up must not be said of a wait that was broken off.
            outcome: settled ? (failures.length > 0 ? 'failed' : 'settled') : left <= 0 ? 'timed-out' : 'interrupted',
            failures: failures.slice(0, NAMED_FAILURES),
            notRunning:
              settled || failures.length > 0 ? await this.#notRunning(clusterId, failures, settled ? toRun : [], { owner, gone }) : [],
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

  /**
   * As {@link wait}, of a write that is made: that what comes of it can't be waited for makes it no failure.
   *
   * @param version after the write
   */
  async afterWrite(
    awaited: AwaitedWrite,
    { version, log }: { readonly version: number; readonly log: Request['log'] },
    timeoutMs: number,
    caller: Caller,
  ): Promise<SettledDto> {
    return this.wait(awaited, timeoutMs, caller).catch((error: unknown): SettledDto => {
      log.warn({ err: error }, 'a write was made, and what comes of it could not be waited for');
      const waitingFor = [`could not wait: ${reasonOf(error)}`];
      return { outcome: 'unknown', version, waitingFor, failures: [], notRunning: [], transitions: [] };
    });
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

  /** Of what failed, and of what was to run. As with the reasons, that nobody can look makes the write no failure. */
  async #notRunning(
    clusterId: string,
    failures: readonly FailureDto[],
    toRun: readonly string[],
    caller: Caller,
  ): Promise<readonly string[]> {
    if (failures.length === 0 && toRun.length === 0) return [];
    const failed = new Set(failures.map(({ resource }) => resource));
    const wanted = new Set(toRun);
    return this.view.status(clusterId, caller).then(
      ({ resources }) => [
        ...new Set([
          ...resources.flatMap(primitivesIn).flatMap(({ id, activeOn }) => (failed.has(id) && activeOn.length === 0 ? [id] : [])),
          ...resources.flatMap((resource) => idleIn(resource, wanted, false)),
        ]),
      ],
      () => [],
    );
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

/** A write whose effects are waited for; see {@link Settling.wait}. */
export interface AwaitedWrite {
  readonly clusterId: string;
  readonly since: number;
  readonly before: ClusterState;
  readonly toRun?: readonly string[];
}

/** What of a resource runs nowhere though it should, if it, or what it stands in, was to run. */
function idleIn({ id, wrong = [], children }: Resource, wanted: ReadonlySet<string>, within: boolean): readonly string[] {
  const isMeant = within || wanted.has(id) || wanted.has(primitiveIdOf(id));
  const isIdle = isMeant && (wrong.includes('stopped') || wrong.includes('held'));
  return [...(isIdle ? [id] : []), ...children.flatMap((child) => idleIn(child, wanted, isMeant))];
}

type Resource = StatusDto['resources'][number];

function primitivesIn(resource: Resource): readonly Resource[] {
  return resource.children.length === 0 ? [resource] : resource.children.flatMap(primitivesIn);
}
