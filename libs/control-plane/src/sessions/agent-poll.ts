import {
  checkIncarnation,
  epochOf,
  isTroubledAs,
  knownManaged,
  lostAndFenced,
  memberOf,
  planTime,
  secondBootOf,
  toFenceAction,
  unmanagedResources,
  type ClusterState,
  type LeaseLossPolicy,
  type LeaseLossTelling,
  type LogHead,
  type Rejection,
} from '@systole/cluster';
import type { ClusterCommands } from '../commands/cluster-commands.js';
import type { PollAnswer, PollRequest } from '@systole/protocol';
import { CommandContention } from '../commands/command-results.js';
import type { Clock } from '../ports/clock.js';
import type { ClusterLog, StateAtHead } from '../ports/cluster-log.js';
import type { Delivery, Dispatches, DispatchSignals, Recipient } from '../ports/dispatches.js';
import type { HeadSeals } from '../ports/head-seals.js';
import type { NodeLeases } from '../ports/node-leases.js';
import { Wakeable } from '../time/wakeable.js';
import { LostAnswers } from './lost-answers.js';
import { LeaseLossTellings } from './lease-loss-tellings.js';
import type { Answer, CallingNode, SessionSettings } from './session.js';

/** How often it is looked without any signal, ms. */
const LOOK_MS = 1_000;
/** Troubles of one node are recorded so often, ms. */
const TROUBLES_EVERY_MS = 10_000;
/** That the server comes to wait less for a node is recorded so often, ms. */
const LOWERED_EVERY_MS = 10_000;
const TROUBLES_KEPT = 10;
const TROUBLE_CHARS = 500;
/**
 * An api that has come up, or was away, hands out no order to fence a lost node for so long, ms: it may be of before all were away, and the node about to come back. Agents
 * that find no api ask again within 5 s, and a worker that sees the return judges anew what nobody has begun.
 */
const FENCING_HELD_MS = 6_000;
/** Times that a lease is judged anew because the cluster changed in between. */
const ATTEMPTS = 20;

const NOTHING: Delivery = { actions: [], shutdown: false, withdrawable: false };

export interface AgentPollParts {
  readonly log: Pick<ClusterLog, 'load' | 'loadHead'>;
  readonly commands: ClusterCommands;
  readonly leases: Pick<NodeLeases, 'renew' | 'restore'>;
  readonly dispatches: Pick<Dispatches, 'anyOpen' | 'deliver'>;
  readonly signals: DispatchSignals;
  readonly seals: Pick<HeadSeals, 'sealed'>;
  readonly clock: Clock;
  /** For how long this api has been there for agents without a break, ms. None: for ever. */
  readonly presentForMs?: () => number;
  /** Asks for the cluster to be moved. Must not throw. */
  readonly requestAdvance: (clusterId: string) => void;
  readonly settings: SessionSettings;
}

/** What of a message decides about what its agent is told. */
type Teller = Pick<PollRequest, 'incarnation' | 'witness' | 'watchdog' | 'onLeaseLoss'>;
type Renewal = { readonly ok: true; readonly leaseMs: number } | { readonly ok: false; readonly rejection: Rejection };
type DueDelivery = { readonly ok: true; readonly delivery: Delivery | undefined } | { readonly ok: false; readonly rejection: Rejection };

/** The long poll: renews the lease at once, then waits until there is something for the node to do. */
export class AgentPoll {
  private readonly tellings = new LeaseLossTellings();
  /** When the server last came to wait less for each node, monotonic ms. */
  private readonly loweredAt = new Map<string, number>();
  private readonly lostAnswers: LostAnswers;
  /** When troubles of a node were last recorded, monotonic ms. */
  private readonly troublesNotedAt = new Map<string, number>();

  constructor(private readonly parts: AgentPollParts) {
    this.lostAnswers = new LostAnswers(parts.clock);
  }

  /**
   * A join came once more, as its answer was lost: its incarnation holds the lease, which it renews.
   * @returns the lease's length, ms, and what the agent is told to do when it loses it
   * @throws {CommandContention} when the cluster changes too fast
   */
  async joinedBefore(
    agent: CallingNode,
    at: StateAtHead,
    incarnation: number,
    watchdog: boolean,
    correlationId: string,
  ): Promise<Answer<{ readonly leaseMs: number; readonly onLeaseLoss: LeaseLossPolicy | undefined }>> {
    const renewal = await this.renew(agent, at.state, incarnation);
    if (!renewal.ok) return renewal;
    const told = await this.tell(agent, at, { incarnation, watchdog }, correlationId);
    return told.ok ? { ok: true, answer: { leaseMs: renewal.leaseMs, onLeaseLoss: told.answer } } : told;
  }

  /** The answer to a join is about to be given: the first poll that shows its head proves that it arrived. */
  joined(agent: CallingNode, incarnation: number, told: LeaseLossPolicy, head: LogHead): void {
    this.tellings.answered(agent, incarnation, told, head);
  }

