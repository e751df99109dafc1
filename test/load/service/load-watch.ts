import type { AgentAction, AgentResult } from '@systole/protocol';
import type { AgentMessage, Reply } from './agent-connection.js';
import type { LoadCounts, TraceEntry } from './load-orders.js';
import type { AgentWatch, SimulatedAgent } from './simulated-agent.js';

/** How many complaints are kept in words. */
const KEPT = 100;

/** What a trace says of what is no operation of its own. */
export const NO_OPERATION = { resource: '', operation: '', intervalMs: 0, recurring: false, fencing: false } as const;

/** A time of this process's clock as epoch ms. */
export const epochMs = (at: number): number => performance.timeOrigin + at;

/** Counts what all agents do, and follows closely what it is asked to. */
export class LoadWatch implements AgentWatch {
  /** When an action arrived or a result was acknowledged last. */
  busyAt = performance.now();
  /** Ids of the results that the server said it has stored for good. */
  readonly acknowledgedIds = new Set<string>();
  /** What happens in a cluster, while somebody wants to know. */
  readonly traces = new Map<string, TraceEntry[]>();
  /** When results were reported that are not acknowledged yet, while somebody wants to know how long that takes. */
  private reportedAt: Map<string, number> | undefined;
  private acknowledgedAfter: number[] = [];
  /** When the monitor of a resource (`<cluster> <resource>`) failed whose stop has not arrived. */
  private readonly failedAt = new Map<string, number>();
  private stoppedAfter: number[] = [];
  private readonly counted = { received: 0, refused: 0, unanswered: 0, acknowledged: 0 };
  private firstReceivedAt: number | undefined;
  private lastAcknowledgedAt: number | undefined;
  private readonly refusals: string[] = [];
  private readonly unansweredBecause: string[] = [];

  /** @param onFenced a fence device in that cluster was told to fence a node */
  constructor(private readonly onFenced: (cluster: string, target: string) => void) {}

  received({ identity: { cluster, node } }: SimulatedAgent, { kind, resource, operation, intervalMs }: AgentAction, at: number): void {
    this.counted.received++;
    this.firstReceivedAt ??= epochMs(at);
    this.busyAt = at;
    this.note(cluster, {
      at: epochMs(at),
      what: 'received',
      node,
      resource: resource.id,
      operation,
      intervalMs,
      recurring: false,
      fencing: kind === 'fence',
    });
    const failedAt = operation === 'stop' ? this.failedAt.get(`${cluster} ${resource.id}`) : undefined;
    if (failedAt === undefined) return;
    this.failedAt.delete(`${cluster} ${resource.id}`);
    this.stoppedAfter.push(at - failedAt);
  }

  reported({ identity: { cluster, node } }: SimulatedAgent, result: AgentResult, at: number): void {
    const { resource, operation, intervalMs, recurring, fence } = result;
    this.reportedAt?.set(result.resultId, at);
    this.note(cluster, {
      at: epochMs(at),
      what: 'reported',
      node,
      resource: resource.id,
      operation,
      intervalMs,
      recurring,
      fencing: fence !== undefined,
      resultId: result.resultId,
    });
  }

  acknowledged({ identity: { cluster, node } }: SimulatedAgent, resultIds: readonly string[], at: number): void {
    this.counted.acknowledged += resultIds.length;
    for (const id of resultIds) {
      this.acknowledgedIds.add(id);
      this.note(cluster, { at: epochMs(at), what: 'acknowledged', node, ...NO_OPERATION, resultId: id });
      const reportedAt = this.reportedAt?.get(id);
      if (reportedAt === undefined) continue;
      this.reportedAt?.delete(id);
      this.acknowledgedAfter.push(at - reportedAt);
    }
    this.lastAcknowledgedAt = epochMs(at);
    this.busyAt = at;
  }

  refused({ identity: { node } }: SimulatedAgent, message: AgentMessage, { status, text }: Reply): void {
    this.counted.refused++;
    if (this.refusals.length < KEPT) this.refusals.push(`${message} of ${node}: ${status} ${text.slice(0, 300)}`);
  }

  unanswered({ identity: { node } }: SimulatedAgent, message: AgentMessage, why: string): void {
    this.counted.unanswered++;
    if (this.unansweredBecause.length < KEPT) this.unansweredBecause.push(`${message} of ${node}: ${why}`);
  }

  fenced({ identity: { cluster } }: SimulatedAgent, target: string): void {
    this.onFenced(cluster, target);
  }

  /** Something happened in a cluster that somebody may follow closely. */
  note(cluster: string, entry: TraceEntry): void {
    this.traces.get(cluster)?.push(entry);
  }

  /** From now on it is noted how long results take to be acknowledged. */
  timeAcknowledgements(): void {
    this.reportedAt = new Map();
    this.acknowledgedAfter = [];
  }

  /** How long that took, ms, of those that were acknowledged so far; and how many were not. */
  acknowledgements(): { readonly times: readonly number[]; readonly left: number } {
    return { times: this.acknowledgedAfter, left: this.reportedAt?.size ?? 0 };
  }

  /** A monitor failed at that time; its resource's stop is waited for. */
  failed(cluster: string, resource: string, at: number): void {
    this.failedAt.set(`${cluster} ${resource}`, at);
  }

  /** From such failures to the stops, ms; and how many stops have not arrived. Begins anew. */
  takeStops(): { readonly times: readonly number[]; readonly left: number } {
    const times = this.stoppedAfter;
    this.stoppedAfter = [];
    const left = this.failedAt.size;
    this.failedAt.clear();
    return { times, left };
  }

  get stopsLeft(): number {
    return this.failedAt.size;
  }

  counts(): LoadCounts {
    const { user, system } = process.cpuUsage();
    const { firstReceivedAt } = this;
    this.firstReceivedAt = undefined;
    return {
      ...this.counted,
      firstReceivedAt,
      lastAcknowledgedAt: this.lastAcknowledgedAt,
      refusals: this.refusals,
      unansweredBecause: this.unansweredBecause,
      cpuMs: (user + system) / 1_000,
    };
  }
}
