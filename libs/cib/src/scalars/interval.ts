import { readInteger, skipDigits, skipSpace } from './integer.js';
import { isoDurationSeconds } from '../time/iso-duration.js';

const MAX_INTERVAL_MS = 4_294_967_295;
const MAX_ISO_INTERVAL_MS = 4_294_967_000;
const MAX_TIMEOUT_MS = 2_147_483_647;

/** The timeout of an action that configures none (specification 01 §10.6), in ms. */
export const DEFAULT_TIMEOUT_MS = 20_000;

/**
 * Reads an interval specification: a number with a unit (`10`, `10s`, `5 min`, `200ms`) or an ISO 8601 duration (`PT1M`), in ms
 * (specification 01 §10.5). A missing text is 0; an invalid or negative one is undefined, and most consumers take 0 then
 * ({@link intervalMs}).
 */
export function parseInterval(text: string | undefined): number | undefined {
  if (text === undefined) return 0;
  if (text.startsWith('P')) {
    const seconds = isoDurationSeconds(text);
    return seconds === undefined || seconds < 0 ? undefined : Math.min(seconds * 1000, MAX_ISO_INTERVAL_MS);
  }
  const amount = numberWithUnit(text);
  return amount === undefined || amount.ms < 0 ? undefined : Math.min(amount.ms, MAX_INTERVAL_MS);
}

/** An interval in ms, 0 when missing or invalid; operations with 0 do not recur. */
export function intervalMs(text: string | undefined): number {
  return parseInterval(text) ?? 0;
}

/** An operation's timeout in ms: number and unit only; 20 s when missing, invalid or not positive (specification 01 §10.6). */
export function timeoutMs(text: string | undefined): number {
  const amount = text === undefined ? undefined : numberWithUnit(text);
  if (amount === undefined || amount.outOfRange || amount.ms <= 0) return DEFAULT_TIMEOUT_MS;
  return Math.min(amount.ms, MAX_TIMEOUT_MS);
}

/** An operation's start delay in ms: number and unit only; 0 when missing, invalid or negative (specification 01 §10.6). */
export function startDelayMs(text: string | undefined): number {
  const amount = text === undefined ? undefined : numberWithUnit(text);
  return amount === undefined || amount.ms < 0 ? 0 : Math.min(amount.ms, MAX_TIMEOUT_MS);
}

/** Whether a text is what {@link timeoutMs} and {@link startDelayMs} can read: number and unit only, and not negative. */
export function isAmountOfTime(text: string): boolean {
  const amount = numberWithUnit(text);
  return amount !== undefined && !amount.outOfRange && amount.ms >= 0;
}

/** Number and unit; decimals are skipped, the unit is known by its first letters. Undefined when either is missing or unknown. */
function numberWithUnit(text: string): { readonly ms: number; readonly outOfRange: boolean } | undefined {
  const integer = readInteger(text);
  if (integer === undefined) return undefined;
  let index = integer.end;
  while (text.charAt(index) === '.') index = skipDigits(text, index + 1);
  const ms = toMilliseconds(integer.value, text.slice(skipSpace(text, index)).toLowerCase());
  return ms === undefined ? undefined : { ms, outOfRange: integer.outOfRange };
}

function toMilliseconds(value: number, unit: string): number | undefined {
  if (unit === '' || unit.startsWith('s')) return value * 1000;
  if (unit.startsWith('ms')) return value;
  if (unit.startsWith('us')) return Math.trunc(value / 1000);
  if (unit.startsWith('m')) return value * 60_000;
  if (unit.startsWith('h')) return value * 3_600_000;
  return undefined;
}
