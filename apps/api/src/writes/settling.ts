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
/** For how long it is looked how the cluster is when the time is over, ms: what is known already, or soon computed, is told. */
const LOOKED_AT_MS = 1_000;
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

  /** Answers a second after the time at the latest: without what would have to be computed, when that takes longer. */
  async wait(awaited: AwaitedWrite, timeoutMs: number, { owner, gone }: Caller): Promise<SettledDto> {
    const { clusterId } = awaited;
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
          // Whoever waits has an answer when the time is over, whatever is being computed for others.
          const soon = AbortSignal.timeout(over ? LOOKED_AT_MS : Math.max(Math.ceil(left), LOOKED_AT_MS));
          // Who asks again with the same key is answered this, too: that time was up must not be said of a wait that was broken off.
          const outcome = settled ? 'settled' : left <= 0 ? 'timed-out' : 'interrupted';
          return await this.#settled(awaited, { state, outcome }, { owner, gone: AbortSignal.any([gone, soon]) });
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

  async #settled(
    { clusterId, since, before, toRun = [] }: AwaitedWrite,
    { state, outcome }: { readonly state: ClusterState; readonly outcome: 'settled' | 'timed-out' | 'interrupted' },
    caller: Caller,
  ): Promise<SettledDto> {
    const settled = outcome === 'settled';
    const isThere = state.existence === 'active';
    const failures = isThere ? failuresSince(before.cib, state.cib) : [];
    const [status, transitions] = await Promise.all([
      isThere ? this.#status(clusterId, caller) : undefined,
      this.#transitionsSince(clusterId, since),
    ]);
    const seen = status !== undefined && 'troubles' in status ? status : undefined;
    const unseen = status !== undefined && 'unseen' in status ? status.unseen : undefined;
    return {
      outcome: settled && failures.length > 0 ? 'failed' : outcome,
      failures: failures.slice(0, NAMED_FAILURES),
      notRunning: seen === undefined ? [] : notRunningIn(seen, failures, settled ? toRun : []),
      version: state.version,
      ...(state.existence === 'deleted' ? { deleted: true as const } : {}),
      ...(settled && seen !== undefined ? { troubles: seen.troubles } : {}),
      ...(unseen === undefined ? {} : { unseen }),
      waitingFor: settled ? [] : seen === undefined ? await this.view.knownReasons(clusterId).catch(() => []) : unsettledBecause(seen),
      transitions,
    };
  }

  /** The write is done: that nobody can look now what has come of it makes it no failure. */
  async #status(clusterId: string, caller: Caller): Promise<StatusDto | { readonly unseen: string }> {
    // Of whoever has gone nobody reads the answer: nothing is computed for it.
    if (caller.gone.aborted) return { unseen: 'the status of the cluster was not computed: the wait was broken off' };
    return this.view.status(clusterId, caller).catch((error: unknown) => ({
      unseen: caller.gone.aborted
        ? 'the status of the cluster was not computed in time'
        : `the cluster could not be looked at: ${reasonOf(error)}`,
    }));
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
  /** Version from which on transitions are named. */
  readonly since: number;
  /** The cluster before the write: what has failed since is told. */
  readonly before: ClusterState;
  /** Ids of what the write wants to run: it is told when that runs nowhere. */
  readonly toRun?: readonly string[];
}

/** Of what failed, and of what was to run: what runs nowhere. */
function notRunningIn({ resources }: StatusDto, failures: readonly FailureDto[], toRun: readonly string[]): readonly string[] {
  const failed = new Set(failures.map(({ resource }) => resource));
  const wanted = new Set(toRun);
  return [
    ...new Set([
      ...resources.flatMap(primitivesIn).flatMap(({ id, activeOn }) => (failed.has(id) && activeOn.length === 0 ? [id] : [])),
      ...resources.flatMap((resource) => idleIn(resource, wanted, false)),
    ]),
  ];
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
