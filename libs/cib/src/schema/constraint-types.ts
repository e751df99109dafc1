import { childrenNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import { boolean, nonEmpty, oneOf, oneOfIgnoringCase, role, score, text, xmlId } from './attribute-types.js';
import { any, childCount, idOrReference } from './element-type.js';
import type { ElementType } from './element-type.js';
import { locationRule } from './set-types.js';

const setRole = { role } as const;

const resourceSet: ElementType = {
  optional: {
    ...setRole,
    id: xmlId,
    'id-ref': nonEmpty,
    sequential: boolean,
    'require-all': boolean,
    ordering: text,
    action: oneOf('start', 'promote', 'demote', 'stop'),
    score,
    kind: oneOf('Optional', 'Mandatory', 'Serialize'),
  },
  children: { resource_ref: any },
  check: (element) => {
    const problem = idOrReference(element);
    if (problem !== undefined || element.attributes['id-ref'] !== undefined) return problem;
    return childCount(element, 'resource_ref') === 0 ? 'needs at least one resource_ref' : undefined;
  },
};

/** A constraint names its resources either by attributes or by sets. */
function byAttributesOrSets(element: XmlElement, ...names: readonly string[]): string | undefined {
  const given = names.filter((name) => element.attributes[name] !== undefined);
  if (childrenNamed(element, 'resource_set').length > 0) {
    return given.length === 0 ? undefined : `has resource sets and must not have ${given.join(', ')}`;
  }
  return given.length === names.length ? undefined : `needs ${names.join(' and ')}, or resource sets`;
}

const action = oneOf('start', 'promote', 'demote', 'stop');

/** Constraints and their resource sets (specification 04 §4, §6; 07 §6, §11). */
export const CONSTRAINT_TYPES: Readonly<Record<string, ElementType>> = {
  resource_set: resourceSet,
  resource_ref: { required: { id: nonEmpty } },
  rsc_location: {
    required: { id: xmlId },
    optional: {
      rsc: nonEmpty,
      'rsc-pattern': nonEmpty,
      ...setRole,
      node: nonEmpty,
      score,
      'resource-discovery': oneOfIgnoringCase('always', 'never', 'exclusive'),
    },
    children: { resource_set: any, rule: { occurs: '?', type: locationRule } },
    check: (element) => {
      const { rsc, 'rsc-pattern': pattern, node, score: given } = element.attributes;
      const named = [rsc, pattern].filter((value) => value !== undefined).length + Math.min(childCount(element, 'resource_set'), 1);
      if (named !== 1) return 'needs exactly one of rsc, rsc-pattern and resource sets';
      const ruled = childCount(element, 'rule') > 0;
      if (ruled) return node === undefined ? undefined : 'must have either a node or a rule';
      if (node === undefined) return 'needs a node with a score, or a rule';
      if (given !== undefined) return undefined;
      return childrenNamed(element, 'resource_set').some((child) => child.attributes['score'] !== undefined) ? undefined : 'needs a score';
    },
  },
  rsc_colocation: {
    required: { id: xmlId },
    optional: {
      rsc: nonEmpty,
      'with-rsc': nonEmpty,
      'rsc-role': role,
      'with-rsc-role': role,
      score,
      'node-attribute': nonEmpty,
      influence: text,
    },
    children: { resource_set: any },
    check: (element) => byAttributesOrSets(element, 'rsc', 'with-rsc'),
  },
  rsc_order: {
    required: { id: xmlId },
    optional: {
      first: nonEmpty,
      then: nonEmpty,
      'first-action': action,
      'then-action': action,
      kind: oneOf('Optional', 'Mandatory', 'Serialize'),
      score,
      symmetrical: boolean,
      'require-all': boolean,
    },
    children: { resource_set: any },
    check: (element) => byAttributesOrSets(element, 'first', 'then'),
  },
  rsc_ticket: {
    required: { id: xmlId, ticket: nonEmpty },
    optional: { rsc: nonEmpty, 'rsc-role': role, 'loss-policy': oneOfIgnoringCase('stop', 'demote', 'fence', 'freeze') },
    children: { resource_set: any },
    check: (element) => byAttributesOrSets(element, 'rsc'),
  },
};
