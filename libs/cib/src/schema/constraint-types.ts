import { childElements } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import { boolean, idReference, oneOf, role, score, text, xmlId } from './attribute-types.js';
import { any, atMostOne, childCount, exactlyOne, idOrReference } from './element-type.js';
import type { ElementType } from './element-type.js';

const action = oneOf('start', 'promote', 'demote', 'stop');
const kind = oneOf('Optional', 'Mandatory', 'Serialize');

const resourceSet: ElementType = {
  optional: {
    id: xmlId,
    'id-ref': idReference,
    role,
    sequential: boolean,
    'require-all': boolean,
    ordering: oneOf('group', 'listed'),
    action,
    score,
    kind,
  },
  children: { resource_ref: any },
  check: (element) => {
    const problem = idOrReference(element);
    if (problem !== undefined || element.attributes['id-ref'] !== undefined) return problem;
    return childCount(element, 'resource_ref') === 0 ? 'needs at least one resource_ref' : atMostOne(element, 'score', 'kind');
  },
};

/** What names the resources of a constraint: attributes, of which some must be there, or sets, beside which none may be. */
function byAttributesOrSets(
  element: XmlElement,
  { required, optional }: { readonly required: readonly string[]; readonly optional: readonly string[] },
): string | undefined {
  const isGiven = (name: string): boolean => element.attributes[name] !== undefined;
  if (childCount(element, 'resource_set') > 0) {
    const given = [...required, ...optional].filter(isGiven);
    return given.length === 0 ? undefined : `has resource sets and must not have ${given.join(', ')}`;
  }
  return required.every(isGiven) ? undefined : `needs ${required.join(' and ')}, or resource sets`;
}

function checkLocation(element: XmlElement): string | undefined {
  const named =
    childCount(element, 'resource_set') > 0
      ? byAttributesOrSets(element, { required: [], optional: ['rsc', 'rsc-pattern', 'role'] })
      : exactlyOne(element, 'rsc', 'rsc-pattern');
  if (named !== undefined) return named;
  const children = childElements(element).map(({ name }) => name);
  if (children.includes('rule') && children.at(-1) !== 'rule') return 'must have its rule after its resource sets';
  const { node, score: given } = element.attributes;
  if (children.includes('rule')) {
    return node === undefined && given === undefined ? undefined : 'must have either a rule, or a node and a score';
  }
  return node === undefined || given === undefined ? 'needs a node and a score, or a rule' : undefined;
}

/** Constraints and their resource sets (specification 01 §1.5; their meaning: 04 §4, §6; 07 §6, §11). */
export const CONSTRAINT_TYPES: Readonly<Record<string, ElementType>> = {
  resource_set: resourceSet,
  resource_ref: { required: { id: idReference } },
  rsc_location: {
    required: { id: xmlId },
    optional: {
      rsc: idReference,
      'rsc-pattern': text,
      role,
      node: text,
      score,
      'resource-discovery': oneOf('always', 'never', 'exclusive'),
    },
    children: { resource_set: any, rule: { occurs: '?' } },
    check: checkLocation,
  },
  rsc_colocation: {
    required: { id: xmlId },
    optional: {
      rsc: idReference,
      'with-rsc': idReference,
      'rsc-role': role,
      'with-rsc-role': role,
      score,
      'node-attribute': text,
      influence: text,
    },
    children: { resource_set: any },
    check: (element) =>
      byAttributesOrSets(element, { required: ['rsc', 'with-rsc'], optional: ['node-attribute', 'rsc-role', 'with-rsc-role'] }),
  },
  rsc_order: {
    required: { id: xmlId },
    optional: {
      first: idReference,
      then: idReference,
      'first-action': action,
      'then-action': action,
      kind,
      score,
      symmetrical: boolean,
      'require-all': boolean,
    },
    children: { resource_set: any },
    check: (element) =>
      byAttributesOrSets(element, { required: ['first', 'then'], optional: ['first-action', 'then-action'] }) ??
      atMostOne(element, 'score', 'kind'),
  },
  rsc_ticket: {
    required: { id: xmlId, ticket: text },
    optional: { rsc: idReference, 'rsc-role': role, 'loss-policy': oneOf('stop', 'demote', 'fence', 'freeze') },
    children: { resource_set: any },
    check: (element) => byAttributesOrSets(element, { required: ['rsc'], optional: ['rsc-role'] }),
  },
};
