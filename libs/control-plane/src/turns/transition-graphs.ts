import type { PlannedTransition, TransitionGraph } from '@systole/cluster';
import type { ClusterLog } from '../ports/cluster-log.js';
import type { Report } from '../ports/report.js';
import type { PlannedSchedule, Scheduling } from '../ports/scheduling.js';
import type { StoredGraphs } from '../ports/transition-graphs.js';
import type { ClusterAtTurn } from './cluster-at-turn.js';

/** What a synapse takes in memory, about, bytes. */
const SYNAPSE_BYTES = 400;
/** What the graphs that are kept may take together, with the engines that run them, bytes: those of half a million actions. The newest is kept however large it is. */
const MOST_BYTES = 192 * 1024 * 1024;

type Plan = Pick<PlannedTransition, 'number' | 'digest'>;

/** The graphs of running transitions: as they were planned here, from the table, or computed again from the stream version that they were planned from. */
export class TransitionGraphs {
  /** By cluster; those that were asked for last stand last. */
  private readonly kept = new Map<string, { readonly digest: string; readonly graph: TransitionGraph }>();
  /** The transitions that were planned here, by cluster, as long as nobody asked whether anything of them can be handed out already. */
  private readonly planned = new Map<string, Plan>();
  /** Digests of running transitions whose graphs are not to be had, by cluster. */
  private readonly lost = new Map<string, string>();
  private keptBytes = 0;
  /** Graphs are stored one after the other: nobody waits for it, and it takes a connection. */
  private storing: Promise<void> = Promise.resolve();

  constructor(
    private readonly stored: StoredGraphs,
    private readonly log: Pick<ClusterLog, 'loadAt'>,
    private readonly scheduling: Scheduling,
    private readonly report: Report,
    /** Told of each cluster whose graph is not kept any more. */
    private readonly forgotten: (clusterId: string) => void = () => undefined,
    readonly mostBytes = MOST_BYTES,
  ) {}

  /** What is kept takes in memory, about. */
  get bytes(): number {
    return this.keptBytes;
  }

  /** Undefined when what was stored is lost and this version of the scheduler does not come to the same graph. */
  async of({ clusterId }: Pick<ClusterAtTurn, 'clusterId'>, plan: PlannedTransition): Promise<TransitionGraph | undefined> {
    const known = this.kept.get(clusterId);
    if (known?.digest === plan.digest) {
      this.kept.delete(clusterId);
      this.kept.set(clusterId, known);
      return known.graph;
    }
    if (this.lost.get(clusterId) === plan.digest) return undefined;
    const stored = await this.fromTable(clusterId, plan);
    if (stored) return this.remember(clusterId, plan.digest, stored);
    this.report.info({ clusterId, transition: plan.number }, 'computing a lost transition graph again');
    const { cib } = await this.log.loadAt(clusterId, plan.inputVersion);
    const planned = await this.scheduling.schedule(clusterId, cib, plan.now);
    if (planned.digest !== plan.digest) {
      this.report.warn(
        { clusterId, transition: plan.number, planned: plan.digest, now: planned.digest },
        'the graph has changed its digest',
      );
      // It would come to the same with each turn.
      this.lost.set(clusterId, plan.digest);
      return undefined;
    }
    this.keep(clusterId, plan.number, planned);
    return planned.graph;
  }

  /** Keeps the graph of a transition that this process has just appended, and has it stored. */
  begin(clusterId: string, number: number, planned: PlannedSchedule): void {
    this.keep(clusterId, number, planned);
    this.planned.set(clusterId, { number, digest: planned.digest });
  }

  /**
   * Whether a transition was appended by this process and this is asked for the first time: nothing of it was handed out by anybody, but for a process that took the cluster over since, which hands
   * out the same.
   */
  isNew(clusterId: string, { number, digest }: Plan): boolean {
    const planned = this.planned.get(clusterId);
    this.planned.delete(clusterId);
    return planned?.number === number && planned.digest === digest;
  }

  /** Keeps the graph of a transition that stands in the log, and has it stored. Should that be lost with this process, the graph is computed again. */
  private keep(clusterId: string, number: number, planned: PlannedSchedule): void {
    this.remember(clusterId, planned.digest, planned.graph);
    this.storing = this.storing.then(() => this.store(clusterId, { number, digest: planned.digest }, planned.stored));
  }

  private async fromTable(clusterId: string, plan: Plan): Promise<TransitionGraph | undefined> {
    const stored = await this.stored.graphOf(clusterId, plan);
    if (stored === undefined) return undefined;
    try {
      return await this.scheduling.graphFrom(stored);
    } catch (error) {
      this.report.warn({ err: error, clusterId, transition: plan.number }, 'a stored transition graph can not be read');
      return undefined;
    }
  }

  private async store(clusterId: string, plan: Plan, graph: Promise<Uint8Array>): Promise<void> {
    try {
      await this.stored.store(clusterId, plan, await graph);
    } catch (error) {
      this.report.info({ err: error, clusterId, transition: plan.number }, 'a transition graph was not stored; it can be computed again');
    }
  }

  private remember(clusterId: string, digest: string, graph: TransitionGraph): TransitionGraph {
    this.forget(clusterId);
    this.kept.set(clusterId, { digest, graph });
    this.keptBytes += bytesOf(graph);
    for (const oldest of this.kept.keys()) {
      if (this.keptBytes <= this.mostBytes || oldest === clusterId) break;
      this.forget(oldest);
    }
    return graph;
  }

  /** Of a cluster whose transition has ended. */
  forget(clusterId: string): void {
    this.planned.delete(clusterId);
    this.lost.delete(clusterId);
    const known = this.kept.get(clusterId);
    if (known === undefined) return;
    this.kept.delete(clusterId);
    this.keptBytes -= bytesOf(known.graph);
    this.forgotten(clusterId);
  }
}

/** Also a graph without actions takes a little. */
function bytesOf({ synapses }: TransitionGraph): number {
  return (synapses.length + 1) * SYNAPSE_BYTES;
}
