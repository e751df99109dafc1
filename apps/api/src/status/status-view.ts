import { Injectable } from '@nestjs/common';
import { configuredNodes, memberOf, planningHold, type ClusterState } from '@systole/cluster';
import { NodeLeases, type NodeLease } from '@systole/read-models';
import type { NodeSummary } from '@systole/scheduler';
import { ClusterHistory } from '../clusters/cluster-history.js';
import type { BareSchedule } from '../scheduling/schedule-message.js';
import { SchedulePreview } from '../scheduling/schedule-preview.js';
import { isSettled } from '../writes/settling.js';
import { failCountsIn, failuresIn } from './failures.js';
import { safetyNotes } from './safety-notes.js';
import type { NodeDto, RunningTransitionDto, StatusDto } from './status.dto.js';

/** Clusters whose newest picture is kept. */
const KEPT = 64;

interface Picture {
  readonly version: number;
  readonly now: number;
  readonly schedule: Promise<BareSchedule>;
}

/** How a cluster is, or was: roles and places of resources as the scheduler itself sees them in the history. */
@Injectable()
export class StatusView {
  readonly #pictures = new Map<string, Picture>();

  constructor(
    private readonly history: ClusterHistory,
    private readonly leases: NodeLeases,
    private readonly preview: SchedulePreview,
  ) {}

  /** @param at the version of the cluster; as it is at present when undefined */
  async status(clusterId: string, at?: number): Promise<StatusDto> {
    const { state, now } = await this.history.at(clusterId, at);
    const [schedule, leases] = await Promise.all([this.#schedule(clusterId, state, now), this.#leases(clusterId, at)]);
    const { name, version, quorum, cib, recompute } = state;
    const seenAt = at === undefined ? Date.now() : now * 1_000;
    const hold = recompute === undefined ? undefined : planningHold(state, (_cause, moment) => seenAt - moment);
    return {
      clusterId,
      name,
      version,
      settled: isSettled(state),
      ...(recompute === undefined ? {} : { recompute: recompute.reason }),
      ...(hold === undefined ? {} : { hold: hold.reason }),
      ...(quorum === undefined ? {} : { quorum: { quorate: quorum.quorate, votes: quorum.votes, expectedVotes: quorum.expectedVotes } }),
      ...runningTransition(state),
      nodes: nodesOf(state, schedule, leases),
      resources: schedule.resources,
      failures: failuresIn(cib),
      failCounts: failCountsIn(cib),
      fencing: Object.values(state.fencing).map(({ target, action, device, executor, attempt }) => ({
        target,
        action,
        device,
        executor,
        attempt,
      })),
      safety: safetyNotes(state),
      messages: schedule.messages,
    };
  }

  /** @param at the version of the cluster; as it is at present when undefined */
  async nodes(clusterId: string, at?: number): Promise<{ readonly version: number; readonly nodes: readonly NodeDto[] }> {
    const { state, now } = await this.history.at(clusterId, at);
    const [schedule, leases] = await Promise.all([this.#schedule(clusterId, state, now), this.#leases(clusterId, at)]);
    return { version: state.version, nodes: nodesOf(state, schedule, leases) };
  }

  /** Leases are of the present only: they leave no events. */
  async #leases(clusterId: string, at: number | undefined): Promise<readonly NodeLease[]> {
    return at === undefined ? this.leases.ofCluster(clusterId) : [];
  }

  #schedule(clusterId: string, { version, cib }: ClusterState, now: number): Promise<BareSchedule> {
    const known = this.#pictures.get(clusterId);
    if (known?.version === version && known.now === now) return known.schedule;
    const picture: Picture = { version, now, schedule: this.preview.schedule(cib, now) };
    if (known !== undefined && known.version > version) return picture.schedule;
    this.#pictures.delete(clusterId);
    this.#pictures.set(clusterId, picture);
    picture.schedule.catch(() => {
      if (this.#pictures.get(clusterId) === picture) this.#pictures.delete(clusterId);
    });
    for (const oldest of this.#pictures.keys()) {
      if (this.#pictures.size <= KEPT) break;
      this.#pictures.delete(oldest);
    }
    return picture.schedule;
  }
}

function runningTransition({ transition }: ClusterState): { readonly transition?: RunningTransitionDto } {
  if (transition === undefined) return {};
  const { number, status, abortReason } = transition;
  const results = Object.values(transition.results).map((reports) => Object.values(reports));
  const failed = results.filter((reports) => reports.some(({ ok }) => !ok)).length;
  return { transition: { number, status, ...(abortReason === undefined ? {} : { abortReason }), ended: results.length, failed } };
}

/** Every node that is configured, that an agent joined for, or that the scheduler knows; configured ones first. */
function nodesOf(state: ClusterState, schedule: BareSchedule, leases: readonly NodeLease[]): readonly NodeDto[] {
  const names = new Set([
    ...configuredNodes(state.cib).map(({ name }) => name),
    ...Object.keys(state.nodes),
    ...schedule.nodes.map(({ name }) => name),
  ]);
  return [...names].map((name) =>
    nodeOf(
      name,
      state,
      schedule.nodes.find((node) => node.name === name),
      leases.find((lease) => lease.node === name),
    ),
  );
}

function nodeOf(name: string, state: ClusterState, seen: NodeSummary | undefined, lease: NodeLease | undefined): NodeDto {
  const member = memberOf(state, name);
  return {
    name,
    id: seen?.id ?? member?.id ?? name,
    kind: seen?.kind ?? 'cluster',
    membership: member?.membership ?? 'unknown',
    ...(member === undefined ? {} : { incarnation: member.incarnation, agentVersion: member.agentVersion, since: member.since }),
    ...(lease === undefined ? {} : { lease: { leaseMs: lease.leaseMs, expiresAt: lease.expiresAt, renewedAt: lease.renewedAt } }),
    online: seen?.online ?? false,
    unclean: seen?.unclean ?? false,
    standby: seen?.standby ?? false,
    maintenance: seen?.maintenance ?? false,
    pending: seen?.pending ?? false,
    shutdown: seen?.shutdown ?? member?.shutdownRequested ?? false,
  };
}
