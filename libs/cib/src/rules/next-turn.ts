import { descendants } from '../document/cib-index.js';
import { DAY_SECONDS } from '../time/date-time.js';
import { evaluateDateExpression } from './date-expression.js';
import type { RuleScope } from './rule-input.js';

/**
 * When the first condition on the time in a document may say something else than now, epoch seconds: also of those that nobody has evaluated so far. Moments
 * of the day without a date are of today, so that nothing holds past midnight; when a `date_spec` turns nobody knows: it holds for this second.
 */
export function nextTurn({ index, now }: Pick<RuleScope, 'index' | 'now'>): number {
  const local = now.epochSeconds + now.offsetSeconds;
  let turn = now.epochSeconds + DAY_SECONDS - (((local % DAY_SECONDS) + DAY_SECONDS) % DAY_SECONDS);
  const scope: RuleScope = {
    index,
    now,
    onRecheck: (epochSeconds) => {
      if (epochSeconds > now.epochSeconds) turn = Math.min(turn, epochSeconds);
    },
  };
  for (const element of descendants(index.document)) {
    if (element.name !== 'date_expression') continue;
    if (element.attributes['operation']?.toLowerCase() === 'date_spec') return now.epochSeconds + 1;
    evaluateDateExpression(element, scope);
  }
  return turn;
}
