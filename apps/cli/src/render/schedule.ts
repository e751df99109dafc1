import type { components } from '@systole/api-client';
import { columns } from './columns.js';
import type { Paint } from './paint.js';
import { resourceRows } from './resources.js';
import { scoreText } from './score.js';

type Schedule = components['schemas']['ScheduleDto'];

/** What the scheduler would do, and why. */
export function plannedActions({ actions, probes, messages }: Schedule, paint: Paint): readonly string[] {
  const rows = actions.map(({ operation, resource, node, reason, afterProbe }) => {
    const condition = afterProbe === true ? 'unless the probes find what ran before' : '';
    return [operation, resource, node, [reason ?? '', condition].filter((text) => text !== '').join('; ')];
  });
  return [
    ...probeLines(probes),
    ...(rows.length > 0 ? columns(rows, 2) : probes.length > 0 ? [] : ['  nothing to do']),
    ...messages.map(({ level, text }) => `  ${paint(level === 'error' ? 'red' : 'yellow', level)}: ${text}`),
  ];
}

/** Nodes that are named by themselves; of more how many there are is enough. */
const MOST_NODES = 8;

/** How much is probed on each node: there may be as many probes as resources times nodes. */
function probeLines(probes: Schedule['probes']): readonly string[] {
  if (probes.length === 0) return [];
  const byNode = new Map<string, number>();
  for (const { node } of probes) byNode.set(node, (byNode.get(node) ?? 0) + 1);
  const counts = [...byNode].map(([node, count]) => `${node} ${String(count)}`);
  const more = counts.length > MOST_NODES ? `, and ${String(counts.length - MOST_NODES)} more nodes` : '';
  return [
    `  ${String(probes.length)} probe${probes.length === 1 ? '' : 's'}, of what runs already: ${counts.slice(0, MOST_NODES).join(', ')}${more}`,
  ];
}

/** A whole schedule: actions, resources with where they go, and on demand the score listing. */
export function renderSchedule(schedule: Schedule, paint: Paint, scores: boolean): readonly string[] {
  const listed = (schedule.scores ?? []).map(({ phase, resource, node, score }) => [phase, resource, node, scoreText(score)]);
  return [
    paint('bold', 'Actions'),
    ...plannedActions(schedule, paint),
    '',
    paint('bold', 'Resources'),
    ...columns(
      schedule.resources.flatMap((resource) => resourceRows(resource, paint)),
      2,
    ),
    ...(scores ? ['', paint('bold', 'Scores'), ...columns(listed, 2)] : []),
  ];
}
