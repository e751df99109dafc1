import {
  CLOCK_SKEW,
  fenceReaction,
  loadThreshold,
  shutdownEscalation,
  checkIncarnation,
  debugActionId,
  debuggingOn,
  isOverdue,
  isTroubledAs,
  knownManaged,
  mayLeave,
  memberOf,
  planTime,
  rollCallUnanswered,
  secondBootOf,
  secretIdsIn,
  toDebugAction,
  UNKNOWN_RESOURCES,
  unmanagedResources,
  watchdogTelling,
  withSecrets,
  type AgentAction,
  type ClusterState,
  type LeaseLossPolicy,
  type LeaseLossTelling,
  type LogHead,
  type Rejection,
} from '@systole/cluster';
import type { ClusterCommands } from '../commands/cluster-commands.js';
import type { PollAnswer, PollRequest } from '@systole/protocol';
import { CommandContention, type ExecuteResult } from '../commands/command-results.js';
import type { Clock } from '../ports/clock.js';
import type { ClusterLog, StateAtHead } from '../ports/cluster-log.js';
import type { Delivery, Dispatches, DispatchSignal, DispatchSignals, Recipient } from '../ports/dispatches.js';
import type { SessionFigures } from '../ports/figures.js';
import type { HeadSeals } from '../ports/head-seals.js';
import type { NodeLeases, Presence, Renewed } from '../ports/node-leases.js';
import type { SecretStore } from '../ports/secrets.js';
import { Deadline } from '../time/deadline.js';
import { LingeringMap } from '../time/lingering-map.js';
import { Wakeable, type Ending } from '../time/wakeable.js';
import { ClockSkews } from './clock-skews.js';
import { DeliveryGroups, type Delivered, type PollOfNode } from './delivery-groups.js';
import { DispatchLooks } from './dispatch-looks.js';
import { ANSWERS_LOST, LostAnswers } from './lost-answers.js';
import { LeaseLossTellings } from './lease-loss-tellings.js';
import { recentMs, type Answer, type CallingNode, type SessionSettings } from './session.js';
import { UnknownResources } from './unknown-resources.js';

/** Troubles of one node are recorded so often, ms. */
const TROUBLES_EVERY_MS = 10_000;
/** What the server alone knows of a node: an agent's word for it would stand for the server's, and have it told of on and on. */
const SERVERS_OWN: ReadonlySet<string> = new Set([ANSWERS_LOST, CLOCK_SKEW, UNKNOWN_RESOURCES]);
/** That the server comes to wait less for a node is recorded so often, ms. */
const LOWERED_EVERY_MS = 10_000;
const TROUBLES_KEPT = 10;
const TROUBLE_CHARS = 500;
/** An answer may be late by this part of the lease, for what is under way when the wait is over: agents wait for it twice as long, and then ask another server. */
const LATE_SHARE = 1 / 12;
/** Times that a lease is judged anew because the cluster changed in between. */
const ATTEMPTS = 20;

const IDLE: Delivery = { actions: [], shutdown: false, withdrawable: false };
const NOTHING: Pick<Delivery, 'actions' | 'shutdown'> = IDLE;

export interface AgentPollParts {
  readonly log: Pick<ClusterLog, 'load' | 'loadHead' | 'loadRecent' | 'deliver'>;
  readonly commands: ClusterCommands;
  readonly leases: Pick<NodeLeases, 'renew' | 'restore' | 'rollCall'>;
  readonly dispatches: Pick<Dispatches, 'anyOpen' | 'undelivered'>;
  readonly signals: DispatchSignals;
  readonly seals: Pick<HeadSeals, 'sealed'>;
  /** None: there are no secrets. */
  readonly secrets?: Pick<SecretStore, 'some'>;
  readonly clock: Clock;
  /** Epoch ms by the clock of the database, which dates events and plans, as this process last saw it. None: the clock of this machine is that. */
  readonly databaseTime?: () => number;
  /** For how long this api has been there for agents without a break, ms. None: for ever. */
  readonly presentForMs?: () => number;
  /** None: nobody counts. */
  readonly figures?: SessionFigures;
  /** Hears how long the lease is that a poll renewed, ms. Must not throw. None: nobody asks. */
  readonly onRenewed?: (leaseMs: number) => void;
  /** Asks for the cluster to be moved. Must not throw. */
  readonly requestAdvance: (clusterId: string) => void;
  readonly settings: SessionSettings;
}

