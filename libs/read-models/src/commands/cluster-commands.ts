import { decide, evolve, type ClusterCommand, type ClusterEvent, type ClusterState, type Rejection } from '@systole/cluster';
import {
  TransactionMustRestart,
  VersionConflict,
  type AppendMeta,
  type AppendResult,
  type EventStore,
  type NewEvent,
} from '@systole/event-store';
import type { Pool, PoolClient } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClusterNameTaken } from '../clusters/cluster-catalog.js';
import { inTransaction } from '../postgres/transaction.js';
import { applyToProjections, isProjected } from '../projections.js';
import type { ClusterStates } from '../states/cluster-states.js';
import { eventSubjects } from './event-subjects.js';
import { SerialByKey } from './serial-by-key.js';

/** Conflicts with other processes that are met with another decision before the command is given up. */
const ATTEMPTS = 50;
const LONGEST_PAUSE_MS = 20;

/** Other processes changed the cluster again and again. Nothing was appended; try again. */
export class CommandContention extends Error {
  override readonly name = 'CommandContention';

  constructor(clusterId: string, command: string) {
    super(`${command} met ${ATTEMPTS} conflicting changes of cluster ${clusterId} in a row: try again`);
  }
}

/** What an append came to; for work in the same transaction. */
export interface Appended {
  readonly events: readonly ClusterEvent[];
  readonly firstVersion: number;
  readonly lastVersion: number;
  /** ISO 8601. */
  readonly occurredAt: string;
}

export interface ExecuteOptions extends Omit<AppendMeta, 'command'> {
  /** Another version of the state is refused with 412 `version-mismatch`, instead of deciding again. */
  readonly expectedVersion?: number;
  /** The event's `command`; the command's type when left out. */
  readonly commandName?: string;
  /** Asked in the append's transaction, before the append; `false` leaves everything as it was (no events, `ok`). */
  readonly guard?: (client: PoolClient) => Promise<boolean>;
  /** Done in the append's transaction, after the append; what it throws undoes the append. Not called when there are no events. */
  readonly within?: (client: PoolClient, appended: Appended) => Promise<void>;
}

export type ExecuteResult =
  | {
      readonly ok: true;
      /** Stream version right after; of the state that was judged, when there are no events. */
      readonly version: number;
      /** What was appended; empty when the command changes nothing. */
      readonly events: readonly ClusterEvent[];
    }
  | { readonly ok: false; readonly rejection: Rejection };

export type PreviewResult =
  | {
      readonly ok: true;
      /** The version that was judged. */
      readonly version: number;
      readonly events: readonly ClusterEvent[];
      readonly before: ClusterState;
      /** As if the events had been appended. */
      readonly after: ClusterState;
    }
  | { readonly ok: false; readonly rejection: Rejection };

export interface ClusterCommandsOptions {
  /** Called after each append that committed, e.g. to enqueue the worker's job. Must not throw. */
  readonly onAppended?: (clusterId: string, version: number) => void;
}

/**
 * How everything is asked of a cluster: load the state, decide, append with the version that was judged, and decide again when somebody else
 * was faster. Commands of one process on one cluster go one after the other, so that they do not conflict among themselves.
 */
export class ClusterCommands {
  readonly #serial = new SerialByKey();

  constructor(
    private readonly pool: Pool,
    private readonly store: EventStore<ClusterEvent>,
    private readonly states: ClusterStates,
    private readonly options: ClusterCommandsOptions = {},
  ) {}

  /**
   * @throws {CommandContention}
   * @throws {StoreUnavailable} of the store; with outcome `unknown` the command may have taken place
   */
  async execute(clusterId: string, command: ClusterCommand, options: ExecuteOptions): Promise<ExecuteResult> {
    return this.executeAll(clusterId, [command], options);
  }

