import {
  childElements,
  isInMaintenance,
  isManaged,
  parseBoolean,
  parseInteger,
  parseRole,
  readingOf,
  replaceElement,
  withNamedValue,
  type ConfiguredResource,
  type Role,
  type XmlElement,
} from '@systole/cib';
import type { ClusterState } from '../state/cluster-state.js';
import { planTime } from '../state/plan-time.js';
import type { Decision } from './decision.js';
import { changeConfiguration } from './configuration-change.js';
import type { ResourceMode, SetResourceMode } from './operator-command.js';
import { reject } from './rejection.js';
import { meantBy, resourceTarget, writtenResource, type ResourceTarget } from './resource-target.js';

/** How a mode stands in a configuration. */
interface Writing {
  readonly name: 'target-role' | 'is-managed' | 'maintenance';
  /** What is tried, one after the other, until it is in force; undefined: nothing is written. */
  readonly values: readonly (string | undefined)[];
  readonly inForce: (meta: ReadonlyMap<string, string>) => boolean;
  /** Also in what stands in it: so `pcs resource manage` and `unmanage` have it, which write there. */
  readonly clearsMembers?: true;
}

const roleIn = (meta: ReadonlyMap<string, string>): Role | undefined => parseRole(meta.get('target-role'));
const isManagedIn = (meta: ReadonlyMap<string, string>): boolean =>
  isManaged(new Map([...meta].filter(([name]) => name !== 'maintenance')));

const WRITINGS: Readonly<Record<ResourceMode, Writing>> = {
  // Where a default says otherwise, it has to be said.
  enable: {
    name: 'target-role',
    values: [undefined, 'Started'],
    inForce: (meta) => roleIn(meta) !== 'Stopped' && roleIn(meta) !== 'Unpromoted',
  },
  disable: { name: 'target-role', values: ['Stopped'], inForce: (meta) => roleIn(meta) === 'Stopped' },
  promote: { name: 'target-role', values: ['Promoted'], inForce: (meta) => roleIn(meta) === 'Promoted' },
  demote: { name: 'target-role', values: ['Unpromoted'], inForce: (meta) => roleIn(meta) === 'Unpromoted' },
  manage: { name: 'is-managed', values: [undefined, 'true'], inForce: isManagedIn, clearsMembers: true },
  unmanage: { name: 'is-managed', values: ['false'], inForce: (meta) => !isManagedIn(meta) },
  maintain: { name: 'maintenance', values: ['true'], inForce: isInMaintenance },
  unmaintain: { name: 'maintenance', values: [undefined, 'false'], inForce: (meta) => !isInMaintenance(meta), clearsMembers: true },
};

export function setResourceMode({ resource: named, also, mode, reason }: SetResourceMode, state: ClusterState): Decision {
  let cib = state.cib;
  for (const [index, name] of [named, ...(also ?? [])].entries()) {
    for (const id of meantBy(state, name)) {
      const next = withModeOf({ ...state, cib }, id, mode, index === 0 ? '/resource' : `/also/${String(index - 1)}`);
      if ('ok' in next) return next;
      cib = next;
    }
  }
  const given = { resource: named, ...(also === undefined ? {} : { also }) };
  return changeConfiguration(state, cib, { command: `${mode}-resource`, arguments: given, ...(reason === undefined ? {} : { reason }) });
}

/** The document in which a resource is in a mode, or why it can't be. */
function withModeOf(
  state: ClusterState,
  named: string,
  mode: ResourceMode,
  pointer: string,
): XmlElement | (Decision & { readonly ok: false }) {
  const target = resourceTarget(state, named, 'own', pointer);
  if ('ok' in target) return target;
  const { resource } = target;
  if ((mode === 'promote' || mode === 'demote') && !isPromotable(resource)) {
    const advice = resource.parent === undefined ? '' : `; it stands in ${resource.parent.id}`;
    const message = `${resource.id} can't be ${mode}d: it is no promotable clone (meta-attribute promotable=true)${advice}`;
    return reject(state, 'invalid-argument', message, { pointer });
  }
  const { values, inForce } = WRITINGS[mode];
  const decider = deciderAbove(state, resource, mode);
  if (decider !== undefined) {
    const message = `${resource.id} can't be ${PAST[mode]} alone: ${WRITINGS[mode].name} of ${decider.id}, in which it stands, says otherwise: ${mode} ${decider.id}`;
    return reject(state, 'attribute-overridden', message, { pointer });
  }
  for (const value of values) {
    const next = withMode(state.cib, target, mode, value);
    const after = readingOf(next, planTime(state)).resource(resource.id);
    if (after !== undefined && inForce(after.meta)) return next;
  }
  const message = `${resource.id} would not be ${PAST[mode]}: another set of its meta-attributes decides about ${WRITINGS[mode].name}, by a rule or a reference. Change it there`;
  return reject(state, 'attribute-overridden', message, { pointer });
}

const PAST: Readonly<Record<ResourceMode, string>> = {
  enable: 'enabled',
  disable: 'disabled',
  promote: 'promoted',
  demote: 'demoted',
  manage: 'managed',
  unmanage: 'unmanaged',
  maintain: 'put in maintenance',
  unmaintain: 'taken out of maintenance',
};

/** Whether instances of it can be promoted. */
export function isPromotable({ kind, meta, element }: ConfiguredResource): boolean {
  if (kind === 'clone') return parseBoolean(meta.get('promotable')) === true;
  if (kind !== 'bundle') return false;
  return childElements(element).some(({ attributes }) => (parseInteger(attributes['promoted-max'] ?? attributes['masters']) ?? 0) > 0);
}

/**
 * What a resource stands in, and says in its own words that it is stopped, not managed or in maintenance: to say otherwise of a part of it only would be against whoever said that of all. Undefined when nothing
 * does.
 */
function deciderAbove(state: ClusterState, resource: ConfiguredResource, mode: ResourceMode): ConfiguredResource | undefined {
  if (mode !== 'enable' && mode !== 'manage' && mode !== 'unmaintain') return undefined;
  const reading = readingOf(state.cib, planTime(state));
  for (let at = resource.parent; at !== undefined; at = at.parent) {
    const own = reading.values(at.element, 'meta_attributes');
    if (own.has(WRITINGS[mode].name) && !WRITINGS[mode].inForce(own)) return at;
  }
  return undefined;
}

function withMode(cib: XmlElement, { resource, written }: ResourceTarget, mode: ResourceMode, value: string | undefined): XmlElement {
  const { name, clearsMembers } = WRITINGS[mode];
  const edited = replaceElement(cib, written, withNamedValue(cib, written, { set: 'meta_attributes', name, value }));
  if (clearsMembers !== true) return edited;
  const members = membersOf(written);
  return members.reduce((next, id) => {
    const member = writtenResource(next, id);
    if (member === undefined || id === resource.id) return next;
    return replaceElement(next, member, withNamedValue(next, member, { set: 'meta_attributes', name, value: undefined }));
  }, edited);
}

function membersOf(written: XmlElement): readonly string[] {
  return childElements(written).flatMap((child) => {
    if (child.name !== 'primitive' && child.name !== 'group') return [];
    return [...(child.attributes['id'] === undefined ? [] : [child.attributes['id']]), ...membersOf(child)];
  });
}
