import type { components } from '@systole/api-client';
import { columns } from './columns.js';
import type { Paint } from './paint.js';

type WhatIf = components['schemas']['WhatIfDto'];
type Plan = WhatIf['plans'][number];
type Place = WhatIf['affected'][number]['before'][number];

const BAD: readonly string[] = ['down', 'demoted', 'reduced'];

/** What happens, what is planned and carried out for it, and what becomes of the resources that ran. */
export function whatIfLines({ happens, plans, rests, affected, after }: WhatIf, paint: Paint, steps: boolean): readonly string[] {
  return [
    ...(happens.length === 0 ? [] : [paint('bold', 'Happens'), ...happens.map((text) => `  ${text}`), '']),
    ...(plans.length === 0 ? ['Nothing would be done.'] : plans.flatMap((plan, index) => planLines(plan, index + 1, paint, steps))),
    ...(rests ? [] : [paint('yellow', 'It does not come to rest: what is planned next is not shown any more.'), '']),
    paint('bold', 'Becomes of what ran'),
    ...(affected.length === 0
      ? ['  nothing']
      : columns(
          affected.map(({ resource, effect, before, after: then }) => [
            BAD.includes(effect) ? paint('red', effect) : effect,
            resource,
            `${placesText(before)} -> ${placesText(then)}`,
          ]),
          2,
        )),
    '',
    paint('bold', 'Nodes then'),
    ...columns(
      after.nodes.map(({ name, online, unclean, standby, maintenance }) => [
        name,
        unclean
          ? paint('red', 'unclean')
          : online
            ? standby
              ? 'standby'
              : maintenance
                ? 'maintenance'
                : 'online'
            : paint('red', 'offline'),
      ]),
      2,
    ),
  ];
}

function planLines(
  { nodes, resources, steps: carriedOut, complete }: Plan,
  number: number,
  paint: Paint,
  steps: boolean,
): readonly string[] {
  const rows = [
    ...nodes.map(({ change, action, node, reason }) => [`${change}${action === undefined ? '' : ` (${action})`}`, node, '', reason]),
    ...resources.map(({ change, resource, from, to, blocked, reason }) => [
      change,
      resource,
      [from, to].filter((node, index, all) => node !== undefined && node !== all[index - 1]).join(' -> '),
      [blocked ? 'blocked' : '', reason ?? ''].filter((text) => text !== '').join('; '),
    ]),
  ];
  return [
    paint('bold', `Plan ${String(number)}`),
    ...(rows.length === 0 ? ['  nothing that moves a resource'] : columns(rows, 2)),
    ...(complete ? [] : [`  ${paint('yellow', 'some action could never begin')}`]),
    ...(steps && carriedOut.length > 0 ? ['  carried out:', ...columns(carriedOut.map(stepCells), 4)] : []),
    '',
  ];
}

function stepCells({ operation, node, resource, intervalMs, fencing, rc }: Plan['steps'][number]): string[] {
  const every = intervalMs === undefined ? '' : ` every ${String(intervalMs)} ms`;
  const what = fencing === true ? `fence (${operation})` : `${operation}${every}`;
  return [what, resource ?? '', node, rc === undefined ? '' : `fails with ${String(rc)}`];
}

function placesText(places: readonly Place[]): string {
  return places.length === 0 ? 'nowhere' : places.map(({ node, role }) => (role === 'Started' ? node : `${node} (${role})`)).join(' ');
}
