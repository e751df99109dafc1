import { Inject, Injectable } from '@nestjs/common';
import {
  debuggingOn,
  type ClusterEvent,
  type ClusterState,
  type DebugOperationEnded,
  type DebugOperationRequested,
} from '@systole/cluster';
import { Wakeable, type Dispatches } from '@systole/control-plane';
import { SYSTEM_CLOCK } from '@systole/control-plane-postgres';
import { EventStore } from '@systole/event-store';
import { ClusterStates } from '@systole/read-models';
import { DISPATCHES } from '../api-settings.js';
import { ClusterSignals } from '../lifecycle/cluster-signals.js';
import { Shutdown } from '../lifecycle/shutdown.js';
import type { TriedOperationDto, WriteResultDto } from './write.dto.js';

/** How often it is looked, and the node's poll woken, without any signal, ms. */
const LOOK_MS = 1_000;

/** How much longer than the operation may take an answer is waited for, ms: its turn on the node, and the way there and back. */
const ALLOWANCE_MS = 15_000;
/** As with all waiting. */
const LONGEST_MS = 600_000;

/** A debug operation that was asked for. */
interface AskedDebug {
  readonly clusterId: string;
  readonly debugId: string;
  readonly node: string;
  /** Of its request. */
  readonly version: number;
}

/** Waits for what an agent says of a debug operation. */
@Injectable()
export class DebugOutcome {
  constructor(
    private readonly states: ClusterStates,
    private readonly store: EventStore<ClusterEvent>,
    @Inject(DISPATCHES) private readonly dispatches: Pick<Dispatches, 'wake'>,
    private readonly signals: ClusterSignals,
    private readonly shutdown: Shutdown,
  ) {}

  /**
   * The answer to a write that has asked for a debug operation, with what came of it.
   *
   * @param withinS how long it may take, seconds; as long as the operation when undefined
   */
  async answered(
    clusterId: string,
    asked: Pick<WriteResultDto, keyof WriteResultDto>,
    withinS: number | undefined,
    gone: AbortSignal,
  ): Promise<Pick<WriteResultDto, keyof WriteResultDto>> {
    // What an earlier attempt of the same request has asked for is found by its events.
    const request = asked.events.find(({ type }) => type === 'DebugOperationRequested')?.data as
      DebugOperationRequested['data'] | undefined;
    if (asked.dryRun || request === undefined) return asked;
    const { debugId, node, timeoutMs } = request;
    const waitMs = Math.min(withinS === undefined ? timeoutMs + ALLOWANCE_MS : withinS * 1_000, LONGEST_MS);
    const ended = await this.wait({ clusterId, debugId, node, version: asked.version }, waitMs, gone);
    return { ...asked, tried: { debugId, ...triedOf(ended) } };
  }

  /**
   * That nobody waits any more ends nothing: the node carries it out, and the event log has what came of it.
   *
   * @returns its end; `over` when the life of the node in which it was asked for is over, and the log does not say how far it came; undefined when it goes on
   */
  private async wait(asked: AskedDebug, timeoutMs: number, gone: AbortSignal): Promise<DebugOperationEnded['data'] | 'over' | undefined> {
    const { clusterId, node } = asked;
    const deadline = performance.now() + timeoutMs;
    const wakeable = new Wakeable(SYSTEM_CLOCK);
    const forget = this.signals.listen(clusterId, wakeable.wake);
    try {
      for (;;) {
        const state = await this.states.load(clusterId);
        if (!isPending(state, asked)) return (await this.#ended(asked, state.version)) ?? 'over';
        const left = deadline - performance.now();
        if (left <= 0 || gone.aborted || this.shutdown.signal.aborted) return undefined;
        await this.dispatches.wake(clusterId, node);
        await wakeable.wait(Math.min(left, LOOK_MS), gone, this.shutdown.signal);
      }
    } finally {
      forget();
    }
  }

  async #ended({ clusterId, debugId, version }: AskedDebug, toVersion: number): Promise<DebugOperationEnded['data'] | undefined> {
    for await (const event of this.store.streamEvents(clusterId, { fromVersion: version + 1, toVersion })) {
      if (event.type === 'DebugOperationEnded' && event.data.debugId === debugId) return event.data;
    }
    return undefined;
  }
}

function isPending(state: ClusterState, { debugId, node }: AskedDebug): boolean {
  return debuggingOn(state, node).some((pending) => pending.debugId === debugId);
}

function triedOf(ended: DebugOperationEnded['data'] | 'over' | undefined): Omit<TriedOperationDto, 'debugId'> {
  if (ended === undefined) return { state: 'running' };
  if (ended === 'over') return { state: 'unknown' };
  const { status, rc, exitReason, output, execMs, queueMs } = ended;
  if (status === undefined) return { state: 'never-begun' };
  return {
    state: 'ended',
    status,
    ...(rc === undefined ? {} : { rc }),
    ...(exitReason === undefined ? {} : { exitReason }),
    ...(output === undefined ? {} : { output }),
    ...(execMs === undefined ? {} : { execMs }),
    ...(queueMs === undefined ? {} : { queueMs }),
  };
}
