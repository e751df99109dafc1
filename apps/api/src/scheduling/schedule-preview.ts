import { Injectable } from '@nestjs/common';
import type { XmlElement } from '@systole/cib';
import type { ClusterState } from '@systole/cluster';
import type { Caller } from '../computing/caller.js';
import { ComputingLanes } from '../computing/computing-lanes.js';
import type { ActionResult, BareSchedule, CibText, Picture } from '../computing/task.js';
import type { ExplanationSelection, ExplanationView, UnknownName } from '../explanation/explanation-view.js';
import { HttpProblem } from '../http/problem.js';
import { DocumentTexts } from './document-texts.js';

/** Why a schedule is as it is. */
export interface Explained {
  /** Of its graph, as TransitionPlanned records it. */
  readonly digest: string;
  readonly explanation: ExplanationView;
}

/** Never aborts: everybody who asks for the present status gets the same one, so that one who goes ends it for nobody. */
const STAYS = new AbortController().signal;

/**
 * Runs the scheduler for dry runs, simulations, status and explanations. `now` is in epoch seconds. All throw HttpProblem: what a lane's `compute` throws.
 */
@Injectable()
export class SchedulePreview {
  constructor(
    private readonly lanes: ComputingLanes,
    private readonly texts: DocumentTexts,
  ) {}

  /** Of a cluster as it is at present; waits for nothing that anybody only tries. */
  present(clusterId: string, cib: XmlElement, now: number): Promise<Picture> {
    return this.lanes.status.compute({ owner: clusterId, gone: STAYS }, () => ({ kind: 'picture', cib: this.#textOf(cib), now }));
  }

  /** Of a cluster as it was. */
  past(cib: XmlElement, now: number, caller: Caller): Promise<Picture> {
    return this.lanes.trials.compute(caller, () => ({ kind: 'picture', cib: this.#textOf(cib), now }));
  }

  /** What would follow; without scores. */
  schedule(cib: XmlElement, now: number, caller: Caller): Promise<BareSchedule> {
    return this.lanes.trials.compute(caller, () => ({ kind: 'schedule', cib: this.#textOf(cib), now }));
  }

  /**
   * The schedule with its scores and the explanation that was asked for, as the JSON text of an answer.
   *
   * @throws {HttpProblem} also 404, when a resource or node is asked about that is not there, naming what may have been meant
   */
  async answer(cib: CibText, now: number, caller: Caller, explain?: ExplanationSelection): Promise<Buffer> {
    const answer = await this.lanes.trials.compute(caller, () => ({
      kind: 'answer',
      cib,
      now,
      ...(explain === undefined ? {} : { explain }),
    }));
    if ('unknown' in answer) throw unknownName(answer.unknown);
    const { buffer, byteOffset, byteLength } = answer.text;
    return Buffer.from(buffer, byteOffset, byteLength);
  }

  /** @throws {HttpProblem} also 404, as `answer` */
  async explain(cib: XmlElement, now: number, caller: Caller, explain: ExplanationSelection): Promise<Explained> {
    const { digest, explanation } = await this.lanes.trials.compute(caller, () => ({
      kind: 'explain',
      cib: this.#textOf(cib),
      now,
      explain,
    }));
    if ('unknown' in explanation) throw unknownName(explanation.unknown);
    return { digest, explanation: explanation.view };
  }

  /** The digest of the graph, as TransitionPlanned records it. */
  digest(cib: XmlElement, now: number, caller: Caller): Promise<string> {
    return this.lanes.trials.compute(caller, () => ({ kind: 'digest', cib: this.#textOf(cib), now }));
  }

  /** The graph in the dot language. */
  dot(cib: XmlElement, now: number, caller: Caller): Promise<string> {
    return this.lanes.trials.compute(caller, () => ({ kind: 'dot', cib: this.#textOf(cib), now }));
  }

  /** What came of each action of a stored graph. @param graph JSON text */
  results(graph: string, transition: NonNullable<ClusterState['transition']>, caller: Caller): Promise<readonly ActionResult[]> {
    return this.lanes.trials.compute(caller, () => ({ kind: 'results', graph, transition }));
  }

  #textOf(cib: XmlElement): CibText {
    return { format: 'xml', text: this.texts.xml(cib) };
  }
}

function unknownName({ what, name, near }: UnknownName): HttpProblem {
  const hint = near.length === 0 ? '' : `: did you mean ${near.join(' or ')}?`;
  const detail = `there is no ${what} ${name.slice(0, 80)}${hint}`;
  return new HttpProblem(404, `${what}-not-found`, detail, { errors: [{ parameter: what, detail }] });
}
