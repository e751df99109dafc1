import { parseInterval } from '../scalars/interval.js';
import type { XmlElement } from '../xml/element.js';
import { evaluateDateExpression } from './date-expression.js';
import { evaluateExpression } from './expression.js';
import type { RuleInput, RuleScope } from './rule-input.js';

/**
 * Whether a rule passes (specification 01 §5.1). Conditions are looked at in document order and only as far as the outcome is open, which
 * matters for the recheck times they propose. Whatever is wrong with a rule or a condition makes it fail.
 */
export function evaluateRule(rule: XmlElement, input: RuleInput, scope: RuleScope): boolean {
  const resolved = scope.index.resolve(rule);
  if (!resolved?.attributes['id']) return false;
  const operator = resolved.attributes['boolean-op']?.toLowerCase() ?? 'and';
  if (operator !== 'and' && operator !== 'or') return false;
  const deciding = operator === 'or';
  let conditions = 0;
  for (const condition of resolved.children) {
    if (condition.kind !== 'element') continue;
    conditions += 1;
    if (evaluateCondition(condition, input, scope) === deciding) return deciding;
  }
  return conditions === 0 || !deciding;
}

function evaluateCondition(condition: XmlElement, input: RuleInput, scope: RuleScope): boolean {
  if (condition.name === 'rule') return evaluateRule(condition, input, scope);
  if (!condition.attributes['id']) return false;
  switch (condition.name) {
    case 'expression':
      return evaluateExpression(condition, input);
    case 'date_expression':
      return evaluateDateExpression(condition, scope);
    case 'rsc_expression':
      return evaluateResourceExpression(condition, input);
    case 'op_expression':
      return evaluateOperationExpression(condition, input);
    default:
      return false;
  }
}

/** Present attributes must equal the resource's agent (specification 01 §5.4). */
function evaluateResourceExpression({ attributes }: XmlElement, { resource }: RuleInput): boolean {
  const matches = (wanted: string | undefined, actual: string | undefined): boolean => wanted === undefined || wanted === actual;
  return (
    matches(attributes['class'], resource?.standard) &&
    matches(attributes['provider'], resource?.provider) &&
    matches(attributes['type'], resource?.type)
  );
}

/** Name and, when given, interval must equal the operation's (specification 01 §5.5). */
function evaluateOperationExpression({ attributes }: XmlElement, { operation }: RuleInput): boolean {
  const { name, interval } = attributes;
  if (operation === undefined || name === undefined || name !== operation.name) return false;
  return interval === undefined || parseInterval(interval) === operation.interval;
}
