import { Injectable } from '@nestjs/common';
import { configuredNodes, memberOf, planningHold, type ClusterState } from '@systole/cluster';
import { ClusterStates, NodeLeases, type NodeLease } from '@systole/read-models';
import type { NodeSummary, Schedule } from '@systole/scheduler';
import { SchedulePreview } from '../scheduling/schedule-preview.js';
import { isSettled } from '../writes/settling.js';
import { failCountsIn, failuresIn } from './failures.js';
import { safetyNotes } from './safety-notes.js';
import type { NodeDto, RunningTransitionDto, StatusDto } from './status.dto.js';

/** For so long one computation serves everybody who asks at the same version, ms; rules and time-outs may change the picture without any event. */
const FRESH_MS = 5_000;
/** Clusters whose newest picture is kept. */
const KEPT = 64;

interface Picture {
  readonly version: number;
  readonly at: number;
  readonly schedule: Promise<Schedule>;
}

/** How a cluster is at the moment: roles and places of resources as the scheduler itself sees them in the history. */
@Injectable()
export class StatusView {
  readonly #pictures = new Map<string, Picture>();

  constructor(
    private readonly states: ClusterStates,
    private readonly leases: NodeLeases,
    private readonly preview: SchedulePreview,
  ) {}

  async status(clusterId: string): Promise<StatusDto> {
    const state = await this.states.load(clusterId);
    const [schedule, leases] = await Promise.all([this.#schedule(clusterId, state), this.leases.ofCluster(clusterId)]);
    const { name, version, quorum, cib, recompute } = state;
    const hold = recompute === undefined ? undefined : planningHold(state, Date.now());
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

  async nodes(clusterId: string): Promise<{ readonly version: number; readonly nodes: readonly NodeDto[] }> {
    const state = await this.states.load(clusterId);
    const [schedule, leases] = await Promise.all([this.#schedule(clusterId, state), this.leases.ofCluster(clusterId)]);
    return { version: state.version, nodes: nodesOf(state, schedule, leases) };
  }

  #schedule(clusterId: string, { version, cib }: ClusterState): Promise<Schedule> {
    const now = Date.now();
    const known = this.#pictures.get(clusterId);
    if (known?.version === version && now - known.at < FRESH_MS) return known.schedule;
    const picture: Picture = { version, at: now, schedule: this.preview.schedule(cib, Math.floor(now / 1_000)) };
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
  const results = Object.values(transition.results);
  const failed = results.filter(({ ok }) => !ok).length;
  return { transition: { number, status, ...(abortReason === undefined ? {} : { abortReason }), ended: results.length, failed } };
}

/** Every node that is configured, that an agent joined for, or that the scheduler knows; configured ones first. */
function nodesOf(state: ClusterState, schedule: Schedule, leases: readonly NodeLease[]): readonly NodeDto[] {
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
