import { parseBoolean } from '../scalars/boolean.js';
import { parseRole } from '../scalars/role.js';
import type { Role } from '../scalars/role.js';
import { parseScore } from '../scalars/score.js';
import { childrenNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import { entityOf } from './entity.js';
import type { Entity } from './entity.js';
import { firstRuleOf } from './rule.js';
import type { Rule } from './rule.js';

/** A constraint. The ids in it may be those of resources, templates or tags (specification 01 §9). */
export type Constraint = LocationConstraint | ColocationConstraint | OrderConstraint | TicketConstraint;

/** Several resources that are treated alike, in order (specification 04 §6.3, 07 §6.4). */
export interface ResourceSet extends Entity {
  /** Id of the set that this one stands for. */
  readonly reference: string | undefined;
  readonly members: readonly string[];
  /** Undefined where it is left to the default, which depends on the constraint. */
  readonly sequential: boolean | undefined;
  readonly requireAll: boolean | undefined;
  readonly ordering: string | undefined;
  readonly action: string | undefined;
  readonly role: Role | undefined;
  readonly score: number | undefined;
}

/** A resource in a role. */
export interface ResourceInRole {
  readonly id: string;
  readonly role: Role | undefined;
}

/** A resource and what is done with it. */
export interface ResourceAction {
  readonly id: string;
  readonly action: string | undefined;
}

/** Where a resource may or should run (specification 04 §4). */
export interface LocationConstraint extends Entity {
  readonly kind: 'location';
  readonly resources:
    | { readonly by: 'resource'; readonly id: string }
    /** POSIX extended regular expression over ids of top-level resources; `inverted` takes those that do not match. */
    | { readonly by: 'pattern'; readonly pattern: string; readonly inverted: boolean }
    | { readonly by: 'sets'; readonly sets: readonly ResourceSet[] };
  readonly placement:
    { readonly by: 'node'; readonly node: string } | { readonly by: 'rule'; readonly rule: Rule } | { readonly by: 'nothing' };
  readonly score: number | undefined;
  readonly role: Role | undefined;
  readonly resourceDiscovery: 'always' | 'never' | 'exclusive';
}

/** Where a resource runs relative to another (specification 04 §6). */
export interface ColocationConstraint extends Entity {
  readonly kind: 'colocation';
  readonly resources:
    | { readonly by: 'pair'; readonly dependent: ResourceInRole; readonly primary: ResourceInRole }
    | { readonly by: 'sets'; readonly sets: readonly ResourceSet[] };
  readonly score: number | undefined;
  /** Same value of this node attribute counts as same place. */
  readonly nodeAttribute: string;
  readonly influence: boolean | undefined;
}

/** In which order actions happen (specification 07 §6). */
export interface OrderConstraint extends Entity {
  readonly kind: 'order';
  readonly resources:
    | { readonly by: 'pair'; readonly first: ResourceAction; readonly then: ResourceAction }
    | { readonly by: 'sets'; readonly sets: readonly ResourceSet[] };
  readonly strength: 'Mandatory' | 'Optional' | 'Serialize';
  readonly symmetrical: boolean | undefined;
  readonly requireAll: boolean | undefined;
}

/** What a resource needs a ticket for (specification 07 §11). */
export interface TicketConstraint extends Entity {
  readonly kind: 'ticket';
  readonly ticket: string;
  readonly resources:
    { readonly by: 'resource'; readonly resource: ResourceInRole } | { readonly by: 'sets'; readonly sets: readonly ResourceSet[] };
  /** As written, in lower case. */
  readonly lossPolicy: string | undefined;
}

/** The view of a constraint element; undefined for an element of another kind. */
export function constraintOf(source: XmlElement): Constraint | undefined {
  switch (source.name) {
    case 'rsc_location':
      return locationOf(source);
    case 'rsc_colocation':
      return colocationOf(source);
    case 'rsc_order':
      return orderOf(source);
    case 'rsc_ticket':
      return ticketOf(source);
    default:
      return undefined;
  }
}

function locationOf(source: XmlElement): LocationConstraint {
  const { attributes } = source;
  const sets = resourceSetsOf(source);
  const pattern = attributes['rsc-pattern'];
  const rule = firstRuleOf(source);
  const node = attributes['node'];
  const discovery = attributes['resource-discovery']?.toLowerCase();
  return {
    ...entityOf(source),
    kind: 'location',
    resources:
      sets.length > 0
        ? { by: 'sets', sets }
        : attributes['rsc'] === undefined && pattern !== undefined
          ? { by: 'pattern', pattern: pattern.replace(/^!/, ''), inverted: pattern.startsWith('!') }
          : { by: 'resource', id: attributes['rsc'] ?? '' },
    placement: node !== undefined ? { by: 'node', node } : rule !== undefined ? { by: 'rule', rule } : { by: 'nothing' },
    score: parseScore(attributes['score']),
    role: parseRole(attributes['role']),
    resourceDiscovery: discovery === 'never' || discovery === 'exclusive' ? discovery : 'always',
  };
}

function colocationOf(source: XmlElement): ColocationConstraint {
  const { attributes } = source;
  const sets = resourceSetsOf(source);
  const end = (name: 'rsc' | 'with-rsc'): ResourceInRole => ({ id: attributes[name] ?? '', role: parseRole(attributes[`${name}-role`]) });
  return {
    ...entityOf(source),
    kind: 'colocation',
    resources: sets.length > 0 ? { by: 'sets', sets } : { by: 'pair', dependent: end('rsc'), primary: end('with-rsc') },
    score: parseScore(attributes['score']),
    nodeAttribute: attributes['node-attribute'] ?? '#uname',
    influence: parseBoolean(attributes['influence']),
  };
}

function orderOf(source: XmlElement): OrderConstraint {
  const { attributes } = source;
  const sets = resourceSetsOf(source);
  const end = (name: 'first' | 'then'): ResourceAction => ({ id: attributes[name] ?? '', action: attributes[`${name}-action`] });
  return {
    ...entityOf(source),
    kind: 'order',
    resources: sets.length > 0 ? { by: 'sets', sets } : { by: 'pair', first: end('first'), then: end('then') },
    strength: strengthOf(attributes['kind'], attributes['score']),
    symmetrical: parseBoolean(attributes['symmetrical']),
    requireAll: parseBoolean(attributes['require-all']),
  };
}

/** The kind; without one, a score of 0 means Optional (specification 07 §6.1). */
function strengthOf(kind: string | undefined, score: string | undefined): OrderConstraint['strength'] {
  if (kind === 'Optional' || kind === 'Serialize') return kind;
  return kind === undefined && score !== undefined && (parseScore(score) ?? 0) === 0 ? 'Optional' : 'Mandatory';
}

function ticketOf(source: XmlElement): TicketConstraint {
  const { attributes } = source;
  const sets = resourceSetsOf(source);
  const resource = { id: attributes['rsc'] ?? '', role: parseRole(attributes['rsc-role']) };
  return {
    ...entityOf(source),
    kind: 'ticket',
    ticket: attributes['ticket'] ?? '',
    resources: sets.length > 0 ? { by: 'sets', sets } : { by: 'resource', resource },
    lossPolicy: attributes['loss-policy']?.toLowerCase(),
  };
}

function resourceSetsOf(source: XmlElement): readonly ResourceSet[] {
  return childrenNamed(source, 'resource_set').map((set) => ({
    ...entityOf(set),
    reference: set.attributes['id-ref'],
    members: childrenNamed(set, 'resource_ref').flatMap(({ attributes }) => attributes['id'] ?? []),
    sequential: parseBoolean(set.attributes['sequential']),
    requireAll: parseBoolean(set.attributes['require-all']),
    ordering: set.attributes['ordering'],
    action: set.attributes['action'],
    role: parseRole(set.attributes['role']),
    score: parseScore(set.attributes['score']),
  }));
}
