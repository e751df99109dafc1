import { readInteger } from '../scalars/integer.js';
import { matchesDateSpec } from '../time/date-spec.js';
import { addDuration, parseDateTime } from '../time/date-time.js';
import type { DateTime } from '../time/date-time.js';
import { firstChildNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import type { RuleScope } from './rule-input.js';

/** Evaluates a `date_expression` at the scope's time, and says when its outcome may change (specification 01 §6.3, §6.5). */
export function evaluateDateExpression(expression: XmlElement, scope: RuleScope): boolean {
  const now = scope.now.epochSeconds;
  const bound = (name: 'start' | 'end'): Bound => readBound(expression.attributes[name], scope.now);
  switch (expression.attributes['operation']?.toLowerCase() ?? 'in_range') {
    case 'gt': {
      const start = bound('start');
      if (typeof start !== 'object') return false;
      if (now > start.epochSeconds) return true;
      scope.onRecheck(start.epochSeconds + 1);
      return false;
    }
    case 'lt': {
      const end = bound('end');
      if (typeof end !== 'object' || now >= end.epochSeconds) return false;
      scope.onRecheck(end.epochSeconds);
      return true;
    }
    case 'in_range':
      return isInRange(expression, bound('start'), bound('end'), scope);
    case 'date_spec': {
      const spec = firstChildNamed(expression, 'date_spec');
      return spec !== undefined && matchesDateSpec(spec, scope.now);
    }
    default:
      return false;
  }
}

/** A bound that is there, is missing, or can't be read. */
type Bound = DateTime | 'missing' | 'invalid';

function readBound(text: string | undefined, now: DateTime): Bound {
  if (text === undefined) return 'missing';
  return parseDateTime(text, { localOffsetSeconds: now.offsetSeconds, today: now }) ?? 'invalid';
}

function isInRange(expression: XmlElement, start: Bound, givenEnd: Bound, scope: RuleScope): boolean {
  const duration = givenEnd === 'missing' ? firstChildNamed(expression, 'duration') : undefined;
  const end = duration !== undefined && typeof start === 'object' ? durationEnd(start, duration) : givenEnd;
  if (start === 'invalid' || end === 'invalid' || (start === 'missing' && end === 'missing')) return false;
  const now = scope.now.epochSeconds;
  if (start !== 'missing' && now < start.epochSeconds) {
    scope.onRecheck(start.epochSeconds);
    return false;
  }
  if (end === 'missing') return true;
  if (now > end.epochSeconds) return false;
  scope.onRecheck(end.epochSeconds + 1);
  return true;
}

const DURATION_FIELDS = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds'] as const;

function durationEnd(start: DateTime, duration: XmlElement): Bound {
  if (!duration.attributes['id']) return 'invalid';
  const components: Partial<Record<(typeof DURATION_FIELDS)[number], number>> = {};
  for (const field of DURATION_FIELDS) {
    const text = duration.attributes[field];
    if (text === undefined) continue;
    const amount = readInteger(text)?.value;
    if (amount === undefined || amount > 2_147_483_647 || amount < -2_147_483_648) return 'invalid';
    components[field] = amount;
  }
  return addDuration(start, components);
}
