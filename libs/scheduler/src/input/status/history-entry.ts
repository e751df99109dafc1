import type { XmlElement } from '@systole/cib';
import type { CibContext } from '../context.js';
import { sameText } from '../../model/names.js';

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

/** One `lrm_rsc_op` (specification 03 §7.3, §7.4), parsed once. */
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
  /** `op-restart-digest`, which an expired failure replaces. */
  restartDigest: string | undefined;

  constructor(
    private readonly cib: CibContext,
    readonly element: XmlElement,
  ) {
    const { attributes } = element;
    this.id = attributes['id'];
    this.operation = attributes['operation'];
    this.interval = cib.integer(attributes['interval']) ?? 0;
    this.status = cib.integer(attributes['op-status']);
    this.rc = cib.integer(attributes['rc-code']);
    const key = /^-?\d+:-?\d+:(-?\d+):.+$/.exec(attributes['transition-key'] ?? '');
    this.expected = key ? Number(key[1]) : -1;
    this.restartDigest = attributes['op-restart-digest'];
  }

  // What follows is read on demand: only the order of several entries and the age of failures depend on it.

  get onNode(): string | undefined {
    return this.element.attributes['on_node'];
  }

  get callId(): number {
    return this.cib.integer(this.element.attributes['call-id']) ?? -1;
  }

  /** Epoch seconds; undefined when missing or not a number. */
  get lastRcChange(): number | undefined {
    return this.cib.integer(this.element.attributes['last-rc-change']);
  }

  get magic(): TransitionKey | undefined {
    const magic = /^-?\d+:-?\d+;-?\d+:(-?\d+):(-?\d+):(.+)$/.exec(this.element.attributes['transition-magic'] ?? '');
    return magic ? { transition: Number(magic[1]), expected: Number(magic[2]), uuid: magic[3] ?? '' } : undefined;
  }
}

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
