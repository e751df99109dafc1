import {
  checkIncarnation,
  epochOf,
  lostAndFenced,
  planTime,
  toFenceAction,
  type ClusterState,
  type LogHead,
  type Rejection,
} from '@systole/cluster';
import type { ClusterLog, StateAtHead } from '../ports/cluster-log.js';
import type { Delivery, DueDeliveries, Recipient, Waiting } from '../ports/dispatches.js';
import type { SessionFigures } from '../ports/figures.js';

/**
 * An api that has come up, or was away, hands out no order to fence a lost node for so long, ms: it may be of before all were away, and the node about to come back. Agents
 * that find no api ask again within 5 s, and a worker that sees the return judges anew what nobody has begun.
 */
const FENCING_HELD_MS = 6_000;
/** Most nodes that are delivered to at a time: appends wait for the stream meanwhile, and what they are given is read in one go. */
const MOST = 100;

const NOTHING: Delivery = { actions: [], shutdown: false, withdrawable: false };

/** A poll of a node. */
export interface PollOfNode {
  readonly clusterId: string;
  readonly to: Recipient;
  /** Ids of the actions that its agent has taken. */
  readonly known: readonly string[];
  readonly witness: LogHead | undefined;
  /** Whether nobody waits for its answer any more. */
  readonly isEnding: () => boolean;
}

/** What a poll is given, and the head that it was decided on. */
export type Delivered =
  { readonly ok: true; readonly at: StateAtHead; readonly delivery: Delivery } | { readonly ok: false; readonly rejection: Rejection };

export interface DeliveryGroupsParts {
  readonly log: Pick<ClusterLog, 'deliver'>;
  /** For how long this api has been there for agents without a break, ms. None: for ever. */
  readonly presentForMs?: () => number;
  /** None: nobody counts. */
  readonly figures?: Pick<SessionFigures, 'delivered'>;
}

interface Entry {
  readonly poll: PollOfNode;
  readonly resolve: (delivered: Delivered) => void;
  readonly reject: (error: unknown) => void;
}

type Judgement = Extract<Delivered, { ok: false }> | { readonly ok: true; readonly waiting: Waiting | undefined };

/**
 * Delivers to the polls of a cluster together: whoever comes while a delivery is under way goes with it, as long as the stream is still waited for, or with the next. So there
 * is one transaction of a cluster at a time in a process, however many of its nodes there is something for.
 */
export class DeliveryGroups {
  private readonly queues = new Map<string, Entry[]>();

  constructor(private readonly parts: DeliveryGroupsParts) {}

  /** What is due for the node; only of a transition that is current at the stream's head, and of an aborting one only notifications, and probes as long as it goes on with them. */
  deliver(poll: PollOfNode): Promise<Delivered> {
    const { clusterId } = poll;
    return new Promise((resolve, reject) => {
      const entry = { poll, resolve, reject };
      const queue = this.queues.get(clusterId);
      if (queue !== undefined) {
        queue.push(entry);
        return;
      }
      const begun = [entry];
      this.queues.set(clusterId, begun);
      void this.drain(clusterId, begun);
    });
  }

  private async drain(clusterId: string, queue: Entry[]): Promise<void> {
    while (queue.length > 0) await this.deliverTogether(clusterId, queue);
    this.queues.delete(clusterId);
  }

  private async deliverTogether(clusterId: string, queue: Entry[]): Promise<void> {
    const group: Entry[] = [];
    let answers: (deliveries: readonly Delivery[]) => readonly Delivered[] = () => [];
    const decide = (at: StateAtHead): DueDeliveries | undefined => {
      takeEachNodeOnce(queue, group);
      const judgements = group.map(({ poll }) => this.judge(poll, at.state));
      answers = (deliveries) => answersOf(judgements, deliveries, at);
      const waiting = judgements.flatMap((judgement) => (judgement.ok && judgement.waiting !== undefined ? [judgement.waiting] : []));
      const { transition } = at.state;
      if (waiting.length === 0 || transition === undefined) return undefined;
      const { number, status, probingSince } = transition;
      return { transition: number, aborting: status === 'aborting', probing: probingSince !== undefined, waiting };
    };
    try {
      const deliveries = await this.parts.log.deliver(clusterId, decide);
      const actions = deliveries.reduce((sum, delivery) => sum + delivery.actions.length, 0);
      if (actions > 0) this.parts.figures?.delivered({ polls: group.length, actions });
      for (const [index, delivered] of answers(deliveries).entries()) group[index]?.resolve(delivered);
    } catch (error) {
      // Where it was not even begun, those that wait would fare no better.
      for (const { reject } of group.length === 0 ? queue.splice(0) : group) reject(error);
    }
  }

  private judge({ clusterId, to, known, witness, isEnding }: PollOfNode, state: ClusterState): Judgement {
    const rejection = checkIncarnation(state, to.node, to.incarnation)?.rejection;
    if (rejection !== undefined) return { ok: false, rejection };
    if (isEnding() || state.transition === undefined) return { ok: true, waiting: undefined };
    const recipient = witness?.epoch === epochOf(state, clusterId) ? { ...to, shown: witness.version } : to;
    return { ok: true, waiting: { to: recipient, known: [...known, ...this.heldFencing(state, clusterId, to.node)] } };
  }

  /** Action ids of what the node is not told to do yet. */
  private heldFencing(state: ClusterState, clusterId: string, node: string): readonly string[] {
    const { presentForMs } = this.parts;
    if (presentForMs === undefined || presentForMs() >= FENCING_HELD_MS) return [];
    const pending = Object.values(state.fencing).filter(({ executor, action }) => executor === node && action !== 'on');
    // What is aborting is not handed out in any case, and the poll shows whether its agent has begun it.
    if (pending.length === 0 || state.transition?.status !== 'running') return [];
    const lost = lostAndFenced(state, planTime(state));
    const held = pending.filter(({ target }) => lost.includes(target));
    return held.flatMap((attempt) => toFenceAction(state, attempt, { epoch: epochOf(state, clusterId) })?.actionId ?? []);
  }
}

/** Of two polls of a node, one that was given up perhaps, the second goes with the next group. Those that nobody waits for any more, as far as is known, keep nobody waiting. */
function takeEachNodeOnce(queue: Entry[], group: Entry[]): void {
  const nodes = new Set(group.map(({ poll }) => poll.to.node));
  const later: Entry[] = [];
  const ending: Entry[] = [];
  for (const entry of queue.splice(0)) {
    const { to, isEnding } = entry.poll;
    if (isEnding()) ending.push(entry);
    else if (group.length >= MOST || nodes.has(to.node)) later.push(entry);
    else group.push(entry);
    if (!isEnding()) nodes.add(to.node);
  }
  group.push(...ending);
  queue.push(...later);
}

function answersOf(judgements: readonly Judgement[], deliveries: readonly Delivery[], at: StateAtHead): readonly Delivered[] {
  const given = deliveries.values();
  return judgements.map((judgement) => {
    if (!judgement.ok) return judgement;
    const delivery = judgement.waiting === undefined ? NOTHING : (given.next().value ?? NOTHING);
    return { ok: true, at, delivery };
  });
}
