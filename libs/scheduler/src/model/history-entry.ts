import { parseInteger, type XmlElement } from '@systole/cib';
import { isDigit, sameText } from './names.js';

/** Decoded `ACTION:TRANSITION:TARGETRC:UUID` of a transition key or magic. */
export interface TransitionKey {
  readonly transition: number;
  readonly expected: number;
  readonly uuid: string;
}

/** Execution status of an operation that is still running, and of one that ended well (specification 03 §7.4). */
export const PENDING = -1;
export const DONE = 0;
export const NOT_INSTALLED = 7;
/** Result code of what does not run (specification 03 §7.5). */
export const NOT_RUNNING = 7;

/** One `lrm_rsc_op` (specification 03 §7.3, §7.4): what the element says by itself. */
export class HistoryEntry {
  readonly id: string | undefined;
  readonly operation: string | undefined;
  /** Milliseconds. */
  readonly interval: number;
  /** Undefined when missing or not a number. */
  readonly status: number | undefined;
  readonly rc: number | undefined;
  /** From the transition key; -1 when it can't be told. */
  readonly expected: number;

  constructor(readonly element: XmlElement) {
    const { attributes } = element;
    this.id = attributes['id'];
    this.operation = attributes['operation'];
    this.interval = parseInteger(attributes['interval']) ?? 0;
    this.status = parseInteger(attributes['op-status']);
    this.rc = parseInteger(attributes['rc-code']);
    this.expected = expectedResult(attributes['transition-key'] ?? '');
  }

  // What follows is read on demand: only the order of several entries, the age of failures and changed definitions depend on it.

  get onNode(): string | undefined {
    return this.element.attributes['on_node'];
  }

  get callId(): number {
    return parseInteger(this.element.attributes['call-id']) ?? -1;
  }

  /** Epoch seconds; undefined when missing or not a number. */
  get lastRcChange(): number | undefined {
    return parseInteger(this.element.attributes['last-rc-change']);
  }

  get magic(): TransitionKey | undefined {
    const magic = /^-?\d+:-?\d+;-?\d+:(-?\d+):(-?\d+):(.+)$/.exec(this.element.attributes['transition-magic'] ?? '');
    return magic ? { transition: Number(magic[1]), expected: Number(magic[2]), uuid: magic[3] ?? '' } : undefined;
  }
}

/** Third part of a transition key of four: the result that was expected; -1 when the key is malformed. In one pass: a status has a key for each entry. */
function expectedResult(key: string): number {
  let at = 0;
  let part = 0;
  for (let parts = 0; parts < 3; parts++) {
    const negative = key.charCodeAt(at) === MINUS;
    const digits = negative ? at + 1 : at;
    part = 0;
    for (at = digits; isDigit(key.charCodeAt(at)); at++) part = part * 10 + key.charCodeAt(at) - ZERO;
    if (at === digits || key.charCodeAt(at) !== COLON) return -1;
    if (negative) part = -part;
    at++;
  }
  return at === key.length ? -1 : part;
}

const MINUS = 0x2d;
const COLON = 0x3a;
const ZERO = 0x30;

/** The key under which failures are recorded. */
export function entryKey(entry: HistoryEntry): string {
  return entry.element.attributes['operation_key'] || (entry.id ?? '');
}

/** Order of two entries: negative when `a` happened first (specification 03 §7.3). It is no total order. */
export function compareEntries(a: HistoryEntry, b: HistoryEntry): number {
  const sameNode = sameText(a.onNode, b.onNode);
  if (sameNode && a.id === b.id) return 0;
  const callA = a.callId;
  const callB = b.callId;
  if (callA === -1 && callB === -1) return 0;
  if (sameNode && callA >= 0 && callA < callB) return -1;
  if (sameNode && callB >= 0 && callA > callB) return 1;
  if (callA >= 0 && callB >= 0) {
    const timeA = a.lastRcChange ?? -1;
    const timeB = b.lastRcChange ?? -1;
    if (timeA >= 0 && timeA < timeB) return -1;
    if (timeB >= 0 && timeA > timeB) return 1;
    return 0;
  }
  const magicA = a.magic;
  const magicB = b.magic;
  if (!magicA || !magicB) return 0;
  if (!sameText(magicA.uuid, magicB.uuid) || magicA.transition === magicB.transition) {
    if (callB === -1) return -1;
    return callA === -1 ? 1 : 0;
  }
  if ((magicA.transition >= 0 && magicA.transition < magicB.transition) || magicB.transition === -1) return -1;
  if ((magicB.transition >= 0 && magicA.transition > magicB.transition) || magicA.transition === -1) return 1;
  return 0;
}

/** Indexes of the last start-like and the last stop entry (specification 03 §7.8); -1 when there is none. */
export function activityIndexes(entries: readonly HistoryEntry[]): { start: number; stop: number } {
  let start = -1;
  let stop = -1;
  let impliedMonitor = -1;
  let impliedClone = -1;
  let index = 0;
  for (const { operation, element } of entries) {
    const { 'op-status': status, 'rc-code': rc } = element.attributes;
    if (sameText(operation, 'stop') && status === '0') stop = index;
    else if (sameText(operation, 'start') || sameText(operation, 'migrate_from')) start = index;
    else if (impliedMonitor <= stop && sameText(operation, 'monitor')) {
      if (rc === '0' || rc === '8') impliedMonitor = index;
    } else if (sameText(operation, 'promote') || sameText(operation, 'demote')) impliedClone = index;
    index++;
  }
  if (start === -1) start = impliedClone !== -1 ? impliedClone : impliedMonitor;
  return { start, stop };
}
