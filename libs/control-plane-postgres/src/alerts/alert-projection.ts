import { alertOrders, evolve, hasAlerts, type AlertOrder, type ClusterEvent, type ClusterState } from '@systole/cluster';
import type { ClusterLog } from '@systole/control-plane';
import type { EventStore } from '@systole/event-store';
import type { AlertRuns } from './alert-runs.js';

/** What alerts are made from. */
export interface AlertProjectionParts {
  readonly runs: AlertRuns;
  readonly log: Pick<ClusterLog, 'load' | 'loadAt' | 'heads'>;
  readonly store: Pick<EventStore<ClusterEvent>, 'readStream'>;
  /** Hears what goes wrong; it is tried again. */
  readonly onTrouble: (error: unknown) => void;
  /** How often all clusters are looked over, ms; default 30,000. */
  readonly sweepMs?: number;
}

const SWEEP_MS = 30_000;
/** Events of one step: what they come to is written in one go. */
const PAGE = 200;
/** A step ends with the event that has come to so many runs: each node of a large cluster is told of each that joins, and all of that is one statement. */
const MOST_ORDERS = 5_000;
/** Clusters that are looked at at the same time; further ones wait for their turn. */
const MOST_TURNS = 4;
/** A place of a cluster without alerts is written anew when it is so far behind: nothing is to be told meanwhile, and it costs little to look at it again. */
const WRITE_PLACE_EVERY = 1_000;

/**
 * Makes runs of alerts from the event log, cluster by cluster: each event is looked at once, with the configuration as it was then. The place up to which that is so is moved together with writing down what is to be run, so
 * that whatever ends a worker, and however many there are, nothing is told twice and nothing is left out. Nothing else waits for it.
 */
export class AlertProjection {
  readonly #waiting = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #again = new Set<string>();
  /** The state at the place of a cluster with alerts, so that the next event is folded onto it. */
  readonly #folded = new Map<string, ClusterState>();
  /** How far clusters without alerts were looked at, where that is not written. */
  readonly #seen = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;
  #ended = false;

  constructor(private readonly parts: AlertProjectionParts) {}

  start(): void {
    this.#timer = setInterval(() => void this.sweep(), this.parts.sweepMs ?? SWEEP_MS);
    this.#timer.unref();
    void this.sweep();
  }

  /** Has a cluster looked at. Returns at once. */
  want(clusterId: string): void {
    if (this.#ended) return;
    if (this.#running.has(clusterId)) this.#again.add(clusterId);
    else this.#waiting.add(clusterId);
    this.#begin();
  }

  /** Looks over all clusters, and ends runs that nobody took. Never rejects. */
  async sweep(): Promise<void> {
    this.#sweeping ??= this.#sweep()
      .catch(this.parts.onTrouble)
      .finally(() => {
        this.#sweeping = undefined;
      });
    await this.#sweeping;
  }

  /** Begins no more, and waits for what is under way. */
  async close(): Promise<void> {
    this.#ended = true;
    clearInterval(this.#timer);
    this.#waiting.clear();
    await Promise.allSettled([...this.#running.values(), this.#sweeping]);
  }

  async #sweep(): Promise<void> {
    const heads = await this.parts.log.heads();
    const ids = new Set(heads.map(({ id }) => id));
    for (const kept of [this.#folded, this.#seen]) for (const id of kept.keys()) if (!ids.has(id)) kept.delete(id);
    for (const { id, version } of heads) if (this.#seen.get(id) !== version) this.want(id);
    await this.parts.runs.expire();
  }

  #begin(): void {
    for (const clusterId of this.#waiting) {
      if (this.#running.size >= MOST_TURNS || this.#ended) return;
      this.#waiting.delete(clusterId);
      const running = this.#turn(clusterId)
        .catch((error: unknown) => {
          this.#folded.delete(clusterId);
          this.#seen.delete(clusterId);
          this.parts.onTrouble(error);
        })
        .finally(() => {
          this.#running.delete(clusterId);
          if (this.#again.delete(clusterId)) this.#waiting.add(clusterId);
          this.#begin();
        });
      this.#running.set(clusterId, running);
    }
  }

  async #turn(clusterId: string): Promise<void> {
    const { log, runs } = this.parts;
    const head = await log.load(clusterId);
    if (head.existence === 'none') return;
    if (head.existence === 'deleted' || !hasAlerts(head.cib)) {
      await this.#passOver(clusterId, head);
      return;
    }
    // What was passed over without writing it down is of before there was an alert: it is folded, and comes to nothing.
    this.#seen.delete(clusterId);
    let at = await runs.place(clusterId);
    if (at === undefined) {
      await runs.begin(clusterId, 0);
      at = await runs.place(clusterId);
    }
    while (at !== undefined && at !== head.version && !this.#ended) at = await this.#step(clusterId, at, head);
    // Its parts are shared with what others keep of the cluster.
    if (at === head.version) this.#folded.set(clusterId, head);
  }

  /** Nobody is to be told of anything that has happened so far. */
  async #passOver(clusterId: string, head: ClusterState): Promise<void> {
    this.#folded.delete(clusterId);
    const seen = this.#seen.get(clusterId);
    if (seen === undefined || head.version < seen || head.version - seen >= WRITE_PLACE_EVERY) {
      await this.#moveTo(clusterId, head.version);
      this.#seen.set(clusterId, head.version);
    }
  }

  async #moveTo(clusterId: string, version: number): Promise<void> {
    const { runs } = this.parts;
    const place = await runs.place(clusterId);
    if (place === undefined) await runs.begin(clusterId, version);
    else if (place !== version) await runs.advance(clusterId, place, version, []);
  }

  /** @returns where the cluster's place is then; undefined: somebody else moves it */
  async #step(clusterId: string, at: number, head: ClusterState): Promise<number | undefined> {
    const { log, store, runs } = this.parts;
    if (at > head.version) {
      // The log went back in time: what it tells from now on is new.
      this.#folded.delete(clusterId);
      return (await runs.advance(clusterId, at, head.version, [])) ? head.version : undefined;
    }
    const kept = this.#folded.get(clusterId);
    let state = kept?.version === at ? kept : await log.loadAt(clusterId, at);
    const events = await store.readStream(clusterId, { fromVersion: at + 1, toVersion: head.version, limit: PAGE });
    const orders: AlertOrder[] = [];
    let to = head.version;
    for (const { version, occurredAt, actor, correlationId, type, data } of events) {
      const event = { type, data } as ClusterEvent;
      const recorded = { version, occurredAt, actor, correlationId, event };
      const after = evolve(state, recorded);
      orders.push(...alertOrders(recorded, state, after));
      if (type === 'EpochBegan') await runs.leap();
      state = after;
      to = version;
      if (orders.length >= MOST_ORDERS) break;
    }
    if (!(await runs.advance(clusterId, at, to, orders))) return undefined;
    this.#folded.set(clusterId, state);
    return to;
  }
}
