import { epochOf, evolve, initialState, judgeWitness, type ClusterEvent, type ClusterState, type LogHead } from '@systole/cluster';
import {
  HeldTooLong,
  OutcomeUnknown,
  type Append,
  type Appended,
  type AppendMeta,
  type AppendOutcome,
  type ClusterHead,
  type ClusterLog,
  type HeldOutcome,
  LogWentBack,
  type StateAtHead,
} from '../ports/cluster-log.js';
import type { Clock } from '../ports/clock.js';
import type { Delivery, DueDeliveries } from '../ports/dispatches.js';
import type { MemoryDatabase } from './memory-database.js';
import { deliverIn } from './memory-dispatches.js';
import type { StreamHold } from './stream-hold.js';

/** An event as it lies in its stream. */
export interface StoredEvent {
  readonly version: number;
  readonly event: ClusterEvent;
  readonly meta: AppendMeta;
  /** ISO 8601. */
  readonly occurredAt: string;
}

/**
 * What becomes of a commit.
 * - `answered`: it takes place, and its caller hears of it;
 * - `unanswered`: it takes place, and its caller gets OutcomeUnknown;
 * - `late`: its caller gets OutcomeUnknown; it takes place right before the next append is tried, if it still can;
 * - `lost`: its caller gets OutcomeUnknown, and it never takes place.
 */
export type CommitFate = 'answered' | 'unanswered' | 'late' | 'lost';

/** The log as one process sees it: with its own memory of what it folded. */
export class MemoryLog implements ClusterLog {
  /** What was read last of each cluster, and when, monotonic ms. */
  private readonly read = new Map<string, { readonly at: StateAtHead; readonly readAt: number }>();
  private readonly folds = new Map<string, { readonly state: ClusterState; readonly last: StoredEvent | undefined }>();
  /** What was read once and is not there any more. */
  private readonly contradicted = new Map<string, LogHead>();

  /** @param clock of the process; without one nothing was read lately */
  constructor(
    private readonly database: MemoryDatabase,
    private readonly clock?: Pick<Clock, 'monotonic'>,
  ) {}

  async load(clusterId: string): Promise<ClusterState> {
    return (await this.loadHead(clusterId)).state;
  }

  loadHead(clusterId: string): Promise<StateAtHead> {
    const state = this.foldOf(clusterId);
    const witness = this.contradicted.get(clusterId);
    if (witness !== undefined && state.existence === 'active') {
      const verdict = judgeWitness(state, clusterId, witness, this.storedHash(clusterId, witness.version));
      if (verdict === 'contradicted' || verdict === 'told-only') return Promise.reject(new LogWentBack(clusterId, witness));
      this.contradicted.delete(clusterId);
    }
    const at = { state, head: this.headOf(clusterId, state) };
    if (this.clock !== undefined) this.read.set(clusterId, { at, readAt: this.clock.monotonic() });
    return Promise.resolve(at);
  }

  loadRecent(clusterId: string, withinMs: number): Promise<StateAtHead> {
    const last = this.read.get(clusterId);
    const isRecent = last !== undefined && this.clock !== undefined && this.clock.monotonic() - last.readAt <= withinMs;
    return isRecent ? Promise.resolve(last.at) : this.loadHead(clusterId);
  }

  hashAt(clusterId: string, version: number): Promise<string | undefined> {
    return Promise.resolve(this.storedHash(clusterId, version));
  }

  loadAt(clusterId: string, version: number): Promise<ClusterState> {
    const events = this.database.eventsOf(clusterId).slice(0, version);
    return Promise.resolve(events.reduce(folded, initialState()));
  }

  heads(): Promise<readonly ClusterHead[]> {
    const heads = this.database.streams().map((id) => ({ id, version: this.database.eventsOf(id).length }));
    return Promise.resolve(heads.filter(({ id }) => this.foldOf(id).existence === 'active'));
  }

  append(append: Append): Promise<AppendOutcome> {
    return this.appendBy(append);
  }

  async appendHolding(
    clusterId: string,
    withinMs: number,
    decide: (state: ClusterState) => Promise<Append | undefined>,
  ): Promise<HeldOutcome> {
    const held = await this.database.exclusively(async () => {
      await this.database.commitLateOnes();
      const { state } = await this.loadHead(clusterId);
      const hold = this.database.hold(clusterId, withinMs);
      return hold === undefined ? undefined : { hold, state };
    });
    if (held === undefined) return { type: 'busy' };
    const { hold, state } = held;
    try {
      const append = await Promise.race([decide(state), hold.over.then((): 'over' => 'over')]);
      if (append === 'over') throw new HeldTooLong(clusterId, withinMs);
      return append === undefined ? { type: 'nothing' } : await this.appendBy(append, hold);
    } finally {
      this.database.letGo(hold);
    }
  }

