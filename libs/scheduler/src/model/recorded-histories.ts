import { childrenNamed, type XmlElement, type XmlNode } from '@systole/cib';
import { type Agent, agentOf, isSameAgent } from './agent.js';
import { baseName, mergeSort } from './names.js';
import type { ResourceOperations } from './operation-memory.js';
import { compareEntries, DONE, HistoryEntry, NOT_RUNNING } from './history-entry.js';

/**
 * What an `lrm_resources` records: its `lrm_resource` elements in document order, and what each says by itself, whatever the time and the configuration. A status has
 * thousands of them, of which one or two change between two plans of a settled cluster; so what was read is kept as long as the list, and in columns: nearly
 * all say that a resource does not run there, and no plan has to look at their elements again.
 */
export class RecordedHistories {
  readonly elements: readonly XmlElement[];
  readonly ids: readonly (string | undefined)[];
  /** Mostly one object for all histories of an agent. */
  readonly agents: readonly Agent[];
  /** 1 for what {@link isAbsence} says. */
  private readonly absences: Uint8Array;
  /** With what operations each history was found to agree in all entries that count. */
  private readonly agreements: (ResourceOperations | undefined)[];
  /** Entries in the order of specification 03 §7.3, once asked for. */
  private readonly entries: (readonly HistoryEntry[] | undefined)[];
  /** How many histories there are of each base name, once asked for. */
  private counts: ReadonlyMap<string, number> | undefined;

  private constructor(list: XmlElement) {
    const elements = childrenNamed(list, 'lrm_resource');
    const byType = new Map<string | undefined, Agent>();
    this.elements = elements;
    this.ids = elements.map(({ attributes }) => attributes['id']);
    this.agents = elements.map((history) => sharedAgent(byType, history));
    this.absences = Uint8Array.from(elements, (history) => (isAbsence(history) ? 1 : 0));
    this.agreements = new Array<ResourceOperations | undefined>(elements.length).fill(undefined);
    this.entries = new Array<readonly HistoryEntry[] | undefined>(elements.length).fill(undefined);
  }

  /** What that `lrm_resources` records. The element must never change, as no element does. */
  static of(list: XmlElement): RecordedHistories {
    let recorded = known.get(list);
    if (!recorded) known.set(list, (recorded = new RecordedHistories(list)));
    return recorded;
  }

  /** Whether the history at that place says nothing but that the resource does not run there: one probe found nothing, or one stop ended well. */
  saysOnlyAbsent(place: number): boolean {
    return this.absences[place] === 1;
  }

  /** Whether the history at that place was found to agree with these operations, see {@link noteAgreement}. */
  agrees(place: number, operations: ResourceOperations): boolean {
    return this.agreements[place] === operations;
  }

  /** Notes that all entries of a history that count are as the configuration would have them (specification 03 §12.4). */
  noteAgreement(place: number, operations: ResourceOperations): void {
    this.agreements[place] = operations;
  }

  /** Whether no other history of the list is of that resource, or of another instance of its clone. */
  isAlone(place: number): boolean {
    this.counts ??= countBaseNames(this.ids);
    return this.counts.get(baseName(this.ids[place] ?? '')) === 1;
  }

  /** The entries of the history at that place from reverse document order, stable-sorted (specification 03 §7.3). */
  sorted(place: number): readonly HistoryEntry[] {
    const known = this.entries[place];
    if (known) return known;
    const history = this.elements[place];
    return (this.entries[place] = history ? sortedEntries(history) : []);
  }
}

const known = new WeakMap<XmlElement, RecordedHistories>();

function countBaseNames(ids: readonly (string | undefined)[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) if (id !== undefined) counts.set(baseName(id), (counts.get(baseName(id)) ?? 0) + 1);
  return counts;
}

/** The entries of an `lrm_resource` in document order. */
export function recordedEntries({ children }: XmlElement): HistoryEntry[] {
  const [first] = children;
  // An array that grows has room for more: too much where nearly all have one entry.
  if (children.length === 1 && isEntry(first)) return [new HistoryEntry(first)];
  const entries: HistoryEntry[] = [];
  for (const child of children) if (isEntry(child)) entries.push(new HistoryEntry(child));
  return entries;
}

/** The entries of an `lrm_resource` from reverse document order, stable-sorted (specification 03 §7.3). */
export function sortedEntries(history: XmlElement): readonly HistoryEntry[] {
  const recorded = recordedEntries(history);
  return recorded.length < 2 ? recorded : mergeSort(recorded.reverse(), compareEntries);
}

const isEntry = (node: XmlNode | undefined): node is XmlElement => node?.kind === 'element' && node.name === 'lrm_rsc_op';

/** Its one entry comes to role "Stopped" and nothing else, whatever came before (specification 03 §7.4 to §7.6), unless failures are recorded that may expire. */
function isAbsence({ children }: XmlElement): boolean {
  const [only] = children;
  if (children.length !== 1 || !isEntry(only)) return false;
  const { id, operation, interval, 'op-status': status, 'rc-code': rc } = only.attributes;
  if (id === undefined || id.endsWith('_last_failure_0') || status !== String(DONE)) return false;
  if (interval !== undefined && interval !== '0') return false;
  if (operation === 'monitor') return rc === String(NOT_RUNNING);
  return operation === 'stop' && rc === '0' && new HistoryEntry(only).expected === 0;
}

function sharedAgent(byType: Map<string | undefined, Agent>, history: XmlElement): Agent {
  const agent = agentOf(history);
  const like = byType.get(agent.type);
  if (like && isSameAgent(like, agent)) return like;
  byType.set(agent.type, agent);
  return agent;
}
