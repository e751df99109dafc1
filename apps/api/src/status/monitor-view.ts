import { Injectable } from '@nestjs/common';
import type { ClusterState } from '@systole/cluster';
import { SCHEDULER_VERSION } from '@systole/scheduler';
import type { MonitorFacts, MonitorSelection, TicketRecord } from '@systole/simulator';
import { LastChanges } from '../reads/last-change.js';
import { ClusterHistory } from '../reads/cluster-history.js';
import type { PastMoment } from '../reads/past-versions.js';
import type { Caller } from '../computing/caller.js';
import { SchedulePreview } from '../scheduling/schedule-preview.js';
import { ticketsIn } from './tickets-in.js';
import { FencingHistory } from './fencing-history.js';
import { OURSELVES, secondsOf } from '../reads/monitor-words.js';
import { pendingIn } from './pending-operations.js';
import { RunningTransition } from './running-transition.js';
import { isWhole, type StatusSelection } from './selection.js';
import { SharedAnswers, type SharedAnswer } from './shared-answers.js';
import type { StatusDto } from './status.dto.js';
import { StatusView } from './status-view.js';

/** It tells of nothing but the state and the moment that it is looked at for: who asks at the same gets the same, ms. */
const KEPT_MS = 5_000;

/** The status of a cluster as `crm_mon --output-as=xml` has it, for exporters and check scripts that read that. */
@Injectable()
export class MonitorView {
  readonly #shared: SharedAnswers<undefined>;

  constructor(
    private readonly history: ClusterHistory,
    private readonly changes: LastChanges,
    private readonly fencing: FencingHistory,
    private readonly view: StatusView,
    private readonly preview: SchedulePreview,
    private readonly running: RunningTransition,
  ) {
    this.#shared = new SharedAnswers(
      (clusterId) => history.at(clusterId, undefined),
      () => KEPT_MS,
    );
  }

  /** At present and as a whole, made once for all who ask for it at about the same time. */
  present(clusterId: string): Promise<SharedAnswer<undefined>> {
    const { isLookedAfter } = this.view;
    return this.#shared.of(clusterId, String(isLookedAfter), async ({ state, now }) => {
      const facts = await this.#facts(clusterId, state, isLookedAfter, now);
      const text = await this.preview.presentMonitor(clusterId, state.cib, now, facts);
      return { value: undefined, text: Buffer.from(text) };
    });
  }

  /**
   * @param at as it was then; as it is at present when undefined
   * @throws {HttpProblem} as `StatusView.status`, and what a computation throws
   */
  async document(clusterId: string, caller: Caller, at: PastMoment | undefined, selection: StatusSelection): Promise<MonitorAnswer> {
    const status = await this.view.status(clusterId, caller, at, selection);
    const { state, now } = await this.history.at(clusterId, at);
    const isLookedAfter = !status.troubles.some(({ code }) => code === 'no-worker');
    const facts = await this.#facts(clusterId, state, isLookedAfter, at === undefined ? now : undefined);
    const text = await this.preview.monitor({ clusterId, cib: state.cib, now }, caller, facts, shownOf(status, selection));
    return { status, text };
  }

  /** @param now of the present, epoch seconds; undefined: of the past nobody knows what was under way */
  async #facts(clusterId: string, state: ClusterState, isLookedAfter: boolean, now: number | undefined): Promise<MonitorFacts> {
    const [lastChange, fencing, transition] = await Promise.all([
      this.changes.of(clusterId, state),
      this.fencing.of(clusterId, state),
      now === undefined ? undefined : this.running.of(clusterId, state, true),
    ]);
    return {
      request: 'crm_mon --output-as=xml',
      coordinator: isLookedAfter ? { name: OURSELVES, version: SCHEDULER_VERSION } : undefined,
      lastChange,
      fencing,
      tickets: ticketsIn(state.cib).map(ticketRecord),
      ...(now === undefined ? {} : { pending: pendingIn(transition?.open, state, now * 1_000) }),
    };
  }
}

/** A status, and the same as XML. */
export interface MonitorAnswer {
  readonly status: StatusDto;
  readonly text: string;
}

function ticketRecord({ id, granted, standby, lastGranted }: ReturnType<typeof ticketsIn>[number]): TicketRecord {
  return { id, granted, standby, ...(lastGranted === undefined ? {} : { lastGrantedAt: secondsOf(lastGranted) }) };
}

/** What a selection has come to; nothing for what it does not narrow. */
function shownOf({ nodes, resources }: StatusDto, selection: StatusSelection): MonitorSelection {
  if (isWhole(selection)) return {};
  return { nodes: new Set(nodes.map(({ name }) => name)), resources: new Set(idsIn(resources)) };
}

function* idsIn(resources: StatusDto['resources']): Generator<string> {
  for (const { id, children } of resources) {
    yield id;
    yield* idsIn(children);
  }
}