  /**
   * @param loaded the state when the poll came in
   * @param ending abort when nobody waits for the answer any more, or the server is closing
   * @throws {CommandContention} when the cluster changes too fast
   */
  async poll(
    agent: CallingNode,
    loaded: ClusterState,
    request: PollRequest,
    ending: readonly AbortSignal[],
    correlationId: string,
  ): Promise<Answer<PollAnswer>> {
    const { incarnation, waitMs, seq } = request;
    const { clusterId, node } = agent;
    const { clock, signals, settings } = this.parts;
    const renewal = await this.renew(agent, loaded, incarnation);
    if (!renewal.ok) return renewal;
    const { leaseMs } = renewal;
    await this.noteTroubles(agent, loaded, request, correlationId);
    await this.noteSecondMachine(agent, loaded, request, correlationId);
    await this.noteManaged(agent, loaded, request, correlationId);
    const deadline = clock.monotonic() + Math.min(waitMs, settings.pollMs);
    const recipient: Recipient = { node, incarnation, ...(seq === undefined ? {} : { seq }) };
    const wakeable = new Wakeable(clock);
    const forget = signals.listen(clusterId, node, wakeable.wake);
    const isEnding = (): boolean => ending.some(({ aborted }) => aborted);
    try {
      for (;;) {
        const due: DueDelivery = isEnding() ? { ok: true, delivery: undefined } : await this.deliver(clusterId, recipient, request);
        if (!due.ok) return due;
        const { delivery } = due;
        if (delivery?.withdrawable === true) this.parts.requestAdvance(clusterId);
        if (delivery !== undefined && (delivery.actions.length > 0 || delivery.shutdown))
          return await this.answer(agent, request, leaseMs, delivery, correlationId);
        const left = deadline - clock.monotonic();
        if (left <= 0 || isEnding()) return await this.answer(agent, request, leaseMs, NOTHING, correlationId);
        await wakeable.wait(Math.min(left, LOOK_MS), ...ending);
      }
    } finally {
      forget();
    }
  }

  /** Every answer says what the agent must leave alone from now on, should its lease end. */
  private async answer(
    agent: CallingNode,
    request: PollRequest,
    leaseMs: number,
    { actions, shutdown }: Delivery,
    correlationId: string,
  ): Promise<Answer<PollAnswer>> {
    const { log, seals } = this.parts;
    const { clusterId, node } = agent;
    const at = await log.loadHead(clusterId);
    const told = await this.tell(agent, at, request, correlationId);
    if (!told.ok) return told;
    const { state, head } = at;
    this.lostAnswers.answered(agent, request.incarnation, head);
    const unmanaged = unmanagedResources(state, node, planTime(state));
    return {
      ok: true,
      answer: {
        leaseMs,
        actions,
        ...(shutdown ? { shutdown } : {}),
        ...(unmanaged.length === 0 ? {} : { unmanaged }),
        head: seals.sealed(clusterId, head),
        ...(told.answer === undefined ? {} : { onLeaseLoss: told.answer }),
      },
    };
  }

  /** What the agent is told to do when it loses its lease; what the server reckons with from then on is recorded first. */
  private async tell(
    agent: CallingNode,
    { state, head }: StateAtHead,
    { incarnation, witness: shown, watchdog, onLeaseLoss: follows }: Teller,
    correlationId: string,
  ): Promise<Answer<LeaseLossPolicy | undefined>> {
    const { commands, clock } = this.parts;
    const { clusterId, node, actor } = agent;
    const told = { incarnation, watchdog, shown, ...(follows === undefined ? {} : { follows }) };
    const telling = this.tellings.next(agent, state, told, clock.timeOfDay());
    if (telling === undefined) return { ok: true, answer: undefined };
    if (telling.record !== undefined && !this.isLoweredAgain(agent, telling)) {
      const command = { type: 'reckon-with', node, incarnation, policy: telling.record } as const;
      const recorded = await commands.execute(clusterId, command, { actor, correlationId });
      if (!recorded.ok) return recorded;
    }
    this.tellings.answered(agent, incarnation, telling.tell, head);
    return { ok: true, answer: telling.tell };
  }

  /** An agent that says something else each time must not fill the log: what makes the server wait longer is recorded at once, and the way back takes its time. */
  private isLoweredAgain({ clusterId, node }: CallingNode, { lowers }: LeaseLossTelling): boolean {
    if (lowers !== true) return false;
    const name = `${clusterId} ${node}`;
    const now = this.parts.clock.monotonic();
    const last = this.loweredAt.get(name);
    if (last !== undefined && now - last < LOWERED_EVERY_MS) return true;
    this.loweredAt.set(name, now);
    return false;
  }

