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
  return evaluateNested(rule, input, scope, undefined);
}

/**
 * Where an evaluation stands once it meets a rule inside a rule. These may stand for others by `id-ref`: in a circle, or so that each level doubles
 * the work. So outcomes are kept for the length of one evaluation, and a rule that is met again inside itself fails.
 */
interface Nesting {
  readonly levels: number;
  readonly outcomes: Map<XmlElement, boolean>;
}

/** As deep as elements may be nested; a chain of references can't be written deeper than what it stands for. */
const MAX_LEVELS = 256;

function evaluateNested(rule: XmlElement, input: RuleInput, scope: RuleScope, nesting: Nesting | undefined): boolean {
  const resolved = scope.index.resolve(rule);
  if (!resolved?.attributes['id']) return false;
  if (nesting === undefined) return combineConditions(resolved, input, scope, undefined);
  const { levels, outcomes } = nesting;
  if (levels >= MAX_LEVELS) return false;
  const known = outcomes.get(resolved);
  if (known !== undefined) return known;
  outcomes.set(resolved, false);
  const outcome = combineConditions(resolved, input, scope, { levels: levels + 1, outcomes });
  outcomes.set(resolved, outcome);
  return outcome;
}

function combineConditions(resolved: XmlElement, input: RuleInput, scope: RuleScope, nesting: Nesting | undefined): boolean {
  const operator = resolved.attributes['boolean-op']?.toLowerCase() ?? 'and';
  if (operator !== 'and' && operator !== 'or') return false;
  const deciding = operator === 'or';
  let conditions = 0;
  for (const condition of resolved.children) {
    if (condition.kind !== 'element') continue;
    conditions += 1;
    if (evaluateCondition(condition, input, scope, nesting) === deciding) return deciding;
  }
  return conditions === 0 || !deciding;
}

function evaluateCondition(condition: XmlElement, input: RuleInput, scope: RuleScope, nesting: Nesting | undefined): boolean {
  if (condition.name === 'rule') return evaluateNested(condition, input, scope, nesting ?? { levels: 1, outcomes: new Map() });
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
