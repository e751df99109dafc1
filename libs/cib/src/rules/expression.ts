import { compareVersions } from '../scalars/version.js';
import { skipDigits, skipSpace } from '../scalars/integer.js';
import type { XmlElement } from '../xml/element.js';
import type { RuleInput } from './rule-input.js';

/** Evaluates an `expression` on a node attribute (specification 01 §5.3). */
export function evaluateExpression(expression: XmlElement, input: RuleInput): boolean {
  const { attribute, operation: operationText, value, type: typeText } = expression.attributes;
  if (attribute === undefined) return false;
  const operation = operationText?.toLowerCase();
  const source = expression.attributes['value-source']?.toLowerCase() ?? 'literal';
  if (source !== 'literal' && source !== 'param' && source !== 'meta') return false;
  const definedness = operation === 'defined' || operation === 'not_defined';
  if (definedness === (value !== undefined)) return false;
  if (typeText !== undefined && !isComparisonType(typeText.toLowerCase())) return false;
  // Who asks learns by it whether a rule looks at more than the node.
  const name = attribute.includes('%') ? expandSubmatches(attribute, input.submatches) : attribute;
  const actual = input.nodeAttributes?.get(name);
  if (operation === 'defined') return actual !== undefined;
  if (operation === 'not_defined') return actual === undefined;
  const reference = referenceValue(source, value ?? '', input);
  const ordered = operation === 'lt' || operation === 'lte' || operation === 'gt' || operation === 'gte';
  const type = typeText?.toLowerCase() ?? defaultType(ordered, actual, reference);
  if (actual === undefined || reference === undefined) {
    if (operation === 'eq') return actual === reference;
    return operation === 'ne' && actual !== reference;
  }
  const order = compareAs(type, actual, reference);
  switch (operation) {
    case 'eq':
      return order === 0;
    case 'ne':
      return order !== 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    default:
      return false;
  }
}

function isComparisonType(type: string): boolean {
  return type === 'string' || type === 'integer' || type === 'number' || type === 'version';
}

function referenceValue(source: 'literal' | 'param' | 'meta', value: string, input: RuleInput): string | undefined {
  if (source === 'param') return input.parameters?.get(value);
  return source === 'meta' ? input.metaAttributes?.get(value) : value;
}

function defaultType(ordered: boolean, actual: string | undefined, reference: string | undefined): string {
  if (!ordered) return 'string';
  return actual?.includes('.') === true || reference?.includes('.') === true ? 'number' : 'integer';
}

/** Replaces `%0` to `%9` by the groups of a resource pattern's match; without a match nothing is replaced (specification 01 §5.6). */
export function expandSubmatches(text: string, submatches: readonly (string | undefined)[] | undefined): string {
  if (submatches === undefined) return text;
  return text.replace(/%(\d)/g, (_, digit: string) => submatches[Number(digit)] ?? '');
}

function compareAs(type: string, a: string, b: string): number {
  switch (type) {
    case 'integer':
      return compareParsed(exactInteger(a), exactInteger(b)) ?? compareText(a, b);
    case 'number':
      return compareParsed(decimalNumber(a), decimalNumber(b)) ?? compareText(a, b);
    case 'version':
      return compareVersions(a, b);
    default:
      return compareText(a, b);
  }
}

/** ASCII case ignored. */
function compareText(a: string, b: string): number {
  const left = a.toLowerCase();
  const right = b.toLowerCase();
  return left === right ? 0 : left < right ? -1 : 1;
}

function compareParsed<T extends number | bigint>(a: T | undefined, b: T | undefined): number | undefined {
  if (a === undefined || b === undefined) return undefined;
  return a === b ? 0 : a < b ? -1 : 1;
}

const MAX_64 = 2n ** 63n - 1n;
const MIN_64 = -(2n ** 63n);
/** More digits than any 64-bit integer has, leading zeros apart. */
const MAX_DIGITS = 64;

/** The leading integer, exactly; undefined when there is none or it exceeds 64 bits. */
function exactInteger(text: string): bigint | undefined {
  const start = skipSpace(text, 0);
  const sign = text.charAt(start);
  const digits = sign === '+' || sign === '-' ? start + 1 : start;
  const end = skipDigits(text, digits);
  if (end === digits || end - digits > MAX_DIGITS) return undefined;
  const value = BigInt(text.slice(digits, end)) * (sign === '-' ? -1n : 1n);
  return value >= MIN_64 && value <= MAX_64 ? value : undefined;
}

/** The leading decimal number; undefined when there is none or it leaves the range of a double. */
function decimalNumber(text: string): number | undefined {
  const value = Number.parseFloat(text);
  if (!Number.isFinite(value)) return undefined;
  const underflow = value === 0 && /[1-9]/.test(text.split(/e/i, 1)[0] ?? '');
  return underflow ? undefined : value;
}