  deliver(clusterId: string, decide: (at: StateAtHead) => DueDeliveries | undefined): Promise<readonly Delivery[]> {
    return this.database.exclusivelyOn(clusterId, async () => {
      const due = decide(await this.loadHead(clusterId));
      return due === undefined ? [] : due.waiting.map((waiting) => deliverIn(this.database.tables.dispatches, clusterId, due, waiting));
    });
  }

  appendedBy(clusterId: string, causationId: string, firstVersion: number): Promise<Appended | undefined> {
    const rest = this.database.eventsOf(clusterId).slice(firstVersion - 1);
    const others = rest.findIndex(({ meta }) => meta.causationId !== causationId);
    const mine = others === -1 ? rest : rest.slice(0, others);
    const last = mine.at(-1);
    if (!last) return Promise.resolve(undefined);
    const { version: lastVersion, occurredAt } = last;
    return Promise.resolve({ events: mine.map(({ event }) => event), firstVersion, lastVersion, occurredAt });
  }

  causedBy(clusterId: string, causationId: string, fromVersion: number): Promise<Appended | undefined> {
    const caused = this.database
      .eventsOf(clusterId)
      .find(({ meta, version }) => version >= fromVersion && meta.causationId === causationId);
    return caused === undefined ? Promise.resolve(undefined) : this.appendedBy(clusterId, causationId, caused.version);
  }

  /** The fold of what is there, at once, whatever was there before. */
  foldOf(clusterId: string): ClusterState {
    const events = this.database.eventsOf(clusterId);
    const known = this.folds.get(clusterId);
    const stands = known !== undefined && events[known.state.version - 1] === known.last;
    if (known?.last !== undefined && !stands && !this.contradicted.has(clusterId)) {
      const { version } = known.state;
      this.contradicted.set(clusterId, { epoch: epochOf(known.state, clusterId), version, hash: hashOf(known.last) });
    }
    const before = stands ? known.state : initialState();
    const state = events.slice(before.version).reduce(folded, before);
    this.folds.set(clusterId, { state, last: events.at(-1) });
    return state;
  }

  /** @param hold of the stream, of who holds it */
  private appendBy(append: Append, hold?: StreamHold): Promise<AppendOutcome> {
    const appending = async (): Promise<AppendOutcome> => {
      await this.database.commitLateOnes();
      const fate = this.database.fateOfNextCommit();
      if (fate === 'answered') {
        const outcome = await this.database.transact(append);
        // What was stored is known like what was read.
        if (outcome.type === 'appended') this.foldOf(append.clusterId);
        return outcome;
      }
      if (fate === 'late') this.database.commitLater(append);
      const outcome = fate === 'unanswered' ? await this.database.transact(append) : undefined;
      // Nothing was to be committed.
      if (outcome !== undefined && outcome.type !== 'appended') return outcome;
      throw new OutcomeUnknown(append.clusterId);
    };
    return this.database.exclusivelyOn(append.clusterId, appending, hold);
  }

  private headOf(clusterId: string, state: ClusterState): LogHead {
    const { version } = state;
    return { epoch: epochOf(state, clusterId), version, hash: this.storedHash(clusterId, version) ?? '' };
  }

  private storedHash(clusterId: string, version: number): string | undefined {
    const stored = this.database.eventsOf(clusterId)[version - 1];
    return stored === undefined ? undefined : hashOf(stored);
  }
}

/** Another one for each event that was ever stored. */
function hashOf({ version, meta }: StoredEvent): string {
  return `${meta.causationId}/${String(version)}`;
}

/** What each event made of what was before it: the same for all processes, and an event has one place in one stream. */
const FOLDED = new WeakMap<StoredEvent, ClusterState>();

function folded(before: ClusterState, stored: StoredEvent): ClusterState {
  const { version, occurredAt, meta, event } = stored;
  const state = FOLDED.get(stored) ?? evolve(before, { version, occurredAt, actor: meta.actor, correlationId: meta.correlationId, event });
  FOLDED.set(stored, state);
  return state;
}