  /** The same for several commands, each decided on what those before it make of the state; all or none take place. */
  async executeAll(clusterId: string, commands: readonly ClusterCommand[], options: ExecuteOptions): Promise<ExecuteResult> {
    const name = options.commandName ?? commands[0]?.type ?? 'nothing';
    return this.#serial.run(clusterId, async () => {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        const state = await this.states.load(clusterId);
        const decision = decideAll(commands, state, { ...options, now: new Date().toISOString() });
        if (!decision.ok) return decision;
        const unchanged: ExecuteResult = { ok: true, version: state.version, events: [] };
        if (decision.events.length === 0) return unchanged;
        try {
          const appended = await this.#append(clusterId, name, state.version, decision.events, options);
          if (appended === undefined) return unchanged;
          this.options.onAppended?.(clusterId, appended.lastVersion);
          return { ok: true, version: appended.lastVersion, events: decision.events };
        } catch (error) {
          if (error instanceof ClusterNameTaken) return { ok: false, rejection: nameTaken(error) };
          if (!(error instanceof VersionConflict) && !(error instanceof TransactionMustRestart)) throw error;
          if (attempt > 1) await sleep(Math.random() * LONGEST_PAUSE_MS);
        }
      }
      throw new CommandContention(clusterId, name);
    });
  }

  /**
   * What the command would do; appends nothing.
   *
   * @param now ISO 8601; the events' time in `after`
   */
  async preview(
    clusterId: string,
    command: ClusterCommand,
    options: { readonly actor: string; readonly now: string; readonly expectedVersion?: number },
  ): Promise<PreviewResult> {
    const before = await this.states.load(clusterId);
    const decision = decideAll([command], before, options);
    return decision.ok ? { ...decision, version: before.version, before } : decision;
  }

  async #append(
    clusterId: string,
    command: string,
    version: number,
    events: readonly ClusterEvent[],
    options: ExecuteOptions,
  ): Promise<AppendResult | undefined> {
    const { actor, correlationId, causationId, guard, within } = options;
    const meta: AppendMeta = {
      actor,
      command,
      correlationId,
      ...(causationId === undefined ? {} : { causationId }),
    };
    const drafts = events.map(newEvent);
    if (guard === undefined && within === undefined && !events.some(isProjected)) {
      return this.store.append(clusterId, version, drafts, meta);
    }
    return inTransaction(this.pool, async (client) => {
      if (guard !== undefined && !(await guard(client))) return undefined;
      const appended = await this.store.appendIn(client, clusterId, version, drafts, meta);
      const { firstVersion, lastVersion, occurredAt } = appended;
      for (const [index, event] of events.entries()) {
        if (isProjected(event)) await applyToProjections(client, clusterId, event, firstVersion + index, occurredAt);
      }
      await within?.(client, { events, firstVersion, lastVersion, occurredAt });
      return appended;
    });
  }
}

type DecidedAll =
  | { readonly ok: true; readonly events: readonly ClusterEvent[]; readonly after: ClusterState }
  | { readonly ok: false; readonly rejection: Rejection };

/** Decides one command after the other, each on the state that those before it lead to. The expected version is that of the first. */
function decideAll(
  commands: readonly ClusterCommand[],
  before: ClusterState,
  options: { readonly actor: string; readonly now: string; readonly expectedVersion?: number },
): DecidedAll {
  const { actor, now, expectedVersion } = options;
  const events: ClusterEvent[] = [];
  let after = before;
  for (const [index, command] of commands.entries()) {
    const decision = decide(command, after, index === 0 && expectedVersion !== undefined ? { expectedVersion } : {});
    if (!decision.ok) return decision;
    for (const event of decision.events) {
      events.push(event);
      after = evolve(after, { version: after.version + 1, occurredAt: now, actor, event });
    }
  }
  return { ok: true, events, after };
}

function newEvent(event: ClusterEvent): NewEvent<ClusterEvent> {
  return { ...event, subjects: eventSubjects(event) };
}

function nameTaken(error: ClusterNameTaken): Rejection {
  return { code: 'cluster-exists', status: 409, message: error.message, pointer: '/name', currentVersion: 0 };
}
