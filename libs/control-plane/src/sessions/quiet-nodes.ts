import type { Clock } from '../ports/clock.js';
import type { Dispatches, DispatchSignals } from '../ports/dispatches.js';
import type { CallingNode } from './session.js';
import type { PollRequest } from '@systole/protocol';

/** However quiet it is, it is looked so often, ms: by then a signal that was lost together with an answer has cost no more than an answer that was lost. */
const LOOK_EVERY_MS = 5_000;
/** A node that has not polled here for so long is not listened for any more, ms. */
const LISTENED_FOR_MS = 30_000;

type Node = Pick<CallingNode, 'clusterId' | 'node'>;
type Asked = Pick<PollRequest, 'incarnation' | 'seq' | 'known'>;

/** What was heard for a node, also between two of its polls. */
interface Ear {
  /** Listens no more. */
  readonly forget: () => void;
  /** How often anything was said. */
  said: number;
  /** What had been said when the newest look began, once it has found nothing. */
  nothingAt: number | undefined;
  /** The newest poll, where it was answered here and in vain. */
  inVain: Asked | undefined;
  /** Monotonic ms. */
  lookedAt: number;
  /** Monotonic ms. */
  usedAt: number;
}

/**
 * Whether anything is open for a node when its poll comes, without a look where nothing can be. Whatever is handed out is said to all processes in the transaction that stores it, and it is
 * listened for a node also while it does not poll. So nothing is open that a look would find, where
 *
 * - the poll before this one, by its number, was answered here and in vain: nothing was given to the node meanwhile that could have been lost, here or by another process;
 * - it names the same actions as that one: none that was open and known then is unknown now;
 * - nothing was said since the last look began that found nothing, and no poll was woken.
 *
 * What is committed and still to be said wakes the poll, which listens already; what is never said is found by the look for all that wait (`DispatchLooks`) as long as nobody was given it. The rest, such as what is put back into a table that was
 * lost, waits for the next look.
 */
export class QuietNodes {
  /** By cluster and node. */
  private readonly ears = new Map<string, Ear>();
  private tidiedAt: number;

  constructor(
    private readonly signals: DispatchSignals,
    private readonly dispatches: Pick<Dispatches, 'anyOpen'>,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {
    this.tidiedAt = clock.monotonic();
  }

  /** As {@link Dispatches.anyOpen}. The poll that asks must listen for signals already. */
  anyOpen({ clusterId, node }: Node, poll: Asked): Promise<boolean> {
    const now = this.clock.monotonic();
    const ear = this.earOf(clusterId, node, now);
    const { inVain, said, nothingAt, lookedAt } = ear;
    ear.inVain = undefined;
    if (nothingAt === said && now - lookedAt < LOOK_EVERY_MS && inVain !== undefined && isNext(poll, inVain)) return Promise.resolve(false);
    ear.nothingAt = undefined;
    ear.lookedAt = now;
    const open = this.dispatches.anyOpen(clusterId, node, poll.known);
    open.then(
      (found) => {
        ear.nothingAt = found ? undefined : said;
      },
      () => undefined,
    );
    return open;
  }

  /** A poll of the node was woken, by whatever: what it is given may be given after it was answered. */
  woken({ clusterId, node }: Node): void {
    const ear = this.ears.get(keyOf(clusterId, node));
    if (ear !== undefined) ear.said += 1;
  }

  /** A poll is about to be answered that there is nothing to do. */
  answeredInVain({ clusterId, node }: Node, { incarnation, seq, known }: Asked): void {
    const ear = this.ears.get(keyOf(clusterId, node));
    if (ear !== undefined && seq !== undefined) ear.inVain = { incarnation, seq, known };
  }

  private earOf(clusterId: string, node: string, now: number): Ear {
    this.tidy(now);
    const key = keyOf(clusterId, node);
    const known = this.ears.get(key);
    if (known !== undefined) {
      known.usedAt = now;
      return known;
    }
    const forget = this.signals.listen(clusterId, node, () => {
      ear.said += 1;
    });
    const ear: Ear = { forget, said: 0, nothingAt: undefined, inVain: undefined, lookedAt: now, usedAt: now };
    this.ears.set(key, ear);
    return ear;
  }

  private tidy(now: number): void {
    if (now - this.tidiedAt < LISTENED_FOR_MS) return;
    this.tidiedAt = now;
    for (const [key, { forget, usedAt }] of this.ears) {
      if (now - usedAt < LISTENED_FOR_MS) continue;
      forget();
      this.ears.delete(key);
    }
  }
}

/** Whether a poll is that which follows another one of the same life, and names the same actions. */
function isNext({ incarnation, seq, known }: Asked, before: Asked): boolean {
  if (incarnation !== before.incarnation || seq === undefined || before.seq === undefined || seq !== before.seq + 1) return false;
  return known.length === before.known.length && known.every((id, index) => id === before.known[index]);
}

/** Cluster ids hold no blanks. */
function keyOf(clusterId: string, node: string): string {
  return `${clusterId} ${node}`;
}
