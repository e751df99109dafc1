import type { components } from '@systole/api-client';
import { listing } from './columns.js';
import { moment } from './moment.js';
import type { Paint } from './paint.js';
import { summaryLines } from './summary-lines.js';

type Transition = components['schemas']['TransitionDto'];
type TransitionDetail = components['schemas']['TransitionDetailDto'];

export function renderTransitions(transitions: readonly Transition[], paint: Paint): readonly string[] {
  return listing(
    ['NUMBER', 'STATUS', 'PLANNED', 'ACTIONS', 'BECAUSE'].map((title) => paint('bold', title)),
    transitions.map(({ number, status, plannedAt, counts, trigger, outcome }) => [
      String(number),
      statusText(status, paint),
      moment(plannedAt),
      plannedText(counts, outcome),
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
    `Plan:     ${actionsIn(counts)} actions${counts.fencing === 0 ? '' : ` (${counts.fencing} of them to fence)`}, and ${counts.pseudo} pseudo actions`,
    ...(outcome === undefined ? [] : [`Outcome:  ${outcomeText(outcome)}`]),
    ...(results === undefined ? [] : [`Results:  ${results.length} ended, ${failed.length} not as expected`]),
    ...(summary.length === 0 ? [] : ['', paint('bold', summaryTitle(transition)), ...summaryLines(transition)]),
  ];
}

/** As the status of a cluster counts them: fencing included. Pseudo actions, which do nothing, are none. */
function actionsIn({ actions, fencing }: Transition['counts']): number {
  return actions + fencing;
}

/** Of a plan that was not carried out in full: how much of it never began. */
function plannedText(counts: Transition['counts'], outcome: Transition['outcome']): string {
  const actions = actionsIn(counts);
  const skipped = outcome?.skipped ?? 0;
  return skipped === 0 ? String(actions) : `${actions} (${skipped} of all steps never begun)`;
}

/** Steps are actions, pseudo actions and fencing together. */
function outcomeText({ completed, failed, skipped }: NonNullable<Transition['outcome']>): string {
  return `${completed} steps done, ${failed} not as expected, ${skipped} never begun`;
}

/** What was planned is not what was done. */
function summaryTitle({ status, outcome }: TransitionDetail): string {
  if (status === 'complete') return 'What was done';
  const skipped = outcome?.skipped ?? 0;
  if (status === 'aborted' && skipped > 0) return `What was planned; ${skipped} steps never began`;
  return status === 'aborted' ? 'What was planned, and begun' : 'What is planned';
}

function statusText(status: Transition['status'], paint: Paint): string {
  return paint(status === 'complete' ? 'green' : 'yellow', status);
}

/** Whether a transition is still what the events and the scheduler make of them. */
export function renderReplay(number: string, replay: components['schemas']['ReplayDto'], paint: Paint): readonly string[] {
  const { digest, plannedBy, recomputed, recomputedBy, same } = replay;
  if (same) return [paint('green', `Transition ${number} is computed again as it was planned: ${digest}.`)];
  return [
    paint('red', `Transition ${number} is not computed again as it was planned.`),
    `  planned by scheduler ${plannedBy}: ${digest}`,
    `  computed by scheduler ${recomputedBy}: ${recomputed}`,
    ...(plannedBy === recomputedBy ? ['  The scheduler is the same: were events changed? See "systole admin verify".'] : []),
  ];
}
