import { integer, interval, nonEmpty, oneOfIgnoringCase, role, score, text, xmlId } from './attribute-types.js';
import type { AttributeType } from './attribute-types.js';
import { any, childCount, exactlyOne, idOrReference, maybe } from './element-type.js';
import type { ElementType } from './element-type.js';

const nvpair: ElementType = {
  optional: { id: xmlId, 'id-ref': nonEmpty, name: nonEmpty, value: text },
  check: (element) => {
    const { 'id-ref': reference, name, value } = element.attributes;
    if (reference !== undefined) return value === undefined ? undefined : 'has id-ref and must have no value of its own';
    if (element.attributes['id'] === undefined) return 'needs an id';
    if (name === undefined) return 'needs a name';
    return value === undefined ? 'needs a value' : undefined;
  },
};

const duration: ElementType = {
  required: { id: xmlId },
  optional: Object.fromEntries(['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds'].map((field) => [field, integer])),
};

const dateRange: AttributeType = (value) =>
  /^(?:\d+(?:-\d*)?|-\d+)$/.test(value) ? undefined : `"${value}" is no range: use e.g. 9, 9-16, 9- or -16`;

const dateSpec: ElementType = {
  required: { id: xmlId },
  optional: Object.fromEntries(
    ['years', 'months', 'monthdays', 'hours', 'minutes', 'seconds', 'yeardays', 'weekyears', 'weeks', 'weekdays'].map((field) => [
      field,
      dateRange,
    ]),
  ),
};

const dateExpression: ElementType = {
  required: { id: xmlId },
  optional: { operation: oneOfIgnoringCase('in_range', 'gt', 'lt', 'date_spec'), start: nonEmpty, end: nonEmpty },
  children: { date_spec: maybe, duration: maybe },
  check: (element) => {
    const { start, end, operation = 'in_range' } = element.attributes;
    switch (operation.toLowerCase()) {
      case 'gt':
        return start === undefined ? 'needs a start' : undefined;
      case 'lt':
        return end === undefined ? 'needs an end' : undefined;
      case 'date_spec':
        return childCount(element, 'date_spec') === 1 ? undefined : 'needs one date_spec';
      default:
        return start === undefined && end === undefined ? 'needs a start or an end' : undefined;
    }
  },
};

const expression: ElementType = {
  required: {
    id: xmlId,
    attribute: nonEmpty,
    operation: oneOfIgnoringCase('lt', 'gt', 'lte', 'gte', 'eq', 'ne', 'defined', 'not_defined'),
  },
  optional: {
    value: text,
    type: oneOfIgnoringCase('string', 'integer', 'number', 'version'),
    'value-source': oneOfIgnoringCase('literal', 'param', 'meta'),
  },
  check: ({ attributes }) => {
    const definedness = /defined$/i.test(attributes['operation'] ?? '');
    if (definedness) return attributes['value'] === undefined ? undefined : 'must have no value with this operation';
    return attributes['value'] === undefined ? 'needs a value with this operation' : undefined;
  },
};

const conditions = { expression: any, date_expression: any, rsc_expression: any, op_expression: any, rule: any } as const;

/** A rule that is only true or false: nested, or in a set. */
const plainRule: ElementType = {
  optional: { id: xmlId, 'id-ref': nonEmpty, 'boolean-op': oneOfIgnoringCase('and', 'or'), score, 'score-attribute': nonEmpty, role },
  children: conditions,
  check: idOrReference,
};

/** The rule of a location constraint: it has a score, or names the attribute that holds it. */
export const locationRule: ElementType = {
  ...plainRule,
  check: (element) =>
    idOrReference(element) ?? (element.attributes['id-ref'] === undefined ? exactlyOne(element, 'score', 'score-attribute') : undefined),
};

const set: ElementType = {
  optional: { id: xmlId, 'id-ref': nonEmpty, score },
  children: { rule: maybe, nvpair: any },
  check: idOrReference,
};

/** Sets of name-value pairs and the rules in them (specification 01 §4, §5). */
export const SET_TYPES: Readonly<Record<string, ElementType>> = {
  cluster_property_set: set,
  meta_attributes: set,
  instance_attributes: set,
  utilization: set,
  nvpair,
  rule: plainRule,
  expression,
  date_expression: dateExpression,
  date_spec: dateSpec,
  duration,
  rsc_expression: { required: { id: xmlId }, optional: { class: nonEmpty, provider: nonEmpty, type: nonEmpty } },
  op_expression: { required: { id: xmlId, name: nonEmpty }, optional: { interval } },
};
