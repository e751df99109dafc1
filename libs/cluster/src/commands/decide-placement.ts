import {
  banConstraint,
  editSection,
  lifetimeEnd,
  placementConstraints,
  preferConstraint,
  readingOf,
  utc,
  type PlacementConstraint,
  type PlacementWish,
  type XmlElement,
} from '@systole/cib';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { planTime } from '../state/plan-time.js';
import { placesOf, type ResourcePlaces } from '../state/resource-places.js';
import type { Decision } from './decision.js';
import { changeConfiguration, type AskedChange } from './configuration-change.js';
import { isPromotable } from './decide-resource-modes.js';
import type { BanResource, ClearResource, MoveResource } from './operator-command.js';
import { reject } from './rejection.js';
import { resourceTarget, type ResourceTarget } from './resource-target.js';

type Refusal = Decision & { readonly ok: false };

export function moveResource(command: MoveResource, state: ClusterState): Decision {
  const { node } = command;
  const checked = checkPlacement(command, state);
  if ('ok' in checked) return checked;
  const { target, until } = checked;
  if (node === undefined) return ban(command, state, checked);
  const { resource } = target;
  const wish = wishOf(command, resource.id, node, until);
  const known = placementConstraints(state.cib, resource.id);
  const wished = known.find(({ kind, node: at }) => kind === 'prefer' && at === node);
  const places = placesMeant(command, placesOf(state, readingOf(state.cib, planTime(state)), resource));
  const bound = known.some(({ kind, node: at }) => kind === 'ban' && at === node);
  if (wished === undefined && !bound && places.length === 1 && places[0] === node) {
    const message = `${resource.id} is ${command.promoted === true ? 'promoted' : 'active'} on ${node} already; to keep it there give it a location constraint`;
    return reject(state, 'already-there', message, { pointer: '/node' });
  }
  const outdated = known.filter(({ kind, node: at }) => kind === 'prefer' || at === node);
  return changeConfiguration(state, withConstraint(state.cib, preferConstraint(wish), outdated), askedOf(command));
}

export function banResource(command: BanResource, state: ClusterState): Decision {
  const checked = checkPlacement(command, state);
  return 'ok' in checked ? checked : ban(command, state, checked);
}

function ban(command: MoveResource | BanResource, state: ClusterState, { target, until }: Checked): Decision {
  const { resource } = target;
  const node = command.node ?? onlyPlace(command, state, target);
  if (typeof node !== 'string') return node;
  const wish = wishOf(command, resource.id, node, until);
  const outdated = placementConstraints(state.cib, resource.id).filter(({ kind, node: at }) => kind === 'ban' && at === node);
  return changeConfiguration(state, withConstraint(state.cib, banConstraint(wish), outdated), askedOf(command, { node }));
}

export function clearResource(command: ClearResource, state: ClusterState): Decision {
  const { node, promoted, expired, now } = command;
  const target = resourceTarget(state, command.resource, 'placed');
  if ('ok' in target) return target;
  if (promoted === true && !isPromotable(target.resource)) return noPromotedRole(state, target);
  // Also of a node that is not there any more: what it left behind can be cleared.
  const known = [...placementConstraints(state.cib, target.resource.id), ...ownOf(command.resource, target, state)];
  if (node !== undefined && !isNode(state, node) && !known.some((constraint) => constraint.node === node)) return noSuchNode(state, node);
  const outdated = known.filter(
    (constraint) =>
      (node === undefined || constraint.node === node) &&
      (promoted !== true || constraint.promoted) &&
      (expired !== true || (constraint.until !== undefined && constraint.until <= now)),
  );
  const next = editSection(state.cib, 'constraints', (section) => withoutChildren(section, outdated));
  const { resource, reason } = command;
  const given = {
    resource,
    ...(node === undefined ? {} : { node }),
    ...(promoted === true ? { promoted } : {}),
    ...(expired === true ? { expired } : {}),
  };
  return changeConfiguration(state, next, { command: command.type, arguments: given, ...(reason === undefined ? {} : { reason }) });
}

/** What other tools have left behind for the very resource that was named, within a clone or bundle. */
function ownOf(named: string, { resource }: ResourceTarget, state: ClusterState): readonly PlacementConstraint[] {
  return named === resource.id ? [] : placementConstraints(state.cib, named);
}

