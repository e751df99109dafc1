import { idReference, oneOf, score, text, xmlId } from './attribute-types.js';
import { any, atMostOne, childCount, idOrReference, maybe } from './element-type.js';
import type { ElementType } from './element-type.js';

const nvpair: ElementType = {
  optional: { id: xmlId, 'id-ref': idReference, name: text, value: text },
  check: (element) => {
    const { 'id-ref': reference, name, value } = element.attributes;
    if (reference !== undefined) {
      return Object.keys(element.attributes).length === 1 ? undefined : 'has id-ref and must have no attribute of its own';
    }
    if (element.attributes['id'] === undefined) return 'needs an id';
    if (name === undefined) return 'needs a name';
    return value === undefined ? 'needs a value' : undefined;
  },
};

/** Names that 4.0 no longer takes in the meta-attributes of a resource or of resource defaults, and of an operation or of operation defaults. */
const OF_RESOURCES = new Set(['restart-type']);
const OF_OPERATIONS = new Set(['can_fail', 'role_after_failure']);
const PROPERTIES = new Set(['crmd-finalization-timeout', 'crmd-integration-timeout', 'crmd-transition-delay', 'remove-after-stop']);

/** A set's pairs, of which some names or values are no longer taken. */
function pairsWithout(refused: (name: string, value: string | undefined) => string | undefined): ElementType {
  return {
    ...nvpair,
    check: (element) => nvpair.check?.(element) ?? refused(element.attributes['name'] ?? '', element.attributes['value']),
  };
}

const gone = (names: ReadonlySet<string>) =>
  pairsWithout((name) => (names.has(name) ? `has the name ${name}, which is no longer taken here` : undefined));

const property = pairsWithout((name, value) => {
  if (PROPERTIES.has(name)) return `has the name ${name}, which is no longer taken`;
  return name === 'stonith-action' && value === 'poweroff' ? 'has a value that is no longer taken: use off' : undefined;
});

const COMMON_FIELDS = ['years', 'months', 'weeks', 'hours', 'minutes', 'seconds', 'monthdays', 'weekdays', 'weekyears', 'yearsdays'];

/** A duration, or a pattern of dates: what stands in its fields is any text, and is judged when it is used. */
const dateFields = (...more: readonly string[]): ElementType => ({
  required: { id: xmlId },
  optional: Object.fromEntries([...COMMON_FIELDS, ...more].map((field) => [field, text])),
});

const dateExpression: ElementType = {
  required: { id: xmlId, operation: oneOf('in_range', 'gt', 'lt', 'date_spec') },
  optional: { start: text, end: text },
  children: { date_spec: maybe, duration: maybe },
  check: (element) => {
    const { start, end, operation = '' } = element.attributes;
    const specs = childCount(element, 'date_spec');
    const durations = childCount(element, 'duration');
    switch (operation.trim()) {
      case 'gt':
        if (start === undefined || end !== undefined) return 'needs a start, and no end';
        break;
      case 'lt':
        if (end === undefined || start !== undefined) return 'needs an end, and no start';
        break;
      case 'date_spec':
        if (start !== undefined || end !== undefined) return 'must have neither start nor end';
        return specs === 1 && durations === 0 ? undefined : 'needs one date_spec, and nothing else';
      default:
        if (start === undefined && end === undefined) return 'needs a start or an end';
        return specs === 0 ? undefined : 'must have no date_spec';
    }
    return specs + durations === 0 ? undefined : 'must have neither date_spec nor duration';
  },
};

const expression: ElementType = {
  required: {
    id: xmlId,
    attribute: text,
    operation: oneOf('lt', 'gt', 'lte', 'gte', 'eq', 'ne', 'defined', 'not_defined'),
  },
  optional: {
    value: text,
    type: oneOf('string', 'integer', 'number', 'version'),
    'value-source': oneOf('literal', 'param', 'meta'),
  },
};

const conditions = { expression: any, date_expression: any, rsc_expression: any, op_expression: any, rule: any } as const;

/** One type for all rules, wherever they stand: a score in a nested one is let pass. Its `role` is any text. */
const rule: ElementType = {
  optional: {
    id: xmlId,
    'id-ref': idReference,
    'boolean-op': oneOf('and', 'or'),
    score,
    'score-attribute': text,
    role: text,
  },
  children: conditions,
  check: (element) => {
    const problem = idOrReference(element);
    if (problem !== undefined || element.attributes['id-ref'] !== undefined) return problem;
    if (childCount(element, ...Object.keys(conditions)) === 0) return 'needs at least one condition';
    return atMostOne(element, 'score', 'score-attribute');
  },
};

const set = (pair: ElementType): ElementType => ({
  optional: { id: xmlId, 'id-ref': idReference, score },
  children: { rule: maybe, nvpair: { occurs: '*', type: pair } },
  check: idOrReference,
});

/** The meta-attributes of operations: the names that are gone from those of resources are not gone here, and the other way round. */
export const operationMeta = { occurs: '*', type: set(gone(OF_OPERATIONS)) } as const;

/** Sets of name-value pairs and the rules in them (specification 01 §1.5, §4, §5). */
export const SET_TYPES: Readonly<Record<string, ElementType>> = {
  cluster_property_set: set(property),
  meta_attributes: set(gone(OF_RESOURCES)),
  instance_attributes: set(nvpair),
  utilization: set(nvpair),
  rule,
  expression,
  date_expression: dateExpression,
  date_spec: dateFields('yeardays'),
  duration: dateFields('days'),
  rsc_expression: { required: { id: xmlId }, optional: { class: text, provider: text, type: text } },
  op_expression: { required: { id: xmlId, name: text }, optional: { interval: text } },
};
