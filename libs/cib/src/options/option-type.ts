import { parseBoolean } from '../scalars/boolean.js';
import { parseInteger, readInteger } from '../scalars/integer.js';
import { isAmountOfTime, parseInterval } from '../scalars/interval.js';
import { formatScore, parseScore } from '../scalars/score.js';
import { parseDateTime, utc } from '../time/date-time.js';
import { AGENT_WRITES, parseAgentWrites } from './agent-writes.js';

/** What texts an option, or a meta-attribute, accepts (specification 01 §3.2, §10); a text that fails its test counts as absent, or as its table says. */
export type ClusterOptionKind =
  | { readonly kind: 'boolean' }
  /** An interval specification; `negative`: also a negative one. */
  | { readonly kind: 'duration'; readonly negative?: true }
  /** An interval specification, or `auto`: the cluster chooses. */
  | { readonly kind: 'duration-or-auto' }
  /** An interval specification, or one for each of several nodes: `node1:10s;node2:5s`. */
  | { readonly kind: 'duration-by-node' }
  /** `INFINITY`, `+INFINITY`, `-INFINITY` or a text that starts with an integer; not below `min` where there is one. */
  | { readonly kind: 'integer'; readonly min?: number }
  /** A whole number from `min` on, and nothing else. */
  | { readonly kind: 'count'; readonly min: number }
  /** A whole number from 1 on, a percentage from 1% to 100%, or `auto`: the cluster chooses. */
  | { readonly kind: 'share' }
  /** A percentage from 1% on, with or without its sign. */
  | { readonly kind: 'percentage' }
  /** One of some words; `older` ones count, too, and are named to nobody. */
  | { readonly kind: 'select'; readonly allowed: readonly string[]; readonly older?: readonly string[]; readonly caseSensitive?: boolean }
  | { readonly kind: 'text' }
  /** What agents may have written: words, each for all nodes or for one, or `none`. */
  | { readonly kind: 'agent-writes' }
  /** A number and a unit, no ISO 8601 duration: timeouts and delays of operations (specification 01 §10.6). */
  | { readonly kind: 'amount-of-time' }
  /** A date and time of ISO 8601. */
  | { readonly kind: 'date' }
  /** A score, or a health word. */
  | { readonly kind: 'score' }
  /** The same as another kind, or `default`, which leaves it out. */
  | { readonly kind: 'or-default'; readonly of: ClusterOptionKind };

/** Whether a text passes an option's test. */
export function isValidOption(type: ClusterOptionKind, text: string): boolean {
  switch (type.kind) {
    case 'boolean':
      return parseBoolean(text) !== undefined;
    case 'duration':
      return parseInterval(type.negative === true ? text.replace(/^\s*-/, '') : text) !== undefined;
    case 'duration-or-auto':
      return text === 'auto' || parseInterval(text) !== undefined;
    case 'duration-by-node':
      return !text.includes(':') ? parseInterval(text) !== undefined : partsOf(text).every(isTimeOfNode);
    case 'integer': {
      const number = integerOf(text);
      return number !== undefined && number >= (type.min ?? -Infinity);
    }
    case 'count':
      return WHOLE_NUMBER.test(text) && Number(text) >= type.min;
    case 'share':
      return text === 'auto' || parseShare(text) !== undefined;
    case 'percentage':
      return parsePercentage(text) !== undefined;
    case 'select': {
      const wanted = type.caseSensitive === true ? text : text.toLowerCase();
      return [...type.allowed, ...(type.older ?? [])].some((word) => (type.caseSensitive === true ? word : word.toLowerCase()) === wanted);
    }
    case 'text':
      return true;
    case 'agent-writes':
      return parseAgentWrites(text) !== undefined;
    case 'amount-of-time':
      return isAmountOfTime(text);
    case 'date':
      return parseDateTime(text, { today: utc(0) }) !== undefined;
    case 'score':
      return parseScore(text) !== undefined;
    case 'or-default':
      return text.toLowerCase() === 'default' || isValidOption(type.of, text);
  }
}

function partsOf(text: string): readonly string[] {
  return text.split(/[\s;]+/).filter((part) => part !== '');
}

