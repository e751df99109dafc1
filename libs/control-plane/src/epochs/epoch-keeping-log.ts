import { decide, type ClusterState, type LogHead } from '@systole/cluster';
import type { Chance } from '../ports/clock.js';
import {
  LogWentBack,
  type Append,
  type Appended,
  type AppendOutcome,
  type ClusterHead,
  type ClusterLog,
  type HeldOutcome,
  type StateAtHead,
} from '../ports/cluster-log.js';
import type { Delivery } from '../ports/dispatches.js';
import type { Report } from '../ports/report.js';

/** Other processes find the same at the same moment: each tries until one has said so. */
const ATTEMPTS = 20;
/** Later than any version: `loadAt` then gives what the log holds at present, and holds nothing against it. */
const NEWEST = Number.MAX_SAFE_INTEGER;

export interface EpochKeepingLogParts {
  /** The log whose loads throw {@link LogWentBack}. */
  readonly log: ClusterLog;
  readonly chance: Chance;
  readonly report: Pick<Report, 'warn'>;
  /** What this process is: `api` or `worker`. */
  readonly by: string;
}

/**
 * A log that begins a new epoch of itself as soon as this process finds that it went back in time, before anybody is given a state of it: whatever is decided
 * from then on knows that nothing is known of the nodes.
 */
export class EpochKeepingLog implements ClusterLog {
  constructor(private readonly parts: EpochKeepingLogParts) {}

  load(clusterId: string): Promise<ClusterState> {
    return this.inPresentEpoch(clusterId, () => this.parts.log.load(clusterId));
  }

  loadHead(clusterId: string): Promise<StateAtHead> {
    return this.inPresentEpoch(clusterId, () => this.parts.log.loadHead(clusterId));
  }

  loadRecent(clusterId: string, withinMs: number): Promise<StateAtHead> {
    return this.inPresentEpoch(clusterId, () => this.parts.log.loadRecent(clusterId, withinMs));
  }

  loadAt(clusterId: string, version: number): Promise<ClusterState> {
    return this.parts.log.loadAt(clusterId, version);
  }

  hashAt(clusterId: string, version: number): Promise<string | undefined> {
    return this.parts.log.hashAt(clusterId, version);
  }

  append(append: Append): Promise<AppendOutcome> {
    return this.parts.log.append(append);
  }

  /** A new epoch begins when the stream was let go of: its event would wait for the hold. */
  appendHolding(...asked: Parameters<ClusterLog['appendHolding']>): Promise<HeldOutcome> {
    return this.inPresentEpoch(asked[0], () => this.parts.log.appendHolding(...asked));
  }

  deliver(clusterId: string, decide: Parameters<ClusterLog['deliver']>[1]): Promise<readonly Delivery[]> {
    return this.inPresentEpoch(clusterId, () => this.parts.log.deliver(clusterId, decide));
  }

  appendedBy(clusterId: string, causationId: string, firstVersion: number): Promise<Appended | undefined> {
    return this.parts.log.appendedBy(clusterId, causationId, firstVersion);
  }

  causedBy(clusterId: string, causationId: string, fromVersion: number): Promise<Appended | undefined> {
    return this.parts.log.causedBy(clusterId, causationId, fromVersion);
  }

  heads(): Promise<readonly ClusterHead[]> {
    return this.parts.log.heads();
  }

  private async inPresentEpoch<T>(clusterId: string, load: () => Promise<T>): Promise<T> {
    try {
      return await load();
    } catch (error) {
      if (!(error instanceof LogWentBack)) throw error;
      this.parts.report.warn({ clusterId, witness: error.witness }, 'the event log went back in time; all nodes have to join anew');
      await this.begin(clusterId, error.witness);
      return load();
    }
  }

  private async begin(clusterId: string, witness: LogHead): Promise<void> {
    const { log, chance, by } = this.parts;
    const reason = `the ${by} had read or stored version ${String(witness.version)}, which the log does not hold any more`;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const state = await log.loadAt(clusterId, NEWEST);
      // What this process read or stored itself is no word of anybody's.
      const decision = decide({ type: 'begin-epoch', clusterId, epoch: chance.uuid(), reason, witness, by, proven: true }, state);
      if (!decision.ok || decision.events.length === 0) return;
      const outcome = await log.append({
        clusterId,
        expectedVersion: state.version,
        parts: [
          {
            events: decision.events,
            meta: { actor: by, command: 'begin-epoch', correlationId: chance.uuid(), causationId: chance.uuid() },
            within: ({ leases }) => leases.endAll(clusterId),
          },
        ],
      });
      if (outcome.type === 'appended') return;
    }
  }
}