  /** Shown in the status from now on. Once in a while only: what keeps changing must not fill the log, and the lease is more important. */
  private async noteTroubles(
    { clusterId, node, actor, tokenId }: CallingNode,
    state: ClusterState,
    { incarnation, witness, troubles = [] }: PollRequest,
    correlationId: string,
  ): Promise<void> {
    const { commands, clock } = this.parts;
    const unheard = this.lostAnswers.heard({ clusterId, node, actor, tokenId }, incarnation, witness);
    const told = [...unheard, ...troubles]
      .slice(0, TROUBLES_KEPT)
      .map(({ code, detail }) => ({ code, detail: detail.slice(0, TROUBLE_CHARS) }));
    if (isTroubledAs(state, node, told)) return;
    const name = `${clusterId} ${node}`;
    const last = this.troublesNotedAt.get(name);
    if (last !== undefined && clock.monotonic() - last < TROUBLES_EVERY_MS) return;
    this.troublesNotedAt.set(name, clock.monotonic());
    // Where it can't be recorded now, the next poll says it again.
    const command = { type: 'note-troubles', node, incarnation, troubles: told } as const;
    await commands.execute(clusterId, command, { actor, correlationId }).catch(() => this.troublesNotedAt.delete(name));
  }

  /** Where it can't be recorded now, the next poll shows it again. */
  private async noteManaged(
    { clusterId, node, actor }: CallingNode,
    state: ClusterState,
    { incarnation, witness: shown, unmanaged }: PollRequest,
    correlationId: string,
  ): Promise<void> {
    const resources = knownManaged(state, clusterId, node, { shown, unmanaged });
    if (resources.length === 0) return;
    const command = { type: 'note-managed', node, incarnation, resources } as const;
    await this.parts.commands.execute(clusterId, command, { actor, correlationId }).catch(() => undefined);
  }

  /** Where it can't be recorded now, the next poll shows it again. */
  private async noteSecondMachine(
    { clusterId, node, actor }: CallingNode,
    state: ClusterState,
    { incarnation, witness }: PollRequest,
    correlationId: string,
  ): Promise<void> {
    const bootId = secondBootOf(state, clusterId, node, witness);
    if (bootId === undefined) return;
    const command = { type: 'note-second-machine', node, incarnation, bootId } as const;
    await this.parts.commands.execute(clusterId, command, { actor, correlationId }).catch(() => undefined);
  }

  /** The lease runs from here on: later than the agent sent the poll, so the agent's own count ends first. */
  private async renew({ clusterId, node, tokenId }: CallingNode, loaded: ClusterState, incarnation: number): Promise<Renewal> {
    const { log, leases, settings } = this.parts;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const state = attempt === 1 ? loaded : await log.load(clusterId);
      const refused = refusalOf(state, node, incarnation);
      if (refused) return { ok: false, rejection: refused };
      const renewed = await leases.renew(clusterId, node, incarnation);
      if (renewed !== undefined) return { ok: true, leaseMs: renewed };
      // Ended in between, which the next look shows; or the row is gone and the stream says that the node is joined.
      const leaseMs = memberOf(state, node)?.leaseMs ?? settings.leaseMs;
      if (await leases.restore({ clusterId, node, incarnation, tokenId, leaseMs }, state.version)) return { ok: true, leaseMs };
    }
    throw new CommandContention(clusterId, 'poll', ATTEMPTS);
  }

  /** What is due for the node; only of a transition that is current at the stream's head, and of an aborting one only notifications. */
  private async deliver(clusterId: string, polling: Recipient, { known, witness }: PollRequest): Promise<DueDelivery> {
    const { log, dispatches } = this.parts;
    const { node, incarnation } = polling;
    const nothing: DueDelivery = { ok: true, delivery: undefined };
    if (!(await dispatches.anyOpen(clusterId, node, known))) return nothing;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const state = await log.load(clusterId);
      const refused = refusalOf(state, node, incarnation);
      if (refused) return { ok: false, rejection: refused };
      const { transition, version } = state;
      if (transition === undefined) return nothing;
      const aborting = transition.status === 'aborting';
      const recipient = witness?.epoch === epochOf(state, clusterId) ? { ...polling, shown: witness.version } : polling;
      const delivery = await dispatches.deliver(clusterId, recipient, [...known, ...this.heldFencing(state, clusterId, node)], {
        transition: transition.number,
        version,
        aborting,
      });
      if (delivery !== undefined) return { ok: true, delivery };
    }
    return nothing;
  }

  /** Action ids of what the node is not told to do yet. */
  private heldFencing(state: ClusterState, clusterId: string, node: string): readonly string[] {
    const { presentForMs } = this.parts;
    const pending = Object.values(state.fencing).filter(({ executor, action }) => executor === node && action !== 'on');
    if (pending.length === 0 || presentForMs === undefined || presentForMs() >= FENCING_HELD_MS) return [];
    // What is aborting is not handed out in any case, and the poll shows whether its agent has begun it.
    if (state.transition?.status !== 'running') return [];
    const lost = lostAndFenced(state, planTime(state));
    const held = pending.filter(({ target }) => lost.includes(target));
    return held.flatMap((attempt) => toFenceAction(state, attempt, { epoch: epochOf(state, clusterId) })?.actionId ?? []);
  }
}

function refusalOf(state: ClusterState, node: string, incarnation: number): Rejection | undefined {
  return checkIncarnation(state, node, incarnation)?.rejection;
}