/** Epoch ms by the clock that dates events and plans. */
export function databaseTime({ databaseTime: seen, clock }: Pick<AgentPollParts, 'databaseTime' | 'clock'>): number {
  return seen?.() ?? clock.timeOfDay();
}

/** What of a message decides about what its agent is told. */
type Teller = Pick<PollRequest, 'incarnation' | 'seq' | 'witness' | 'watchdog' | 'watchdogArmedMs' | 'onLeaseLoss'> & {
  /** A join says nothing yet of whether the watchdog is armed. */
  readonly joins?: true;
};
type Renewal = ({ readonly ok: true } & Renewed) | { readonly ok: false; readonly rejection: Rejection };

/** What was read for a poll when it came in, and what it says of its node. */
interface Heard extends StateAtHead {
  readonly presence: Presence;
  /** When it came, epoch ms by the clock of the database. */
  readonly receivedAt: number;
}

/** A poll whose lease is renewed. */
interface Answering {
  readonly agent: CallingNode;
  readonly request: PollRequest;
  /** What was read for it when it came in. */
  readonly loaded: StateAtHead;
  readonly renewed: Renewed;
  /** Until when it waits for something to do, monotonic ms. */
  readonly waitUntil: number;
  /** Until when what was begun by then is waited for. */
  readonly deadline: Deadline;
  readonly ending: readonly Ending[];
  readonly correlationId: string;
}

/** The long poll: renews the lease at once, then waits until there is something for the node to do. */
export class AgentPoll {
  private readonly tellings: LeaseLossTellings;
  /** When the server last came to wait less for each node, monotonic ms. */
  private readonly loweredAt: LingeringMap<number>;
  private readonly lostAnswers: LostAnswers;
  private readonly clockSkews: ClockSkews;
  private readonly unknownResources: UnknownResources;
  /** When it was last recorded that somebody counts on the watchdog of a node, monotonic ms. */
  private readonly watchdogNotedAt: LingeringMap<number>;
  /** When troubles of a node were last recorded, monotonic ms. */
  private readonly troublesNotedAt: LingeringMap<number>;
  /** The roll call that each node was last told at once, and when, monotonic ms. */
  private readonly called: LingeringMap<{ readonly call: string; readonly at: number }>;

  private readonly groups: DeliveryGroups;
  private readonly looks: DispatchLooks;

  constructor(private readonly parts: AgentPollParts) {
    this.tellings = new LeaseLossTellings(parts.clock);
    this.loweredAt = new LingeringMap(parts.clock);
    this.watchdogNotedAt = new LingeringMap(parts.clock);
    this.troublesNotedAt = new LingeringMap(parts.clock);
    this.called = new LingeringMap(parts.clock);
    this.groups = new DeliveryGroups(parts);
    this.looks = new DispatchLooks(parts.signals, parts.dispatches, parts.clock);
    this.lostAnswers = new LostAnswers(parts.clock);
    this.clockSkews = new ClockSkews(parts.clock);
    this.unknownResources = new UnknownResources(parts.clock);
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
  ): Promise<Answer<Renewed & { readonly onLeaseLoss: LeaseLossPolicy | undefined }>> {
    const renewal = await this.renew(agent, at.state, incarnation, { type: 'unproven' });
    if (!renewal.ok) return renewal;
    const told = await this.tell(agent, at, { incarnation, watchdog, joins: true }, correlationId);
    if (!told.ok) return told;
    const { answer: onLeaseLoss } = told;
    if (onLeaseLoss !== undefined) this.tellings.answered(agent, incarnation, onLeaseLoss, at.head);
    return { ok: true, answer: { leaseMs: renewal.leaseMs, rollCall: renewal.rollCall, onLeaseLoss } };
  }

