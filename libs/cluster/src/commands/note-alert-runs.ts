import { laneName } from '../alerts/lane.js';
import type { ClusterEvent } from '../events/cluster-event.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import type { Decision } from './decision.js';
import { accept } from './rejection.js';
import type { EndedAlertRun, NoteAlertRuns } from './worker-command.js';

/** Of what a program printed so much is kept with the event, characters. */
const DETAIL_CHARS = 500;

/** Says of each alert and recipient on a node what has changed with the newest of these runs. */
export function noteAlertRuns({ runs }: NoteAlertRuns, state: ClusterState): Decision {
  const newest = new Map<string, EndedAlertRun>();
  for (const run of runs) {
    const before = newest.get(laneName(run));
    if (before === undefined || before.run < run.run) newest.set(laneName(run), run);
  }
  return accept(...[...newest.values()].flatMap((run) => changeBy(state, run)));
}

function changeBy(state: ClusterState, { outcome, path, rc, detail, ...lane }: EndedAlertRun): readonly ClusterEvent[] {
  const known = state.failingAlerts?.find((one) => laneName(one) === laneName(lane));
  if (outcome === 'done') return known === undefined || known.run > lane.run ? [] : [{ type: 'AlertRecovered', data: lane }];
  // What a node that is away did not ask for says nothing of the program.
  if (known !== undefined || memberOf(state, lane.node)?.membership !== 'joined') return [];
  const said = detail === undefined ? {} : { detail: cut(detail) };
  return [{ type: 'AlertFailed', data: { ...lane, path, outcome, ...(rc === undefined ? {} : { rc }), ...said } }];
}

function cut(text: string): string {
  return text.length <= DETAIL_CHARS ? text : `${text.slice(0, DETAIL_CHARS - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
