import type { EvidenceFault } from './evidence-fault.js';
import { newestOf, type KnownStatement, type Past, type SignedHead } from './known-statements.js';

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
  /** Heads of which a statement and the file say the same. */
  readonly agreed: readonly SignedHead[];
  /** Heads of those statements that are not so in the file; at least one. */
  readonly contradicted: readonly SignedHead[];
  /** First version that the file does not have. */
  readonly beyond: number;
  /** In the stream, in their order. */
  readonly epochs: readonly Epoch[];
}

/** What a stream lost in one restore. */
interface Loss {
  readonly streamId: string;
  /** Newest version of which the file and the statements from before the restore say the same; 0: of none. */
  readonly agreed: number;
  /** First version that is known not to be as it was signed. */
  readonly from: number;
  /** The newest that was signed. */
  readonly signed: SignedHead;
  /** Epochs of the stream that tell of it: where nothing was signed between two of them, nobody knows which. */
  readonly epochs: readonly Epoch[];
}

/** What one past had and the file has not. */
interface LostPast {
  readonly past: Past;
  readonly losses: readonly Loss[];
  /** Of its losses one that an epoch of its own stream tells of. */
  readonly toldBy: Loss | undefined;
}

/**
 * What is said of what was published and is not so. Where a stream has an epoch of its own that began behind what both have, the log tells itself that its end was lost; the database is restored as a whole, so that its other
 * streams lost theirs with it. Each loss is told by itself: a second restore hides nothing of what the first one lost.
 *
 * @param pasts statements that were published, are not in the file, and go on from what is
 */
export function judgeDivergences(divergences: readonly Divergence[], pasts: readonly Past[]): readonly EvidenceFault[] {
  const explained = new Set(pasts.flatMap(({ statements }) => statements));
  const lost = divergences.filter(({ contradicted }) => contradicted.every(({ by }) => explained.has(by)));
  const judged = pasts.map((past) => lostPast(past, lost));
  const restore = judged.find(({ toldBy }) => toldBy !== undefined)?.toldBy;
  if (restore === undefined) return divergences.map(({ otherwise }) => otherwise);
  const tails = new Map<string, { loss: Loss; told: Loss }>();
  const statements = new Map<string, Set<KnownStatement>>();
  for (const { past, losses, toldBy = restore } of judged) {
    for (const loss of losses) {
      const told = loss.epochs.length > 0 ? loss : toldBy;
      const key = JSON.stringify([loss.streamId, restoreKey(told)]);
      const known = tails.get(key)?.loss;
      tails.set(key, { loss: known === undefined ? loss : together(known, loss), told });
    }
    const known = statements.get(restoreKey(toldBy)) ?? new Set();
    statements.set(restoreKey(toldBy), known);
    for (const statement of past.statements) known.add(statement);
  }
  const tailsOf = (streamId: string): readonly EvidenceFault[] =>
    [...tails.values()].flatMap(({ loss, told }) => (loss.streamId === streamId ? [lostTail(loss, told)] : []));
  return [
    ...divergences.flatMap((one) => (lost.includes(one) ? tailsOf(one.streamId) : [one.otherwise])),
    ...[...statements.values()].map((of) => lostStatements([...of])),
  ];
}

function lostPast(past: Past, divergences: readonly Divergence[]): LostPast {
  const losses = divergences.flatMap((divergence) => {
    const loss = lossOf(divergence, past);
    return loss === undefined ? [] : [loss];
  });
  return { past, losses, toldBy: losses.find(({ epochs }) => epochs.length > 0) };
}

function lossOf({ streamId, agreed, contradicted, beyond, epochs }: Divergence, { statements, complete }: Past): Loss | undefined {
  const own = new Set(statements);
  const heads = contradicted.filter(({ by }) => own.has(by));
  const signed = newestOf(heads);
  const first = statements[0];
  if (signed === undefined || first === undefined) return undefined;
  const cameBefore = ({ by }: SignedHead): boolean =>
    own.has(by) || ((by.inFile || !complete) && by.statement.number < first.statement.number);
  const upTo = newestOf(agreed.filter(cameBefore))?.version ?? 0;
  const from = Math.min(beyond, ...heads.map(({ version }) => version));
  const [next, ...later] = epochs.filter(({ version }) => version > upTo);
  const telling = next === undefined ? [] : [next, ...later.filter(({ version }) => version <= from)];
  return { streamId, agreed: upTo, from, signed, epochs: telling };
}

/** Of one restore, as two pasts tell of it. */
function together(one: Loss, other: Loss): Loss {
  return {
    ...one,
    agreed: Math.max(one.agreed, other.agreed),
    from: Math.min(one.from, other.from),
    signed: newestOf([one.signed, other.signed]) ?? one.signed,
  };
}

function restoreKey({ streamId, epochs }: Loss): string {
  return JSON.stringify([streamId, epochs.map(({ version }) => version)]);
}

function lostTail({ streamId, agreed, from, signed, epochs }: Loss, told: Loss): EvidenceFault {
  const latest = Math.min(from, epochs[0]?.version ?? from);
  const since = agreed + 1 === latest ? `version ${String(latest)}` : `a version between ${String(agreed + 1)} and ${String(latest)}`;
  const tells =
    told.streamId === streamId
      ? began(epochs)
      : `It has no epoch of its own; that of ${told.streamId} ${told.epochs.map(({ version, text }) => `at version ${String(version)} tells of the restore (${text})`).join(', or the one ')}`;
  const detail = `from ${since} on the log was lost, and written anew; up to version ${String(signed.version)} it had been signed. ${tells}`;
  return { fault: 'lost-tail', streamId, version: latest, statement: signed.by.statement.number, detail };
}

function began(epochs: readonly Epoch[]): string {
  const each = epochs.map(({ version, text }) => `at version ${String(version)} tells of it (${text})`);
  const more = each.length > 1 ? '; which of them, nobody knows, as nothing was signed between' : '';
  return `The epoch that began ${each.join(', or the one ')}${more}`;
}

function lostStatements(statements: readonly KnownStatement[]): EvidenceFault {
  const inOrder = statements.map(({ statement }) => statement).sort((one, other) => one.number - other.number);
  const [first, last] = [inOrder[0], inOrder.at(-1)];
  const numbers = first === last ? `statement ${String(first?.number)}` : `statements ${String(first?.number)} to ${String(last?.number)}`;
  const detail = `${numbers}, signed from ${String(first?.signedAt)} to ${String(last?.signedAt)} and published, are of what was lost`;
  return { fault: 'lost-statements', ...(first === undefined ? {} : { statement: first.number }), detail };
}