/** What is sound in a wish. */
interface Checked {
  readonly target: ResourceTarget;
  readonly until: PlacementWish['until'];
}

function checkPlacement(command: MoveResource | BanResource, state: ClusterState): Checked | Refusal {
  const { resource: named, node, promoted, lifetime, now } = command;
  const target = resourceTarget(state, named, 'placed');
  if ('ok' in target) return target;
  if (node !== undefined && !isNode(state, node)) return noSuchNode(state, node);
  if (promoted === true && !isPromotable(target.resource)) return noPromotedRole(state, target);
  const until = lifetime === undefined ? undefined : lifetimeEnd(lifetime, utc(now));
  if (lifetime !== undefined && until === undefined) {
    const message = `a lifetime is an ISO 8601 duration, whole and more than nothing, such as PT30M, P1DT12H or P2W, not ${lifetime.slice(0, 40)}`;
    return reject(state, 'invalid-argument', message, { pointer: '/lifetime' });
  }
  return { target, until };
}

function noPromotedRole(state: ClusterState, { resource }: ResourceTarget): Refusal {
  const message = `${resource.id} has no promoted role: it is no promotable clone (meta-attribute promotable=true)`;
  return reject(state, 'invalid-argument', message, { pointer: '/promoted' });
}

/** Whether a resource can go to a node of that name: one of the configuration, remote and guest nodes included. */
function isNode(state: ClusterState, name: string): boolean {
  if (memberOf(state, name) !== undefined) return true;
  const { nodes, resources } = readingOf(state.cib, planTime(state));
  return (
    nodes.some((node) => node.name === name) ||
    resources.some(({ id, meta }) => meta.get('remote-node') === name || (id === name && meta.get('type') === 'remote'))
  );
}

function noSuchNode(state: ClusterState, node: string): Refusal {
  return reject(state, 'node-not-found', `the cluster has no node ${node}`, { pointer: '/node' });
}

/** Where a resource is active (or promoted), when that is one place. */
function onlyPlace(command: MoveResource | BanResource, state: ClusterState, { resource }: ResourceTarget): string | Refusal {
  const places = placesMeant(command, placesOf(state, readingOf(state.cib, planTime(state)), resource));
  const [place] = places;
  if (place !== undefined && places.length === 1) return place;
  const what = command.promoted === true ? 'promoted' : 'active';
  const message =
    place === undefined
      ? `${resource.id} is ${what} nowhere, so there is nothing to move it away from: name a node`
      : `${resource.id} is ${what} on ${places.join(', ')}: name the node that it is to leave`;
  return reject(state, 'place-not-clear', message, { pointer: '/node' });
}

/** Of what is active in several places and promoted in one, as `crm_resource` has it, the promoted one is meant. */
function placesMeant({ promoted: only }: Pick<MoveResource, 'promoted'>, { active, promoted }: ResourcePlaces): readonly string[] {
  if (only === true) return promoted;
  return active.length > 1 && promoted.length === 1 ? promoted : active;
}

function wishOf({ promoted }: MoveResource | BanResource, resource: string, node: string, until: PlacementWish['until']): PlacementWish {
  return { resource, node, role: promoted === true ? 'Promoted' : 'Started', until };
}

/** In the place of the first that it replaces, or at the end. */
function withConstraint(cib: XmlElement, made: XmlElement, outdated: readonly PlacementConstraint[]): XmlElement {
  return editSection(cib, 'constraints', (section) => {
    const position = section.children.findIndex((child) => outdated.some(({ element }) => element === child));
    const children = section.children.filter((child) => !outdated.some(({ element }) => element === child));
    return { ...section, children: position < 0 ? [...children, made] : children.toSpliced(position, 0, made) };
  });
}

function withoutChildren(section: XmlElement, outdated: readonly PlacementConstraint[]): XmlElement {
  if (outdated.length === 0) return section;
  return { ...section, children: section.children.filter((child) => !outdated.some(({ element }) => element === child)) };
}

/** @param found what was found out */
function askedOf(command: MoveResource | BanResource, found: { readonly node?: string } = {}): AskedChange {
  const { type, resource, node, promoted, lifetime, reason } = command;
  const given = {
    resource,
    ...(node === undefined ? found : { node }),
    ...(promoted === true ? { promoted } : {}),
    ...(lifetime === undefined ? {} : { lifetime }),
  };
  return { command: type, arguments: given, ...(reason === undefined ? {} : { reason }) };
}
