import type { EvidenceFault } from './evidence-fault.js';
import type { KnownStatement, SignedHead } from './known-statements.js';
import type { HeadsStatement } from './signed-heads.js';

/** The event with which the log of a cluster tells that it went back: what it had was lost, and is written anew. */
export const EPOCH_BEGAN = 'EpochBegan';

/** Such an event. */
export interface Epoch {
  readonly version: number;
  /** For people: when it began, and why. */
  readonly text: string;
}

/** A stream that is not as statements say that were published, and are not in the file: it was written anew, cut off, or left out. */
export interface Divergence {
  readonly streamId: string;
  /** What it is where nothing tells of a restore. */
  readonly otherwise: EvidenceFault;
  /** Newest version of which a statement and the file say the same; 0: of none. */
  readonly agreed: number;
  /** First version that is known not to be as it was signed. */
  readonly from: number;
  /** The newest that was signed. */
  readonly signed: SignedHead;
  /** Statements that contradict the stream. */
  readonly by: ReadonlySet<KnownStatement>;
  /** In the stream, in their order. */
  readonly epochs: readonly Epoch[];
}

/** An epoch that tells of a loss. */
interface Restore {
  readonly streamId: string;
  readonly epoch: Epoch;
}

/**
 * What is said of what was published and is not so. Where a stream has an epoch of its own that began behind what both have, the log tells itself that its end was lost; the database is restored as a whole, so that its other
 * streams lost theirs with it.
 *
 * @param past statements that were published, are not in the file, and go on from what is
 */
export function judgeDivergences(divergences: readonly Divergence[], past: ReadonlySet<KnownStatement>): readonly EvidenceFault[] {
  const lost = divergences.filter(({ by }) => [...by].every((statement) => past.has(statement)));
  const restore = lost.map(toldBy).find((told) => told !== undefined);
  if (restore === undefined) return divergences.map(({ otherwise }) => otherwise);
  return [
    ...divergences.map((one) => (lost.includes(one) ? lostTail(one, restore) : one.otherwise)),
    lostStatements([...past].map(({ statement }) => statement)),
  ];
}

function toldBy({ streamId, agreed, epochs }: Divergence): Restore | undefined {
  const epoch = epochs.find(({ version }) => version > agreed);
  return epoch === undefined ? undefined : { streamId, epoch };
}

function lostTail(divergence: Divergence, restore: Restore): EvidenceFault {
  const { streamId, agreed, from, signed } = divergence;
  const own = toldBy(divergence)?.epoch;
  const latest = Math.min(from, own?.version ?? from);
  const since = agreed + 1 === latest ? `version ${String(latest)}` : `a version between ${String(agreed + 1)} and ${String(latest)}`;
  const told =
    own === undefined
      ? `It has no epoch of its own; that of ${restore.streamId} at version ${String(restore.epoch.version)} tells of the restore (${restore.epoch.text})`
      : `The epoch that began at version ${String(own.version)} tells of it (${own.text})`;
  const detail = `from ${since} on the log was lost, and written anew; up to version ${String(signed.version)} it had been signed. ${told}`;
  return { fault: 'lost-tail', streamId, version: latest, statement: signed.by.statement.number, detail };
}

function lostStatements(statements: readonly HeadsStatement[]): EvidenceFault {
  const [first, last] = [statements[0], statements.at(-1)];
  const numbers = first === last ? `statement ${String(first?.number)}` : `statements ${String(first?.number)} to ${String(last?.number)}`;
  const detail = `${numbers}, signed from ${String(first?.signedAt)} to ${String(last?.signedAt)} and published, are of what was lost`;
  return { fault: 'lost-statements', ...(first === undefined ? {} : { statement: first.number }), detail };
}
