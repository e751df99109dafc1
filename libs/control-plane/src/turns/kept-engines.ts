import {
  epochOf,
  newsFor,
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
  /** It was not compared with the tables for a while: whether what it has handed out is still there. To be told of ({@link KeptEngines.compared}). */
  readonly toCompare: boolean;
}

/** An engine is compared with the tables after so long, ms: whoever emptied them is found out then. */
const COMPARED_EVERY_MS = 5_000;
/** The clock that turns go by may differ by so much from the monotonic one since an engine was made, ms: by that clock it knows what runs out when. */
const MOST_STEP_MS = 1_000;

/** What the engines of all clusters have to do at a moment. */
export interface EnginesLoad {
  /** Actions of agents. */
  readonly inFlight: number;
  /** Wait for nothing but a limit on how many go on at once. */
  readonly waiting: number;
  /** Nodes that are to be fenced or unfenced: those that somebody is at, and those for which nothing can be tried at the moment, or at all. */
  readonly fencing: number;
}

/** What an engine was left in. */
interface Kept {
  readonly epoch: string;
  readonly transition: number;
  /** As they were: what it has in flight on a node is unanswered once that has left. */
  readonly nodes: ClusterState['nodes'];
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
  /** Those that were kept last, also while a turn has them: what they have to do is asked for at any time. */
  private readonly last = new Map<string, Engine>();
  /** When each cluster's was made from the tables, by both clocks, and when it was last compared with them, by the monotonic one. */
  private readonly made = new Map<string, { readonly at: number; readonly now: number; readonly compared: number }>();

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
    const made = this.made.get(clusterId);
    const monotonic = this.clock.monotonic();
    const standsStill = made !== undefined && Math.abs(at.now - made.now - (monotonic - made.at)) <= MOST_STEP_MS;
    if (kept !== undefined && standsStill && isOf(kept, epochOf(at.state, clusterId), at)) {
      const news = newsFor(kept.engine, { ...at.state, transition: at.transition }, kept.reports, at.now);
      if (news !== undefined) return { engine: kept.engine, news, toCompare: monotonic - made.compared >= COMPARED_EVERY_MS };
    }
    this.made.set(clusterId, { at: monotonic, now: at.now, compared: monotonic });
    return undefined;
  }

  /** The engine that was taken was compared with the tables just now. `stands`: what it has handed out is there; otherwise one has to be made, and this process then does so. */
  compared(clusterId: string, stands: boolean, now: number): void {
    const made = this.made.get(clusterId);
    const at = this.clock.monotonic();
    this.made.set(clusterId, stands && made !== undefined ? { ...made, compared: at } : { at, now, compared: at });
  }

  /** @returns in how many ms it is to be compared with the tables, undefined where it is not kept */
  keep(
    clusterId: string,
    { state, transition, engine }: { readonly state: ClusterState; readonly transition: TransitionState; readonly engine: Engine },
  ): number | undefined {
    const made = this.made.get(clusterId);
    if (made === undefined || (engine.status !== 'running' && engine.status !== 'aborting')) return undefined;
    this.kept.set(clusterId, {
      epoch: epochOf(state, clusterId),
      transition: transition.number,
      nodes: state.nodes,
      reports: transition.results.length,
      engine,
    });
    this.last.set(clusterId, engine);
    return Math.max(0, made.compared + COMPARED_EVERY_MS - this.clock.monotonic());
  }

  /** Costs what there are clusters in which a transition runs, and their nodes. */
  get load(): EnginesLoad {
    let inFlight = 0;
    let waiting = 0;
    let fencing = 0;
    for (const engine of this.last.values()) {
      inFlight += engine.inFlightAtAgents;
      waiting += engine.waitingForRoom;
      fencing += engine.performing.filter(({ event }) => event.type === 'fence').length;
    }
    return { inFlight, waiting, fencing };
  }

  /** Of one that is gone, or of all. */
  forget(clusterId?: string): void {
    if (clusterId === undefined) {
      this.kept.clear();
      this.made.clear();
      this.last.clear();
    } else {
      this.kept.delete(clusterId);
      this.made.delete(clusterId);
      this.last.delete(clusterId);
    }
  }
}

function isOf(
  { epoch, transition: number, nodes, engine }: Kept,
  presentEpoch: string,
  { state, transition, graph, limits }: Parameters<KeptEngines['take']>[1],
): boolean {
  const same = epoch === presentEpoch && number === transition.number && engine.graph === graph && nodes === state.nodes;
  return same && sameLimits(engine.limits, limits);
}