  /** The answer to a join is about to be given: the first poll that shows its head proves that it arrived. */
  joined(agent: CallingNode, incarnation: number, told: LeaseLossPolicy, head: LogHead): void {
    this.tellings.answered(agent, incarnation, told, head);
  }

  /**
   * The lease is renewed, and then the agent is answered when its wait is over, and little later at the latest, whatever hangs: what does not come by then is not
   * there yet, and what was stamped for it meanwhile is given to the next poll, as after an answer that was lost.
   *
   * @param loaded what was read for the poll when it came in
   * @param ending abort when nobody waits for the answer any more, or the server is closing
   * @throws {CommandContention} when the cluster changes too fast
   */
  async poll(
    agent: CallingNode,
    loaded: Heard,
    request: PollRequest,
    ending: readonly Ending[],
    correlationId: string,
  ): Promise<Answer<PollAnswer>> {
    const { clusterId, node } = agent;
    const { clock, settings } = this.parts;
    const { state } = loaded;
    const waitUntil = clock.monotonic() + Math.min(request.waitMs, settings.pollMs);
    const deadline = new Deadline(clock, waitUntil + settings.leaseMs * LATE_SHARE);
    const wakeable = new Wakeable(clock);
    let signal: DispatchSignal | undefined;
    let handedOut: () => void = () => undefined;
    const told = new Promise<true>((resolve) => {
      handedOut = () => {
        resolve(true);
      };
    });
    const hear = (heard: DispatchSignal): void => {
      if (signal !== 'handed-out') signal = heard;
      if (heard === 'handed-out') handedOut();
      wakeable.wake();
    };
    const forget = this.looks.listen(clusterId, node, hear);
    try {
      // What came before there was anybody to hear of it; looked for while the lease is renewed.
      const open = this.parts.dispatches.anyOpen(clusterId, node, request.known);
      open.catch(() => undefined);
      const renewal = await this.renew(agent, state, request.incarnation, loaded.presence);
      if (!renewal.ok) return renewal;
      await deadline.by(this.note(agent, loaded, request, correlationId));
      if ((await deadline.by(Promise.race([open, told]))) === true) hear('handed-out');
      const takeSignal = (): DispatchSignal | undefined => {
        const heard = signal;
        signal = undefined;
        return heard;
      };
      const { leaseMs, rollCall } = renewal;
      const call = this.callOf(agent, request, renewal);
      if (call === 'unanswered') return { ok: false, rejection: rollCallUnanswered(state) };
      const answering: Answering = {
        agent,
        request,
        loaded,
        renewed: { leaseMs, rollCall },
        waitUntil: call === 'told-at-once' ? clock.monotonic() : waitUntil,
        deadline,
        ending,
        correlationId,
      };
      return await this.answerWhenDue(answering, wakeable, takeSignal);
    } finally {
      forget();
    }
  }

  /**
   * Whether the agent is to hear at once that the roll was called: a worker waits for its answer before it does anything in the cluster. Once for each call; one that goes on
   * showing another id for a lease has to join anew, which answers it: a cluster must not wait for ever for an agent that can't.
   */
  private callOf(
    { clusterId, node }: CallingNode,
    { incarnation, rollCall: shown }: PollRequest,
    { leaseMs, rollCall }: Renewed,
  ): 'heard' | 'told-at-once' | 'told' | 'unanswered' {
    if (shown === undefined || shown === rollCall) return 'heard';
    const now = this.parts.clock.monotonic();
    const name = `${clusterId} ${node}`;
    const call = `${String(incarnation)} ${rollCall}`;
    const told = this.called.get(name);
    if (told?.call === call) return now - told.at > leaseMs ? 'unanswered' : 'told';
    this.called.set(name, { call, at: now });
    return 'told-at-once';
  }

