import { Injectable } from '@nestjs/common';
import { partOf, type ClusterState } from '@systole/cluster';
import type { Caller } from '../computing/caller.js';
import { HttpProblem } from '../http/problem.js';
import { SchedulePreview } from '../scheduling/schedule-preview.js';
import type { PlannedActionDto, ScheduleDto } from '../scheduling/schedule.dto.js';

/** A change that is weighed before it is made. */
export interface Weighed {
  readonly clusterId: string;
  readonly before: ClusterState;
  readonly after: ClusterState;
  /** Epoch seconds. */
  readonly now: number;
}

/** What takes a service away from where it is. */
const HURTS: ReadonlySet<string> = new Set(['stop', 'demote', 'migrate_to', 'migrate']);

/** Refuses changes that would do something to resources that they are not about, by the schedules without and with them. */
@Injectable()
export class OthersAffected {
  constructor(private readonly preview: SchedulePreview) {}

  /**
   * @param only the resource that may be stopped, with all in it
   * @throws {HttpProblem} 409 `others-affected`, naming what would be stopped, moved or demoted and would not be otherwise
   */
  async refuse({ clusterId, before, after, now }: Weighed, only: string, caller: Caller): Promise<void> {
    const isMeant = partOf(before, only);
    const without = await this.#actions({ clusterId, cib: before.cib, now }, caller);
    const withIt = await this.#actions({ clusterId, cib: after.cib, now }, caller);
    const others = [...withIt].filter(
      ([resource, actions]) => !isMeant(resource) && actions.some(isHurt) && tell(actions) !== tell(without.get(resource)),
    );
    if (others.length === 0) return;
    const details = others.map(([resource, actions]) => `${resource}: ${tell(actions)}`);
    const detail = `this would not only stop ${only}, and nothing was done: ${details.join(', ')}. Leave safe out to do it all the same`;
    throw new HttpProblem(409, 'others-affected', detail, { errors: details.map((one) => ({ detail: one })) });
  }

  /** By resource, in their order. */
  async #actions(
    of: Parameters<SchedulePreview['schedule']>[0],
    caller: Caller,
  ): Promise<ReadonlyMap<string, readonly PlannedActionDto[]>> {
    const { schedule } = await this.preview.scheduleAndGraph(of, caller);
    const { actions } = schedule.toJSON() as ScheduleDto;
    const found = new Map<string, PlannedActionDto[]>();
    for (const action of actions) found.set(action.resource, [...(found.get(action.resource) ?? []), action]);
    return found;
  }
}

function isHurt({ operation }: PlannedActionDto): boolean {
  return HURTS.has(operation);
}

function tell(actions: readonly PlannedActionDto[] = []): string {
  return actions.map(({ operation, node }) => `${operation} on ${node}`).join(', ');
}
