import { Injectable } from '@nestjs/common';
import type { XmlElement } from '@systole/cib';
import type { ClusterState } from '@systole/cluster';
import type { Failure, Loss, MonitorFacts, MonitorSelection } from '@systole/simulator';
import type { Caller } from '../computing/caller.js';
import { ComputingLanes } from '../computing/computing-lanes.js';
import type {
  ActionResult,
  CibText,
  LossWithReasons,
  Picture,
  ScheduleTask,
  Task,
  TaskResults,
  ToldCib,
  WhatIfTask,
  WhatIfText,
} from '../computing/task.js';
import type { ExplanationSelection, ExplanationView, UnknownName } from './explanation-view.js';
import { HttpProblem } from '../http/problem.js';
import { RawJson } from '../http/raw-json.js';

/** Why a schedule is as it is. */
export interface Explained {
  /** Of its graph, as TransitionPlanned records it. */
  readonly digest: string;
  readonly explanation: ExplanationView;
}

/** What of an assumption can't be. */
export type Impossible = Extract<WhatIfText, { readonly impossible: readonly string[] }>;

/** What the scheduler is run on. */
export interface Scheduled {
  readonly clusterId: string;
  readonly cib: XmlElement;
  /** Effective time, epoch seconds. */
  readonly now: number;
}

/** Never aborts: everybody who asks for the present status gets the same one, so that one who goes ends it for nobody. */
const STAYS = new AbortController().signal;

/**
 * Runs the scheduler for dry runs, simulations, status and explanations. `now` is in epoch seconds. All throw HttpProblem: what a lane's `compute` throws.
 */
@Injectable()
export class SchedulePreview {
  constructor(private readonly lanes: ComputingLanes) {}

  /** Of a cluster as it is at present; waits for nothing that anybody only tries. */
  present(clusterId: string, cib: XmlElement, now: number): Promise<Picture> {
    return this.#present({ clusterId, cib }, (told) => ({
      kind: 'picture',
      cib: told,
      now,
    }));
  }

  /** How a cluster is at present, as `crm_mon` tells it in XML. */
  presentMonitor(clusterId: string, cib: XmlElement, now: number, facts: MonitorFacts): Promise<string> {
    return this.#present({ clusterId, cib }, (told) => ({
      kind: 'monitor',
      ...{ cib: told, now, facts, selection: {} },
    }));
  }

  /** Of a cluster as it was. */
  past(of: Scheduled, caller: Caller): Promise<Picture> {
    return this.#trial(of, caller, (planning) => ({ kind: 'picture', ...planning }));
  }

  /** The same of a part of it, or as it was. */
  async monitor(of: Scheduled, caller: Caller, facts: MonitorFacts, selection: MonitorSelection): Promise<string> {
    return this.#trial(of, caller, (planning) => ({ kind: 'monitor', ...planning, facts, selection }));
  }

  /** What would follow, as JSON text; without scores. @param forgotten is probed first */
  async schedule(of: Scheduled, caller: Caller, forgotten: ScheduleTask['forgotten'] = []): Promise<RawJson> {
    const { text } = await this.#trial(of, caller, (planning) => ({ kind: 'schedule', ...planning, graph: 'within', forgotten }));
    return new RawJson(text);
  }

  /** The same in two parts. */
  async scheduleAndGraph(of: Scheduled, caller: Caller): Promise<{ readonly schedule: RawJson; readonly graph: RawJson }> {
    const { text, graph } = await this.#trial(of, caller, (planning) => ({
      kind: 'schedule',
      ...planning,
      graph: 'apart',
      forgotten: [],
    }));
    return { schedule: new RawJson(text), graph: new RawJson(graph ?? new Uint8Array()) };
  }

  /**
   * Of a document that belongs to no cluster: the schedule with its scores and the explanation that was asked for, as the JSON text of an answer.
   *
   * @throws {HttpProblem} also 404, when a resource or node is asked about that is not there, naming what may have been meant
   */
  async answer(cib: CibText, now: number, caller: Caller, explain?: ExplanationSelection): Promise<RawJson> {
    const answer = await this.lanes.documents.compute(caller, () => ({
      kind: 'answer',
      cib,
      now,
      ...(explain === undefined ? {} : { explain }),
    }));
    if ('unknown' in answer) throw unknownName(answer.unknown);
    return new RawJson(answer.text);
  }

  /** @throws {HttpProblem} also 404, as `answer` */
  async explain(of: Scheduled, caller: Caller, explain: ExplanationSelection): Promise<Explained> {
    const { digest, explanation } = await this.#trial(of, caller, (planning) => ({ kind: 'explain', ...planning, explain }));
    if ('unknown' in explanation) throw unknownName(explanation.unknown);
    return { digest, explanation: explanation.view };
  }

  /** The digest of the graph, as TransitionPlanned records it. */
  digest(of: Scheduled, caller: Caller): Promise<string> {
    return this.#trial(of, caller, (planning) => ({ kind: 'digest', ...planning }));
  }

  /** What would become of the cluster to which something happens, as JSON text; or what of that can't be. */
  async whatIf(of: Scheduled, caller: Caller, assumed: WhatIfTask['assumed']): Promise<RawJson | Impossible> {
    const answer = await this.#trial(of, caller, (planning) => ({ kind: 'what-if', ...planning, assumed }));
    return 'impossible' in answer ? answer : new RawJson(answer.text);
  }

  /** What would become of the cluster that loses nodes, or a resource of which fails. */
  loss(of: Scheduled, caller: Caller, loss: Loss | Failure): Promise<LossWithReasons> {
    return this.#trial(of, caller, (planning) => ({ kind: 'loss', ...planning, loss }));
  }

  /** The graph in the dot language. */
  dot(of: Scheduled, caller: Caller): Promise<string> {
    return this.#trial(of, caller, (planning) => ({ kind: 'dot', ...planning }));
  }

  /** What came of each action of a stored graph. @param graph JSON in UTF-8 */
  results(graph: Uint8Array, transition: NonNullable<ClusterState['transition']>, caller: Caller): Promise<readonly ActionResult[]> {
    return this.lanes.trials.compute(caller, () => ({ kind: 'results', graph, transition }));
  }

  #trial<T extends Task>(
    { clusterId, cib, now }: Scheduled,
    caller: Caller,
    task: (planning: { readonly cib: ToldCib; readonly now: number }) => T,
  ): Promise<TaskResults[T['kind']]> {
    const made = task({ cib: { format: 'told', key: clusterId }, now });
    return this.lanes.trials.compute(caller, () => made, { key: clusterId, tree: cib, what: made.kind });
  }

  /** Whichever form of it is asked for: the same has to be computed for each. */
  #present<T extends Task>(
    { clusterId, cib }: Pick<Scheduled, 'clusterId' | 'cib'>,
    task: (told: ToldCib) => T,
  ): Promise<TaskResults[T['kind']]> {
    const caller = { owner: clusterId, gone: STAYS };
    return this.lanes.status.compute(caller, () => task({ format: 'told', key: clusterId }), {
      key: clusterId,
      tree: cib,
      what: 'present',
    });
  }
}

function unknownName({ what, name, near }: UnknownName): HttpProblem {
  const hint = near.length === 0 ? '' : `: did you mean ${near.join(' or ')}?`;
  const detail = `there is no ${what} ${name.slice(0, 80)}${hint}`;
  return new HttpProblem(404, `${what}-not-found`, detail, { errors: [{ parameter: what, detail }] });
}