  private async answerWhenDue(
    answering: Answering,
    wakeable: Wakeable,
    takeSignal: () => DispatchSignal | undefined,
  ): Promise<Answer<PollAnswer>> {
    const { clock, log, settings } = this.parts;
    const { agent, request, loaded, waitUntil, deadline, ending } = answering;
    const { clusterId, node } = agent;
    const { incarnation, seq, known, witness } = request;
    const isEnding = (): boolean => deadline.isOver || ending.some(({ aborted }) => aborted);
    const to: Recipient = { node, incarnation, ...(seq === undefined ? {} : { seq }) };
    const poll: PollOfNode = { clusterId, to, known, witness, isEnding };
    for (;;) {
      const delivered = isEnding() ? undefined : await deadline.by(this.deliver(poll, takeSignal()));
      if (delivered?.ok === false) return delivered;
      const { delivery, at } = delivered ?? { delivery: IDLE, at: loaded };
      if (delivery.withdrawable) this.parts.requestAdvance(clusterId);
      const tried = isEnding() ? [] : this.debugActions(agent, request, at.state);
      const actions = [...delivery.actions, ...tried];
      if (actions.length > 0 || delivery.shutdown) return this.answer(answering, { ...delivery, actions }, at);
      const left = waitUntil - clock.monotonic();
      if (left <= 0 || isEnding())
        return this.answer(answering, NOTHING, (await deadline.by(log.loadRecent(clusterId, recentMs(settings)))) ?? loaded);
      await wakeable.wait(left, ...ending);
    }
  }

  /**
   * What a person wants tried on the node, and its agent has not taken yet. Given until it is: nothing that others do depends on whether it was, before its result is there (`leftRunning`). Not after its time: then the
   * agent is told nothing of it any more, and a later poll that does not name it says that it was never begun.
   */
  private debugActions({ clusterId, node }: CallingNode, { known }: PollRequest, state: ClusterState): readonly AgentAction[] {
    const now = databaseTime(this.parts);
    return debuggingOn(state, node).flatMap((pending) => {
      const isTaken = known.includes(debugActionId(state, clusterId, pending.debugId));
      return isTaken || isOverdue(pending, now) ? [] : (toDebugAction(state, clusterId, pending) ?? []);
    });
  }

  /** @returns undefined when there is nothing that the agent does not know */
  private async deliver(poll: PollOfNode, heard: DispatchSignal | undefined): Promise<Delivered | undefined> {
    const { clusterId, to, known } = poll;
    if (heard === undefined) return undefined;
    if (heard === 'missed' && !(await this.parts.dispatches.anyOpen(clusterId, to.node, known))) return undefined;
    return this.groups.deliver(poll);
  }

  /** Every answer says what the agent must leave alone from now on, should its lease end. */
  private async answer(
    { agent, request, renewed, deadline, correlationId }: Answering,
    { actions, shutdown }: Pick<Delivery, 'actions' | 'shutdown'>,
    at: StateAtHead,
  ): Promise<Answer<PollAnswer>> {
    const { seals } = this.parts;
    const { clusterId, node } = agent;
    const { incarnation } = request;
    const { state, head } = at;
    const told = await deadline.by(this.tell(agent, at, request, correlationId));
    if (told?.ok === false) return told;
    const given = await this.withSecrets(clusterId, state.cib, actions, deadline);
    // Where it could not be recorded in time it is not told: the agent goes on with what it was told before.
    const onLeaseLoss = told?.answer;
    if (onLeaseLoss !== undefined) this.tellings.answered(agent, incarnation, onLeaseLoss, head);
    this.lostAnswers.answered(agent, incarnation, head);
    const unmanaged = unmanagedResources(state, node, planTime(state));
    return {
      ok: true,
      answer: {
        ...renewed,
        actions: given,
        ...(shutdown || mayLeave(state, node) ? { shutdown: true } : {}),
        ...(unmanaged.length === 0 ? {} : { unmanaged }),
        head: seals.sealed(clusterId, head),
        ...(onLeaseLoss === undefined ? {} : { onLeaseLoss }),
        ...(fenceReaction(state) === 'panic' ? { fenceReaction: 'panic' as const } : {}),
        ...shutdownEscalation(state),
        ...loadThreshold(state),
      },
    };
  }

