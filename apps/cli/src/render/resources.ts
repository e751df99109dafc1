import type { components } from '@systole/api-client';
import type { Paint } from './paint.js';

type Resource = components['schemas']['ResourceSummaryDto'];
type Agent = components['schemas']['ResourceAgentDto'];

/** A resource and all below it as rows: id (indented by depth), what it is, role, nodes, remarks. */
export function resourceRows(resource: Resource, paint: Paint, depth = 0): readonly (readonly string[])[] {
  const id = `${'  '.repeat(depth)}${resource.id}`;
  const children = resource.children.flatMap((child) => resourceRows(child, paint, depth + 1));
  if (resource.kind !== 'primitive') return [[id, resource.kind, '', '', remarks(resource, paint)], ...children];
  return [
    [
      id,
      resource.agent === undefined ? '' : agentName(resource.agent),
      role(resource, paint),
      resource.activeOn.join(', '),
      remarks(resource, paint),
    ],
    ...children,
  ];
}

/** `ocf:heartbeat:IPaddr2`. */
export function agentName({ class: agentClass, provider, type }: Agent): string {
  return [agentClass, ...(provider === undefined ? [] : [provider]), type].join(':');
}

function role({ role, failed }: Resource, paint: Paint): string {
  if (failed) return paint('red', role);
  if (role === 'Unknown') return paint('yellow', role);
  return role === 'Stopped' ? paint('dim', role) : paint('green', role);
}

function remarks(resource: Resource, paint: Paint): string {
  const { failed, blocked, managed, removed } = resource;
  return [
    ...(failed ? [paint('red', 'FAILED')] : []),
    ...(blocked ? [paint('red', 'blocked')] : []),
    ...(managed ? [] : [paint('yellow', 'unmanaged')]),
    ...(removed ? [paint('yellow', 'no longer configured')] : []),
    ...unknown(resource, paint),
    ...planned(resource, paint),
  ].join(', ');
}

/** Names that are listed before they are only counted. */
const NAMED = 3;

/** One that is active nowhere as far as is known, but may be. */
function unknown({ role, unknownOn = [] }: Resource, paint: Paint): readonly string[] {
  if (role !== 'Unknown') return [];
  const places = unknownOn.length > NAMED ? `${unknownOn.length} nodes` : unknownOn.join(', ');
  return [paint('yellow', `not known yet whether it runs on ${places}`)];
}

/** Where the scheduler wants it, when that is not where it is. */
function planned({ kind, role, nextRole, activeOn, assignedTo, held }: Resource, paint: Paint): readonly string[] {
  if (kind !== 'primitive') return [];
  const [place, another] = activeOn;
  const stays = another === undefined && (assignedTo === undefined ? nextRole === role : place === assignedTo && nextRole === role);
  if (stays || nextRole === 'Unknown' || (nextRole === 'Stopped' && place === undefined)) return [];
  const target = assignedTo === undefined ? nextRole : `${nextRole} on ${assignedTo}`;
  return [paint('yellow', held === undefined ? `→ ${target}` : `waits to be ${target}, because ${held}`)];
}
