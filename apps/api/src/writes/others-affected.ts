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

/** What a change may do. */
export interface SafeChange {
  /** Ids of the resources that it is about, each with all in it. */
  readonly only: readonly string[];
  /** Others may be moved, as long as they are started elsewhere, and as what they were. */
  readonly othersMayMove: boolean;
}

/** What takes a service away from where it is. */
const HURTS: ReadonlySet<string> = new Set(['stop', 'demote', 'migrate_to', 'migrate']);

/** Refuses changes that would do something to resources that they are not about, by the schedules without and with them. */
@Injectable()
export class OthersAffected {
  constructor(private readonly preview: SchedulePreview) {}

  /**
   * @throws {HttpProblem} 409 `others-affected`, naming what would be stopped, moved or demoted and would not be otherwise
   */
  async refuse({ clusterId, before, after, now }: Weighed, { only, othersMayMove }: SafeChange, caller: Caller): Promise<void> {
    const meant = only.map((id) => partOf(before, id));
    const isMeant = (resource: string): boolean => meant.some((isPart) => isPart(resource));
    const without = await this.#actions({ clusterId, cib: before.cib, now }, caller);
    const withIt = await this.#actions({ clusterId, cib: after.cib, now }, caller);
    const others = [...withIt].filter(
      ([resource, actions]) =>
        !isMeant(resource) &&
        actions.some(isHurt) &&
        !(othersMayMove && isMovedOnly(actions)) &&
        tell(actions) !== tell(without.get(resource)),
    );
    if (others.length === 0) return;
    const errors = others.map(([resource, actions]) => ({
      detail: `${resource}: ${tell(actions)}`,
      about: { kind: 'resource', id: resource },
    }));
    const detail = `this would not only be about ${only.join(', ')}, and nothing was done: ${errors.map((error) => error.detail).join(', ')}. Leave safe out to do it all the same`;
    throw new HttpProblem(409, 'others-affected', detail, { errors });
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

/** Whether what is taken down comes up again elsewhere, as what it was. */
function isMovedOnly(actions: readonly PlannedActionDto[]): boolean {
  const count = (...operations: readonly string[]): number => actions.filter(({ operation }) => operations.includes(operation)).length;
  return count('demote') <= count('promote') && count('stop') <= count('start');
}

function tell(actions: readonly PlannedActionDto[] = []): string {
  return actions.map(({ operation, node }) => `${operation} on ${node}`).join(', ');
}
