import type { Head, JoinAnswer, Witness } from '@systole/protocol';
import { append } from '../journal/queue.js';
import type { NodeState } from '../state.js';
import { update, type Turn } from '../turn.js';

/** Keeps the newest roll call: the next poll shows it. */
export function noteRollCall(turn: Turn, rollCall: string | undefined): void {
  if (rollCall !== undefined && rollCall !== turn.state.rollCall) update(turn, { rollCall });
}

/** A head is journaled when the one on disk is older than this, ms: an older witness is a witness, too. */
const WRITE_EVERY_MS = 10_000;

/** A server that names no epoch has had one only: that of the cluster's id. */
export function epochOf({ epoch, clusterId }: JoinAnswer): string {
  return epoch ?? clusterId;
}

/** Keeps the newest head with which results were acknowledged. One of another epoch than the agent's says nothing: it has to join anew, which a poll tells it. */
export function noteRecorded(turn: Turn, head: Head | undefined): void {
  const { recorded, phase } = turn.state;
  if (head === undefined || phase.kind !== 'member' || head.epoch !== phase.epoch) return;
  if (recorded?.epoch === head.epoch && recorded.version >= head.version) return;
  const { epoch, version, hash, seal } = head;
  update(turn, { recorded: { epoch, version, hash, ...(seal === undefined ? {} : { seal }) } });
}

/** What a poll shows of that: nothing that its witness shows as well. */
export function recordedBeyond({ recorded, witness }: Pick<NodeState, 'recorded' | 'witness'>): Witness | undefined {
  if (recorded === undefined || witness?.epoch !== recorded.epoch) return undefined;
  return recorded.version > witness.version ? recorded : undefined;
}

/** Keeps the newest head: of the present epoch the highest version, and any of a new epoch. One that was told before its server could seal is kept sealed once it is. */
export function noteHead(turn: Turn, head: Head | undefined): void {
  const { witness, witnessWrittenAt, journal, settings } = turn.state;
  if (head === undefined) return;
  const { epoch, version, hash, seal } = head;
  const isKnown = witness?.epoch === epoch && witness.version >= version;
  const sealsKnown = isKnown && witness.version === version && witness.hash === hash && witness.seal === undefined && seal !== undefined;
  if (isKnown && !sealsKnown) return;
  const newest: Witness = { epoch, version, hash, ...(seal === undefined ? {} : { seal }) };
  update(turn, { witness: newest });
  const { tokenMark: token } = settings;
  const onDisk = journal.ahead.witness;
  const changes = onDisk?.witness.epoch !== epoch || onDisk.token !== token;
  if (!changes && turn.now < witnessWrittenAt + WRITE_EVERY_MS) return;
  append(turn, [{ kind: 'witness', witness: newest, token }]);
  update(turn, { witnessWrittenAt: turn.now });
}
