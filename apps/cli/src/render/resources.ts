import type { components } from '@systole/api-client';
import type { Paint } from './paint.js';

type Resource = components['schemas']['ResourceSummaryDto'];
type Agent = components['schemas']['ResourceAgentDto'];

/** A resource and all below it as rows: id (indented by depth), what it is, role, nodes, remarks. */
export function resourceRows(resource: Resource, paint: Paint, depth = 0): readonly (readonly string[])[] {
  const id = `${'  '.repeat(depth)}${resource.id}`;
  const children = resource.children.flatMap((child) => resourceRows(child, paint, depth + 1));
  if (resource.replicas !== undefined)
    return [[id, resource.kind, '', '', remarks(resource, paint)], ...replicaRows(resource, paint, depth + 1)];
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

/** A row for each replica of a bundle, with what it consists of. */
function replicaRows(bundle: Resource, paint: Paint, depth: number): readonly (readonly string[])[] {
  const parts = new Map([...primitivesIn(bundle)].map((part) => [part.id, part]));
  return (bundle.replicas ?? []).flatMap((replica) => {
    const { number, ipAddress, activeOn, failed } = replica;
    const name = `${'  '.repeat(depth)}replica ${number}`;
    const notes = failed ? paint('red', 'FAILED') : '';
    const { container, ip, connection, resource } = replica.parts;
    const own = [container, ip, connection, resource].flatMap((id) => (id === undefined ? [] : (parts.get(id) ?? [])));
    return [
      [name, ipAddress ?? '', role({ role: replica.role, failed }, paint), activeOn.join(', '), notes],
      ...own.flatMap((part) => resourceRows(part, paint, depth + 1)),
    ];
  });
}

function* primitivesIn(resource: Resource): Generator<Resource> {
  if (resource.kind === 'primitive') yield resource;
  else for (const child of resource.children) yield* primitivesIn(child);
}

/** Whether it is, or is to be, otherwise than it should be or than it is: what a summary names. */
export function isRemarkable(resource: Resource): boolean {
  return resource.wrong !== undefined || changes(resource) || resource.children.some(isRemarkable);
}

/** `ocf:heartbeat:IPaddr2`. */
export function agentName({ class: agentClass, provider, type }: Agent): string {
  return [agentClass, ...(provider === undefined ? [] : [provider]), type].join(':');
}

function role({ role, failed }: Pick<Resource, 'role' | 'failed'>, paint: Paint): string {
  if (failed) return paint('red', role);
  if (role === 'Unknown') return paint('yellow', role);
  return role === 'Stopped' ? paint('dim', role) : paint('green', role);
}

function remarks(resource: Resource, paint: Paint): string {
  const { failed, blocked, managed, removed, disabled, waitsFor, pending = [], wrong = [] } = resource;
  return [
    ...(failed ? [paint('red', 'FAILED')] : []),
    ...(blocked ? [paint('red', 'blocked')] : []),
    ...(managed ? [] : [paint('yellow', 'unmanaged')]),
    ...(removed ? [paint('yellow', 'no longer configured')] : []),
    ...(disabled === true ? [paint('dim', 'disabled')] : []),
    ...(waitsFor === undefined ? [] : [paint('dim', `waits for ${waitsFor}`)]),
    ...(wrong.includes('stopped') ? [paint('red', 'should run, and does not')] : []),
    ...(wrong.includes('degraded') ? [paint('yellow', 'degraded')] : []),
    ...pending.map(({ state, node }) => paint('yellow', `${state} on ${node}`)),
    ...unknown(resource, paint),
    ...planned(resource, paint),
  ].join(', ');
}

/** Names that are listed before they are only counted. */
const NAMED = 3;

/** One that is active nowhere as far as is known, but may be. */
function unknown({ role, unknownOn = [] }: Resource, paint: Paint): readonly string[] {
  if (role !== 'Unknown' || unknownOn.length === 0) return [];
  const places = unknownOn.length > NAMED ? `${unknownOn.length} nodes` : unknownOn.join(', ');
  return [paint('yellow', `not known yet whether it runs on ${places}`)];
}

/** Where the scheduler wants it, when that is not where it is. */
function planned(resource: Resource, paint: Paint): readonly string[] {
  if (!changes(resource)) return [];
  const { nextRole, assignedTo, held } = resource;
  const target = assignedTo === undefined ? nextRole : `${nextRole} on ${assignedTo}`;
  return [paint('yellow', held === undefined ? `→ ${target}` : `waits to be ${target}, because ${held}`)];
}

/** Whether a primitive is to be elsewhere, or in another role. */
function changes({ kind, role, nextRole, activeOn, assignedTo }: Resource): boolean {
  if (kind !== 'primitive') return false;
  const [place, another] = activeOn;
  const stays = another === undefined && (assignedTo === undefined ? nextRole === role : place === assignedTo && nextRole === role);
  return !stays && nextRole !== 'Unknown' && !(nextRole === 'Stopped' && place === undefined);
}
