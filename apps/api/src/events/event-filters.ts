import type { ClusterState } from '@systole/cluster';
import type { EventFilter } from '@systole/event-store';
import type { EventFilterQuery } from './events.dto.js';
import { periodOf } from '../http/moments.js';
import { subjectFilterIn } from './subject-filters.js';

/**
 * What a request asks of events.
 *
 * @param state of the cluster, in which subjects stand
 * @param now epoch ms
 * @throws {HttpProblem} 400
 */
export function eventFilter(query: EventFilterQuery, state: Pick<ClusterState, 'cib'>, now: number): EventFilter {
  const { type, subject, actor, command, correlation, text, from, to } = query;
  const period = periodOf(query, now);
  const earliest = latestOf(from, period.from);
  const end = earliestOf(to, period.to);
  return {
    ...(type === undefined ? {} : { types: type }),
    ...(subject === undefined ? {} : { subjects: subject.map((one) => subjectFilterIn(one, state)) }),
    ...(actor === undefined ? {} : { actor }),
    ...(command === undefined ? {} : { command }),
    ...(correlation === undefined ? {} : { correlationId: correlation }),
    ...(text === undefined ? {} : { words: text }),
    ...(earliest === undefined ? {} : { from: earliest }),
    ...(end === undefined ? {} : { to: end }),
  };
}

function latestOf(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Date.parse(one) > Date.parse(other) ? one : other;
}

function earliestOf(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Date.parse(one) < Date.parse(other) ? one : other;
}
