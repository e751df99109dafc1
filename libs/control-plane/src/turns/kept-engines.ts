import {
  epochOf,
  newsFor,
  relevantSince,
  sameLimits,
  type ClusterState,
  type Engine,
  type EngineInput,
  type EngineLimits,
  type TransitionGraph,
  type TransitionState,
} from '@systole/cluster';
import type { Clock } from '../ports/clock.js';

/** An engine, and what it has not been told yet. */
export interface KeptEngine {
  readonly engine: Engine;
  readonly news: readonly EngineInput[];
}

/** An engine is made anew from the tables after so long, ms: whoever emptied them, or set a clock, is found out then. */
const KEPT_FOR_MS = 5_000;
/** Making one takes at most this share of a worker's time. */
const MOST_SHARE = 0.02;

/** What an engine was left in. */
interface Kept {
  readonly epoch: string;
  readonly transition: number;
  readonly relevantSince: number;
  /** How many reports of the transition it knows. */
  readonly reports: number;
  readonly engine: Engine;
}

/**
 * The engines of running transitions, kept in memory from one turn to the next. One is given back only where it is certain to stand as one that is made from the stream and the tables would, once
 * it was told the results that came since (`newsFor`); what is kept may be thrown away at any point.
 */
export class KeptEngines {
  private readonly kept = new Map<string, Kept>();
  /** When each cluster's was last made from the tables, and how long that took. By the monotonic clock. */
  private readonly made = new Map<string, { readonly at: number; readonly tookMs: number }>();

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  /**
   * @param now epoch ms, by the clock that the turn goes by
   * @returns undefined where one has to be made; this process then does so
   */
  take(
    clusterId: string,
    at: {
      readonly state: ClusterState;
      readonly transition: TransitionState;
      readonly graph: TransitionGraph;
      readonly limits: EngineLimits;
      readonly now: number;
    },
  ): KeptEngine | undefined {
    const kept = this.kept.get(clusterId);
    // Whatever becomes of this turn: only one that went well leaves an engine behind.
    this.kept.delete(clusterId);
    if (kept !== undefined && !this.isOld(clusterId) && isOf(kept, epochOf(at.state, clusterId), at)) {
      const news = newsFor(kept.engine, at.transition, kept.reports, at.now);
      if (news !== undefined) return { engine: kept.engine, news };
    }
    this.made.set(clusterId, { at: this.clock.monotonic(), tookMs: 0 });
    return undefined;
  }

  /** @returns in how many ms it is to be made anew, undefined where it is not kept */
  keep(
    clusterId: string,
    { state, transition, engine }: { readonly state: ClusterState; readonly transition: TransitionState; readonly engine: Engine },
  ): number | undefined {
    const made = this.made.get(clusterId);
    if (made === undefined || engine.status !== 'running' || engine.performing > 0) return undefined;
    const now = this.clock.monotonic();
    if (made.tookMs === 0) this.made.set(clusterId, { at: made.at, tookMs: now - made.at });
    this.kept.set(clusterId, {
      epoch: epochOf(state, clusterId),
      transition: transition.number,
      relevantSince: relevantSince(state),
      reports: transition.results.length,
      engine,
    });
    return Math.max(0, made.at + this.keptForMs(clusterId) - now);
  }

  /** Of one that is gone, or of all. */
  forget(clusterId?: string): void {
    if (clusterId === undefined) {
      this.kept.clear();
      this.made.clear();
    } else {
      this.kept.delete(clusterId);
      this.made.delete(clusterId);
    }
  }

  private isOld(clusterId: string): boolean {
    const made = this.made.get(clusterId);
    return made === undefined || this.clock.monotonic() - made.at >= this.keptForMs(clusterId);
  }

  private keptForMs(clusterId: string): number {
    return Math.max(KEPT_FOR_MS, (this.made.get(clusterId)?.tookMs ?? 0) / MOST_SHARE);
  }
}

function isOf(
  { epoch, transition: number, relevantSince: since, engine }: Kept,
  presentEpoch: string,
  { state, transition, graph, limits }: Parameters<KeptEngines['take']>[1],
): boolean {
  const same = epoch === presentEpoch && number === transition.number && engine.graph === graph && since === relevantSince(state);
  return same && sameLimits(engine.limits, limits);
}
