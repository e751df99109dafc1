import type { components } from '@systole/api-client';
import { columns } from './columns.js';
import type { Paint } from './paint.js';
import { resourceRows } from './resources.js';
import { scoreText } from './score.js';

type Schedule = components['schemas']['ScheduleDto'];

/** What the scheduler would do, and why. */
export function plannedActions({ actions, messages }: Schedule, paint: Paint): readonly string[] {
  const rows = actions.map(({ operation, resource, node, reason, afterProbe }) => {
    const condition = afterProbe === true ? 'unless the probes find what ran before' : '';
    return [operation, resource, node, [reason ?? '', condition].filter((text) => text !== '').join('; ')];
  });
  return [
    ...(rows.length === 0 ? ['  nothing to do'] : columns(rows, 2)),
    ...messages.map(({ level, text }) => `  ${paint(level === 'error' ? 'red' : 'yellow', level)}: ${text}`),
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
