import { epochOf, isOfTransition, lostDelivery, type ClusterState, type Rejection } from '@systole/cluster';
import type { PollRequest } from '@systole/protocol';
import type { Clock } from '../ports/clock.js';
import type { ClusterLog } from '../ports/cluster-log.js';
import type { Dispatches } from '../ports/dispatches.js';
import type { Report } from '../ports/report.js';
import { Deadline } from '../time/deadline.js';
import { LingeringMap } from '../time/lingering-map.js';
import { RareWarnings } from './rare-warnings.js';
import type { CallingNode, SessionSettings } from './session.js';

/**
 * What becomes of what an agent says that it is at.
 * - `given`: the database gave it all of that, or what it names is over;
 * - `lost`: the database lacks some of it: it has to join anew;
 * - `unanswered`: the database did not say in time.
 */
export type Shown = { readonly type: 'given' } | { readonly type: 'lost'; readonly rejection: Rejection } | { readonly type: 'unanswered' };

const GIVEN: Shown = { type: 'given' };

export interface LostDeliveriesParts {
  readonly log: Pick<ClusterLog, 'load'>;
  readonly dispatches: Pick<Dispatches, 'delivered'>;
  readonly clock: Clock;
  readonly report: Pick<Report, 'warn'>;
  readonly settings: SessionSettings;
}

/** So much of a lease an answer is waited for: that is renewed in any case. */
const WAIT_SHARE = 1 / 12;
/** Ids that are named to people. */
const NAMED = 5;
/** What is named of an id, characters: what the node says is as long as it likes. */
const NAMED_CHARS = 80;

/**
 * What agents are at, held against what they were given by the database: a copy of it that is restored may be of before they were given it, though no event has come since, so that nothing that
 * they were told of the log says so. What counts as never given is taken back, and started elsewhere.
 */
export class LostDeliveries {
  private readonly warnings: RareWarnings;
  /** For what each node was last told to join anew, and in which life: in the next one it is at that still, and what it runs is probed. */
  private readonly told: LingeringMap<{ readonly incarnation: number; readonly actionIds: ReadonlySet<string> }>;

  constructor(private readonly parts: LostDeliveriesParts) {
    this.warnings = new RareWarnings(parts);
    this.told = new LingeringMap(parts.clock);
  }

  /**
   * Asked before the lease is renewed: a worker that has just begun takes back nothing before that (docs/decisions/0038-nothing-before-everybody-was-heard.md).
   *
   * @param state as it was lately
   * One that the database does not answer in time is renewed all the same, and does not count as heard.
   */
  async shownBy(
    agent: CallingNode,
    state: ClusterState,
    { known: named, incarnation }: Pick<PollRequest, 'known' | 'incarnation'>,
  ): Promise<Shown> {
    const { log, clock, settings } = this.parts;
    const { clusterId } = agent;
    const name = `${clusterId} ${agent.node}`;
    const before = named.length === 0 ? undefined : this.told.get(name);
    const isTold = before !== undefined && before.incarnation < incarnation;
    const known = isTold ? named.filter((id) => !before.actionIds.has(id)) : named;
    if (ofPresent(state, clusterId, known).length === 0) return GIVEN;
    const deadline = new Deadline(clock, clock.monotonic() + settings.leaseMs * WAIT_SHARE);
    const lost = await deadline.by(this.lostOf(agent, state, known));
    if (lost === undefined) return { type: 'unanswered' };
    if (lost.length === 0) return GIVEN;
    // What ended lately is forgotten, and what is not of the present by now says nothing.
    const present = await log.load(clusterId);
    const certain = await this.lostOf(agent, present, lost);
    if (certain.length === 0) return GIVEN;
    this.told.set(name, { incarnation, actionIds: new Set([...(isTold ? before.actionIds : []), ...certain]) });
    const actionIds = certain.slice(0, NAMED).map((id) => id.slice(0, NAMED_CHARS));
    const details = { count: certain.length, actionIds };
    this.warnings.warn(agent, 'a node is at what the database has not given it: it has to join anew', details);
    return { type: 'lost', rejection: lostDelivery(present, actionIds) };
  }

  private async lostOf({ clusterId, node }: CallingNode, state: ClusterState, known: readonly string[]): Promise<readonly string[]> {
    const present = ofPresent(state, clusterId, known);
    if (present.length === 0) return [];
    const delivered = await this.parts.dispatches.delivered(clusterId, node, present);
    return present.filter((id) => !delivered.has(id));
  }
}

/** Those of the transition that is under way: of others the rows are forgotten some time. */
function ofPresent(state: ClusterState, clusterId: string, known: readonly string[]): readonly string[] {
  const { transition } = state;
  if (transition === undefined || known.length === 0) return [];
  const epoch = epochOf(state, clusterId);
  return known.filter((id) => isOfTransition(id, epoch, transition.number));
}