function isTimeOfNode(part: string): boolean {
  const colon = part.lastIndexOf(':');
  return colon > 0 && parseInterval(part.slice(colon + 1)) !== undefined;
}

/**
 * What counts of a text that passes its test though only its beginning is read: `1` of `1e3`, of `1.5` and of `1,000`, for what follows an integer is
 * passed over (specification 01 §10.2). Undefined where nothing is lost (`7 `, `1.0`), and where the text does not pass.
 */
export function readInPart(type: ClusterOptionKind, text: string): string | undefined {
  switch (type.kind) {
    case 'integer':
    case 'score': {
      const integer = readInteger(text);
      if (integer === undefined || NOTHING_LOST.test(text.slice(integer.end)) || !isValidOption(type, text)) return undefined;
      return type.kind === 'score' ? formatScore(integer.value) : String(integer.value);
    }
    case 'or-default':
      return readInPart(type.of, text);
    default:
      return undefined;
  }
}

/** The forms that {@link isValidOption} lets pass, for people. */
export function acceptedForms(type: ClusterOptionKind): string {
  switch (type.kind) {
    case 'boolean':
      return 'true or false (also yes, no, on, off, y, n, 1, 0)';
    case 'duration':
      return type.negative === true ? `${DURATION}, or less than 0` : DURATION;
    case 'duration-by-node':
      return `${DURATION}, or one for each node: node1:10s;node2:5s`;
    case 'duration-or-auto':
      return `auto, or ${DURATION}`;
    case 'integer':
      return `${type.min === undefined ? 'an integer' : `an integer from ${String(type.min)} on`}, or INFINITY`;
    case 'count':
      return `a whole number from ${String(type.min)} on`;
    case 'share':
      return 'auto, a whole number from 1 on, or a percentage from 1% to 100%';
    case 'percentage':
      return 'a percentage from 1% on';
    case 'select':
      return type.allowed.length === 1 ? type.allowed.join() : `${type.allowed.slice(0, -1).join(', ')} or ${type.allowed.at(-1) ?? ''}`;
    case 'text':
      return 'any text';
    case 'agent-writes':
      return `none, or some of ${AGENT_WRITES.join(', ')}, each also for one node only (configuration@node1)`;
    case 'amount-of-time':
      return 'a time such as 30, 30s, 5min, 2h or 200ms (without a unit: seconds)';
    case 'date':
      return 'a date such as 2026-01-31 20:00:00Z';
    case 'score':
      return 'an integer, INFINITY or -INFINITY';
    case 'or-default':
      return `default, or ${acceptedForms(type.of)}`;
  }
}

const DURATION = 'a time such as 30, 30s, 5min, 2h, 200ms or PT5M (without a unit: seconds)';
/** What may follow an integer without saying anything. */
const NOTHING_LOST = /^(?:\.0*)?\s*$/;
const WHOLE_NUMBER = /^\d{1,9}$/;

/** The number of an integer option; infinities are ±Infinity. Undefined when the text is none. */
export function integerOf(text: string): number | undefined {
  if (text === 'INFINITY' || text === '+INFINITY') return Infinity;
  return text === '-INFINITY' ? -Infinity : parseInteger(text);
}

/** A share of something, as written. */
export type Share = { readonly by: 'count'; readonly count: number } | { readonly by: 'percent'; readonly percent: number };

/** Reads `3` or `30%`; undefined for anything else. */
export function parseShare(text: string): Share | undefined {
  const number = text.endsWith('%') ? text.slice(0, -1) : text;
  if (!WHOLE_NUMBER.test(number) || Number(number) < 1) return undefined;
  if (number === text) return { by: 'count', count: Number(number) };
  return Number(number) <= 100 ? { by: 'percent', percent: Number(number) } : undefined;
}

/** Reads `80%` or `80`; undefined for anything else. */
export function parsePercentage(text: string): number | undefined {
  const number = text.trim().replace(/%$/, '');
  return WHOLE_NUMBER.test(number) && Number(number) >= 1 ? Number(number) : undefined;
}
