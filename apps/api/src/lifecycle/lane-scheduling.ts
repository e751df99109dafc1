import type { XmlElement } from '@systole/cib';
import type { PlannedSchedule, Scheduling } from '@systole/control-plane';
import { NoSpareTime } from '@systole/control-plane-postgres';
import { SCHEDULER_VERSION, type TransitionGraph } from '@systole/scheduler';
import type { ComputingLane } from '../computing/computing-lane.js';
import { HttpProblem } from '../http/problem.js';

/** As owner of what is computed: no token's. */
const OWNER = 'rehearsal';

/** Plans in a computing thread, for the rehearsal of an api: no api plans for its clusters. Of the plan only the graph is right; nothing else of it is looked at there. */
export class LaneScheduling implements Scheduling {
  readonly version = SCHEDULER_VERSION;
  private readonly gone = new AbortController();

  /** @param pictures asked how the cluster stands besides; none: nobody is */
  constructor(
    private readonly plans: ComputingLane,
    private readonly pictures?: ComputingLane,
  ) {}

  /** @throws {NoSpareTime} when the threads have something to do, or end */
  async schedule(clusterId: string, cib: XmlElement, now: number): Promise<PlannedSchedule> {
    const caller = { owner: OWNER, gone: this.gone.signal };
    const tell = { key: clusterId, tree: cib };
    const planning = { cib: { format: 'told', key: clusterId }, now } as const;
    const [{ graph }] = await Promise.all([
      this.plans.compute(caller, () => ({ kind: 'schedule', graph: 'apart', forgotten: [], ...planning }), tell),
      this.pictures?.compute(caller, () => ({ kind: 'picture', ...planning }), tell),
    ]).catch((error: unknown) => {
      throw error instanceof HttpProblem ? new NoSpareTime(error.message) : error;
    });
    const stored = graph ?? new Uint8Array();
    const read = await this.graphFrom(stored);
    const counts = { actions: read.synapses.length, pseudo: 0, fencing: 0 };
    return { graph: read, digest: OWNER, stored: Promise.resolve(stored), counts, active: 0, summary: [], schedulerMs: 0 };
  }

  graphFrom(stored: Uint8Array): Promise<TransitionGraph> {
    return Promise.resolve(JSON.parse(new TextDecoder().decode(stored)) as TransitionGraph);
  }
}
