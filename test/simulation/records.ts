import type { ClusterEvent } from '@systole/cluster';
import type { StoredEvent } from '@systole/control-plane/memory';
import type { JournalRecord } from '@systole/node-session';
import type { AgentResult } from '@systole/protocol';

type Reported = Extract<ClusterEvent, { type: 'OperationRecorded' | 'FencingCompleted' }>;

/** What was acknowledged, told and written, by the notes of those who were there: the log is held against it. */
export class Records {
  /** Results that some node wrote into its journal, or told of, by id. */
  private readonly results = new Map<string, { readonly node: string; readonly incarnation: number; readonly result: AgentResult }>();
  private readonly acknowledgedResults = new Set<string>();
  private readonly acknowledgedEvents: ClusterEvent[] = [];
  /** What the log held once and lost with its tail; that it was acknowledged is excused. */
  private readonly lost = new Set<ClusterEvent>();
  private readonly lostResults = new Set<string>();

  constructor(private readonly violate: (text: string) => void) {}

  /** A node is about to write into its journal. */
  noteWriting(node: string, records: readonly JournalRecord[]): void {
    for (const record of records) {
      if (record.kind === 'result') {
        const { result, incarnation } = record;
        this.results.set(result.resultId, { node, incarnation, result });
      }
      if (record.kind === 'acknowledged') for (const id of record.resultIds) this.acknowledgedResults.add(id);
      if (record.kind === 'refused' || record.kind === 'reduced')
        this.violate(`the server refused a result of ${node}: ${JSON.stringify(record)}`);
    }
  }

  /** A node tells the server of results; those that it can't write, as its disk is full, too. */
  noteTelling(node: string, incarnation: number, results: readonly AgentResult[]): void {
    for (const result of results) {
      if (!this.results.has(result.resultId)) this.results.set(result.resultId, { node, incarnation, result });
    }
  }

  /** An operator was told that this was done. */
  noteAcknowledged(events: readonly ClusterEvent[]): void {
    this.acknowledgedEvents.push(...events);
  }

  /** These events are not in the log any more. */
  noteLost(events: readonly StoredEvent[]): void {
    for (const { event } of events) {
      this.lost.add(event);
      const id = resultIdOf(event);
      if (id !== undefined) this.lostResults.add(id);
    }
  }

  /** What the log holds as a node's word is what that node said, and can be carried everywhere. */
  check(event: ClusterEvent): void {
    if (!isCarriable(event.data))
      this.violate(`text: ${event.type} holds what XML can not carry: ${JSON.stringify(event.data).slice(0, 300)}`);
    const id = resultIdOf(event);
    if (id === undefined || !isReported(event)) return;
    const said = this.results.get(id);
    if (said === undefined) this.violate(`result ${id} is recorded, and no journal has it`);
    else if (event.type === 'OperationRecorded') {
      const { node, incarnation, operation, rc, status } = event.data;
      const { result } = said;
      if (
        node !== said.node ||
        incarnation !== said.incarnation ||
        operation !== result.operation ||
        rc !== result.rc ||
        status !== result.status
      )
        this.violate(`result ${id} is recorded as ${JSON.stringify(event.data)}, and ${said.node} reported ${JSON.stringify(result)}`);
    }
  }

  /** S2, at the end: what was acknowledged is there, once. @returns what is not */
  findMissing(stream: readonly StoredEvent[]): string | undefined {
    const present = new Set(stream.map(({ event }) => event));
    const missing = this.acknowledgedEvents.find((event) => !present.has(event) && !this.lost.has(event));
    if (missing !== undefined) return `S2: ${missing.type} was acknowledged and is not there`;
    const recorded = new Set<string>();
    for (const { event } of stream) {
      const id = resultIdOf(event);
      if (id === undefined) continue;
      if (recorded.has(id)) return `result ${id} is recorded twice`;
      recorded.add(id);
    }
    const unrecorded = [...this.acknowledgedResults].find((id) => !recorded.has(id) && !this.lostResults.has(id));
    return unrecorded === undefined ? undefined : `S2: result ${unrecorded} was acknowledged and is not recorded`;
  }
}

function isReported(event: ClusterEvent): event is Reported {
  return event.type === 'OperationRecorded' || event.type === 'FencingCompleted';
}

function resultIdOf(event: ClusterEvent): string | undefined {
  return isReported(event) ? event.data.resultId : undefined;
}

function isCarriable(value: unknown): boolean {
  if (typeof value === 'string') return Array.from(value).every(isXmlCharacter);
  return typeof value !== 'object' || value === null || Object.values(value).every(isCarriable);
}

/** `Char` of XML 1.0; a surrogate on its own is none. */
function isXmlCharacter(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return (code < 0xd800 || code > 0xdfff) && code !== 0xfffe && code !== 0xffff;
}
