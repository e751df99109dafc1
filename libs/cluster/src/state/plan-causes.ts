import { isPerson } from '../events/actors.js';
import type { RecordedClusterEvent } from '../events/cluster-event.js';
import { MOST_ALSO_ANSWERED, type PlanCause, type Recompute } from './cluster-state.js';

/** What the next plan follows from, and answers besides, once one more event asked for it. What somebody asked for goes before what was found: the first of either. */
export function withCause(
  before: Recompute | undefined,
  { correlationId, actor }: Pick<RecordedClusterEvent, 'correlationId' | 'actor'>,
): Pick<Recompute, 'cause' | 'alsoAnswers'> {
  const cause: PlanCause = { correlationId, asked: isPerson(actor) };
  if (before === undefined) return { cause };
  const leads = cause.asked && !before.cause.asked;
  const [first, second] = leads ? [cause, before.cause] : [before.cause, cause];
  const others = new Set([...(before.alsoAnswers ?? []), second.correlationId]);
  others.delete(first.correlationId);
  return { cause: first, ...(others.size === 0 ? {} : { alsoAnswers: [...others].slice(0, MOST_ALSO_ANSWERED) }) };
}