  /** Where they can't be read in time the answer comes without actions, for the lease's sake: the next poll does not know these, and is given them. */
  private async withSecrets(
    clusterId: string,
    cib: ClusterState['cib'],
    actions: readonly AgentAction[],
    deadline: Deadline,
  ): Promise<readonly AgentAction[]> {
    const { secrets } = this.parts;
    if (secrets === undefined) return actions;
    const ids = secretIdsIn(actions);
    if (ids.length === 0) return actions;
    const held = await deadline.by(secrets.some(clusterId, ids).catch(() => undefined));
    return held === undefined ? [] : actions.map((action) => withSecrets(action, held, cib));
  }

  /** What the agent is told to do when it loses its lease; what the server reckons with from then on is recorded first. */
  private async tell(
    agent: CallingNode,
    { state }: StateAtHead,
    said: Teller,
    correlationId: string,
  ): Promise<Answer<LeaseLossPolicy | undefined>> {
    const { incarnation, witness: shown, watchdog, onLeaseLoss: follows } = said;
    const { commands } = this.parts;
    const { clusterId, node, actor } = agent;
    const told = { incarnation, watchdog, shown, ...(follows === undefined ? {} : { follows }) };
    const telling = this.tellings.next(agent, state, told, databaseTime(this.parts));
    if (telling === undefined) return { ok: true, answer: undefined };
    if (telling.record !== undefined && !this.isLoweredAgain(agent, telling)) {
      const command = { type: 'reckon-with', node, incarnation, policy: telling.record } as const;
      const recorded = await commands.execute(clusterId, command, { actor, correlationId });
      if (!recorded.ok) return recorded;
    }
    const noted = await this.noteWatchdog(agent, state, said, telling.tell, correlationId);
    return noted === undefined || noted.ok ? { ok: true, answer: telling.tell } : noted;
  }

