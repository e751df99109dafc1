import { childrenNamed, type XmlElement } from '@systole/cib';
import type { CibContext } from '../context.js';
import { mergeSort, sameText } from '../../model/names.js';

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
export interface HistoryEntry {
  readonly element: XmlElement;
  readonly id: string | undefined;
  readonly operation: string | undefined;
  /** Milliseconds. */
  readonly interval: number;
  readonly callId: number;
  /** Undefined when missing or not a number. */
  readonly status: number | undefined;
  readonly rc: number | undefined;
  /** From the transition key; -1 when it can't be told. */
  readonly expected: number;
  /** Epoch seconds; undefined when missing or not a number. */
  readonly lastRcChange: number | undefined;
  readonly onNode: string | undefined;
  readonly magic: TransitionKey | undefined;
  /** `op-restart-digest`, which an expired failure replaces. */
  restartDigest: string | undefined;
}

/** Parses an entry. */
export function readEntry(cib: CibContext, element: XmlElement): HistoryEntry {
  const { attributes } = element;
  const magic = /^-?\d+:-?\d+;-?\d+:(-?\d+):(-?\d+):(.+)$/.exec(attributes['transition-magic'] ?? '');
  const key = /^-?\d+:-?\d+:(-?\d+):.+$/.exec(attributes['transition-key'] ?? '');
  return {
    element,
    id: attributes['id'],
    operation: attributes['operation'],
    interval: cib.integer(attributes['interval']) ?? 0,
    callId: cib.integer(attributes['call-id']) ?? -1,
    status: cib.integer(attributes['op-status']),
    rc: cib.integer(attributes['rc-code']),
    expected: key ? Number(key[1]) : -1,
    lastRcChange: cib.integer(attributes['last-rc-change']),
    onNode: attributes['on_node'],
    magic: magic ? { transition: Number(magic[1]), expected: Number(magic[2]), uuid: magic[3] ?? '' } : undefined,
    restartDigest: attributes['op-restart-digest'],
  };
}

/** The key under which failures are recorded. */
export function entryKey(entry: HistoryEntry): string {
  return entry.element.attributes['operation_key'] || (entry.id ?? '');
}

/** Order of two entries: negative when `a` happened first (specification 03 §7.3). It is no total order. */
export function compareEntries(a: HistoryEntry, b: HistoryEntry): number {
  const sameNode = sameText(a.onNode, b.onNode);
  if (sameNode && a.id === b.id) return 0;
  if (a.callId === -1 && b.callId === -1) return 0;
  if (sameNode && a.callId >= 0 && a.callId < b.callId) return -1;
  if (sameNode && b.callId >= 0 && a.callId > b.callId) return 1;
  if (a.callId >= 0 && b.callId >= 0) {
    const timeA = a.lastRcChange ?? -1;
    const timeB = b.lastRcChange ?? -1;
    if (timeA >= 0 && timeA < timeB) return -1;
    if (timeB >= 0 && timeA > timeB) return 1;
    return 0;
  }
  if (!a.magic || !b.magic) return 0;
  if (!sameText(a.magic.uuid, b.magic.uuid) || a.magic.transition === b.magic.transition) {
    if (b.callId === -1) return -1;
    return a.callId === -1 ? 1 : 0;
  }
  if ((a.magic.transition >= 0 && a.magic.transition < b.magic.transition) || b.magic.transition === -1) return -1;
  if ((b.magic.transition >= 0 && a.magic.transition > b.magic.transition) || a.magic.transition === -1) return 1;
  return 0;
}

/** All history of the status section, parsed and sorted on demand. */
export class HistoryArchive {
  private readonly entries = new Map<XmlElement, HistoryEntry>();
  private readonly sorted = new Map<XmlElement, HistoryEntry[]>();
  /** Node name -> resource id -> its `lrm_resource` elements. */
  private index: Map<string, Map<string, XmlElement[]>> | undefined;

  constructor(
    private readonly cib: CibContext,
    private readonly status: XmlElement | undefined,
  ) {}

  entry(element: XmlElement): HistoryEntry {
    let entry = this.entries.get(element);
    if (!entry) {
      entry = readEntry(this.cib, element);
      this.entries.set(element, entry);
    }
    return entry;
  }

  /** Entries of an `lrm_resource`, from reverse document order, stable-sorted (specification 03 §7.3). */
  of(resource: XmlElement): readonly HistoryEntry[] {
    let entries = this.sorted.get(resource);
    if (!entries) {
      entries = mergeSort(
        childrenNamed(resource, 'lrm_rsc_op')
          .reverse()
          .map((element) => this.entry(element)),
        compareEntries,
      );
      this.sorted.set(resource, entries);
    }
    return entries;
  }

  /** The `lrm_resource` elements of a resource on a node, names compared exactly (specification 03 §10.1). */
  resourcesOf(node: string, resource: string): readonly XmlElement[] {
    this.index ??= this.build();
    return this.index.get(node)?.get(resource) ?? [];
  }

  /** The history of a node, when the status section has exactly one for that very name (specification 03 §12.1). */
  elementsOf(node: string): readonly XmlElement[] {
    const found = (this.status ? childrenNamed(this.status, 'node_state') : [])
      .filter(({ attributes }) => attributes['uname'] === node)
      .flatMap((state) => childrenNamed(state, 'lrm'))
      .flatMap((lrm) => childrenNamed(lrm, 'lrm_resources'));
    const [only] = found;
    return only && found.length === 1 ? childrenNamed(only, 'lrm_resource') : [];
  }

  private build(): Map<string, Map<string, XmlElement[]>> {
    const index = new Map<string, Map<string, XmlElement[]>>();
    for (const state of this.status ? childrenNamed(this.status, 'node_state') : []) {
      const { uname } = state.attributes;
      if (uname === undefined) continue;
      let resources = index.get(uname);
      if (!resources) index.set(uname, (resources = new Map<string, XmlElement[]>()));
      for (const resource of historyElements(state)) {
        const id = resource.attributes['id'];
        if (id === undefined) continue;
        const list = resources.get(id);
        if (list) list.push(resource);
        else resources.set(id, [resource]);
      }
    }
    return index;
  }
}

/** The `lrm_resource` elements below a `node_state`. */
export function historyElements(state: XmlElement): XmlElement[] {
  const [lrm] = childrenNamed(state, 'lrm');
  const [resources] = lrm ? childrenNamed(lrm, 'lrm_resources') : [];
  return resources ? childrenNamed(resources, 'lrm_resource') : [];
}

/** Indexes of the last start-like and the last stop entry (specification 03 §7.8); -1 when there is none. */
export function activityIndexes(entries: readonly HistoryEntry[]): { start: number; stop: number } {
  let start = -1;
  let stop = -1;
  let impliedMonitor = -1;
  let impliedClone = -1;
  for (const [index, { operation, element }] of entries.entries()) {
    const { 'op-status': status, 'rc-code': rc } = element.attributes;
    if (sameText(operation, 'stop') && status === '0') stop = index;
    else if (sameText(operation, 'start') || sameText(operation, 'migrate_from')) start = index;
    else if (impliedMonitor <= stop && sameText(operation, 'monitor')) {
      if (rc === '0' || rc === '8') impliedMonitor = index;
    } else if (sameText(operation, 'promote') || sameText(operation, 'demote')) impliedClone = index;
  }
  if (start === -1) start = impliedClone !== -1 ? impliedClone : impliedMonitor;
  return { start, stop };
}
