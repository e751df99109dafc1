import type { components } from '@systole/api-client';
import { listing } from './columns.js';
import { moment } from './moment.js';
import type { Paint } from './paint.js';

type Transition = components['schemas']['TransitionDto'];
type TransitionDetail = components['schemas']['TransitionDetailDto'];

export function renderTransitions(transitions: readonly Transition[], paint: Paint): readonly string[] {
  return listing(
    ['NUMBER', 'STATUS', 'PLANNED', 'ACTIONS', 'BECAUSE'].map((title) => paint('bold', title)),
    transitions.map(({ number, status, plannedAt, counts, trigger }) => [
      String(number),
      statusText(status, paint),
      moment(plannedAt),
      String(counts.actions),
      trigger,
    ]),
    'The cluster has had no transition yet.',
  );
}

export function renderTransition(transition: TransitionDetail, paint: Paint): readonly string[] {
  const { number, status, plannedAt, endedAt, trigger, inputVersion, digest, counts, abortReason, outcome, summary, results } = transition;
  const failed = (results ?? []).filter(({ ok }) => !ok);
  return [
    `${paint('bold', `Transition ${number}`)}  ${statusText(status, paint)}`,
    `Because:  ${trigger}`,
    `Planned:  ${moment(plannedAt)}, from version ${inputVersion}, digest ${digest}`,
    ...(endedAt === undefined ? [] : [`Ended:    ${moment(endedAt)}`]),
    ...(abortReason === undefined ? [] : [`Aborted:  ${abortReason}`]),
    `Actions:  ${counts.actions}, and ${counts.pseudo} pseudo actions; nodes to fence: ${counts.fencing}`,
    ...(outcome === undefined ? [] : [`Outcome:  ${outcome.completed} done, ${outcome.failed} failed, ${outcome.skipped} skipped`]),
    ...(results === undefined ? [] : [`Results:  ${results.length} ended, ${failed.length} not as expected`]),
    ...(summary.length === 0 ? [] : ['', ...summary.map((line) => `  ${line}`)]),
  ];
}

function statusText(status: Transition['status'], paint: Paint): string {
  return paint(status === 'complete' ? 'green' : 'yellow', status);
}
