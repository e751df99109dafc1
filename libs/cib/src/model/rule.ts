import { DATE_SPEC_FIELDS } from '../time/date-spec.js';
import { parseInterval } from '../scalars/interval.js';
import { parseRole } from '../scalars/role.js';
import type { Role } from '../scalars/role.js';
import { parseScore } from '../scalars/score.js';
import { childElements, firstChildNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import { entityOf } from './entity.js';
import type { Entity } from './entity.js';

/** A rule (specification 01 §5); {@link evaluateRule} decides whether it passes. */
export interface Rule extends Entity {
  readonly kind: 'rule';
  /** Id of the rule that this one stands for. */
  readonly reference: string | undefined;
  readonly operator: 'and' | 'or';
  readonly conditions: readonly Condition[];
  /** Of a location constraint's rule. */
  readonly score: number | undefined;
  /** Of a location constraint's rule: the node attribute that holds the score. */
  readonly scoreAttribute: string | undefined;
  readonly role: Role | undefined;
}

export type Condition = Rule | AttributeExpression | DateExpression | ResourceExpression | OperationExpression;

export interface AttributeExpression extends Entity {
  readonly kind: 'attribute';
  readonly attribute: string;
  readonly operation: string;
  readonly value: string | undefined;
  readonly valueSource: 'literal' | 'param' | 'meta';
  readonly type: string | undefined;
}

export interface DateExpression extends Entity {
  readonly kind: 'date';
  readonly operation: 'in_range' | 'gt' | 'lt' | 'date_spec';
  readonly start: string | undefined;
  readonly end: string | undefined;
  /** Amounts by unit, as written. */
  readonly duration: Readonly<Record<string, string>> | undefined;
  /** Ranges by calendar field, as written. */
  readonly dateSpec: Readonly<Record<string, string>> | undefined;
}

export interface ResourceExpression extends Entity {
  readonly kind: 'resource';
  readonly standard: string | undefined;
  readonly provider: string | undefined;
  readonly type: string | undefined;
}

export interface OperationExpression extends Entity {
  readonly kind: 'operation';
  readonly name: string;
  /** In ms; undefined matches any. */
  readonly interval: number | undefined;
}

/** The view of a `rule` element. */
export function ruleOf(source: XmlElement): Rule {
  const { attributes } = source;
  return {
    ...entityOf(source),
    kind: 'rule',
    reference: attributes['id-ref'],
    operator: attributes['boolean-op']?.toLowerCase() === 'or' ? 'or' : 'and',
    conditions: childElements(source).flatMap((child) => conditionOf(child) ?? []),
    score: parseScore(attributes['score']),
    scoreAttribute: attributes['score-attribute'],
    role: parseRole(attributes['role']),
  };
}

/** The rule of a set or constraint: its first one. */
export function firstRuleOf(parent: XmlElement): Rule | undefined {
  const rule = firstChildNamed(parent, 'rule');
  return rule === undefined ? undefined : ruleOf(rule);
}

function conditionOf(source: XmlElement): Condition | undefined {
  const { attributes } = source;
  switch (source.name) {
    case 'rule':
      return ruleOf(source);
    case 'expression':
      return {
        ...entityOf(source),
        kind: 'attribute',
        attribute: attributes['attribute'] ?? '',
        operation: attributes['operation']?.toLowerCase() ?? '',
        value: attributes['value'],
        valueSource: valueSourceOf(attributes['value-source']),
        type: attributes['type']?.toLowerCase(),
      };
    case 'date_expression':
      return dateExpressionOf(source);
    case 'rsc_expression':
      return {
        ...entityOf(source),
        kind: 'resource',
        standard: attributes['class'],
        provider: attributes['provider'],
        type: attributes['type'],
      };
    case 'op_expression':
      return {
        ...entityOf(source),
        kind: 'operation',
        name: attributes['name'] ?? '',
        interval: attributes['interval'] === undefined ? undefined : parseInterval(attributes['interval']),
      };
    default:
      return undefined;
  }
}

function valueSourceOf(text: string | undefined): AttributeExpression['valueSource'] {
  const source = text?.toLowerCase();
  return source === 'param' || source === 'meta' ? source : 'literal';
}

function dateExpressionOf(source: XmlElement): DateExpression {
  const { start, end, operation } = source.attributes;
  const name = operation?.toLowerCase();
  const duration = firstChildNamed(source, 'duration');
  const spec = firstChildNamed(source, 'date_spec');
  return {
    ...entityOf(source),
    kind: 'date',
    operation: name === 'gt' || name === 'lt' || name === 'date_spec' ? name : 'in_range',
    start,
    end,
    duration: duration === undefined ? undefined : fieldsOf(duration, ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds']),
    dateSpec: spec === undefined ? undefined : fieldsOf(spec, DATE_SPEC_FIELDS),
  };
}

function fieldsOf({ attributes }: XmlElement, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.flatMap((name) => (attributes[name] === undefined ? [] : [[name, attributes[name]]])));
}