  /** That nobody may count on the watchdog of the node any more is recorded before it is answered; that somebody may, once in a while only: an agent that says something else each time must not fill the log. */
  private async noteWatchdog(
    { clusterId, node, actor }: CallingNode,
    state: ClusterState,
    { incarnation, seq, watchdog, watchdogArmedMs: armedMs, onLeaseLoss: follows, joins }: Teller,
    tell: LeaseLossPolicy,
    correlationId: string,
  ): Promise<ExecuteResult | undefined> {
    if (joins === true && tell === 'watchdog') return undefined;
    const said = { watchdog, ...(armedMs === undefined ? {} : { armedMs }), ...(follows === undefined ? {} : { follows }) };
    let telling = watchdogTelling(state, node, said, tell);
    if (telling === undefined) return undefined;
    if (telling.type !== 'void') {
      const name = `${clusterId} ${node} ${String(incarnation)} ${telling.type}`;
      const now = this.parts.clock.monotonic();
      const last = this.watchdogNotedAt.get(name);
      if (last === undefined || now - last >= LOWERED_EVERY_MS) this.watchdogNotedAt.set(name, now);
      // Counted with the shorter time it would be taken for reset too early.
      else if (telling.grows === true) telling = { type: 'void' };
      else return undefined;
    }
    const command = {
      ...({ type: 'note-watchdog', node, incarnation } as const),
      ...(telling.type === 'void' ? {} : { timeoutMs: telling.timeoutMs }),
      ...(telling.type === 'announced' ? { announced: true as const } : {}),
      ...(seq === undefined ? {} : { seq }),
    };
    return this.parts.commands.execute(clusterId, command, { actor, correlationId });
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

  private async note(agent: CallingNode, heard: Heard, request: PollRequest, correlationId: string): Promise<void> {
    const { state } = heard;
    await this.noteTroubles(agent, heard, request, correlationId);
    await this.noteSecondMachine(agent, state, request, correlationId);
    await this.noteManaged(agent, state, request, correlationId);
    await this.noteNeverTried(agent, state, request, correlationId);
  }

  /** Shown in the status from now on. Once in a while only: what keeps changing must not fill the log, and the lease is more important. */
  private async noteTroubles(
    agent: CallingNode,
    { state, receivedAt }: Heard,
    { incarnation, witness, timeOfDayMs, active, troubles = [] }: PollRequest,
    correlationId: string,
  ): Promise<void> {
    const { clusterId, node, actor } = agent;
    const { commands, clock } = this.parts;
    const unheard = this.lostAnswers.heard(agent, incarnation, witness);
    const skewed = this.clockSkews.heard(agent, state, timeOfDayMs, receivedAt);
    const own = troubles.filter(({ code }) => !SERVERS_OWN.has(code));
    const unknown = this.unknownResources.heard(agent, state, active);
    const told = [...unheard, ...skewed, ...unknown, ...own]
      .slice(0, TROUBLES_KEPT)
      .map(({ code, detail }) => ({ code, detail: detail.slice(0, TROUBLE_CHARS) }));
    if (isTroubledAs(state, node, told)) return;
    const name = `${clusterId} ${node}`;
    const last = this.troublesNotedAt.get(name);
    if (last !== undefined && clock.monotonic() - last < TROUBLES_EVERY_MS) return;
    this.troublesNotedAt.set(name, clock.monotonic());
    // Where it can't be recorded now, the next poll says it again.
    const command = { type: 'note-troubles', node, incarnation, troubles: told } as const;
    await commands.execute(clusterId, command, { actor, correlationId }).catch(() => {
      this.troublesNotedAt.delete(name);
    });
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

  /**
   * An agent that counts its polls takes nothing of an answer that it gave up: what it does not name by now it never began. Where it can't be recorded now, the next poll shows it again.
   */
  private async noteNeverTried(
    { clusterId, node, actor }: CallingNode,
    state: ClusterState,
    { known, seq }: PollRequest,
    correlationId: string,
  ): Promise<void> {
    if (seq === undefined) return;
    const now = databaseTime(this.parts);
    for (const pending of debuggingOn(state, node)) {
      if (!isOverdue(pending, now) || known.includes(debugActionId(state, clusterId, pending.debugId))) continue;
      const command = { type: 'end-debug-operation', node, debugId: pending.debugId } as const;
      await this.parts.commands.execute(clusterId, command, { actor, correlationId }).catch(() => undefined);
    }
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
  private async renew(
    { clusterId, node, tokenId }: CallingNode,
    loaded: ClusterState,
    incarnation: number,
    presence: Presence,
  ): Promise<Renewal> {
    const { log, leases, settings } = this.parts;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const state = attempt === 1 ? loaded : await log.load(clusterId);
      const refused = refusalOf(state, node, incarnation);
      if (refused) return { ok: false, rejection: refused };
      const renewed = await leases.renew(clusterId, node, incarnation, presence);
      if (renewed !== undefined) {
        this.parts.onRenewed?.(renewed.leaseMs);
        return { ok: true, ...renewed };
      }
      // Ended in between, which the next look shows; or the row is gone and the stream says that the node is joined.
      const leaseMs = memberOf(state, node)?.leaseMs ?? settings.leaseMs;
      if (await leases.restore({ clusterId, node, incarnation, tokenId, leaseMs, presence }, state.version))
        return { ok: true, leaseMs, rollCall: (await leases.rollCall()).id };
    }
    throw new CommandContention(clusterId, 'poll', ATTEMPTS);
  }
}

function refusalOf(state: ClusterState, node: string, incarnation: number): Rejection | undefined {
  return checkIncarnation(state, node, incarnation)?.rejection;
}
