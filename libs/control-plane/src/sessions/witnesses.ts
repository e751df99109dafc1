import {
  checkIncarnation,
  decide,
  epochChanged,
  judgeWitness,
  memberOf,
  tellingsOf,
  waitAfter,
  type ClusterState,
  type JoinNode,
  type Rejection,
} from '@systole/cluster';
import type { ClusterCommands } from '../commands/cluster-commands.js';
import type { Chance, Clock } from '../ports/clock.js';
import type { ClusterLog, StateAtHead } from '../ports/cluster-log.js';
import type { HeadSeals, SealedHead } from '../ports/head-seals.js';
import type { Report } from '../ports/report.js';
import { LingeringMap } from '../time/lingering-map.js';
import { RareWarnings } from './rare-warnings.js';
import type { CallingNode } from './session.js';

export interface WitnessesParts {
  readonly log: Pick<ClusterLog, 'hashAt'>;
  readonly commands: ClusterCommands;
  readonly seals: Pick<HeadSeals, 'judge'>;
  readonly clock: Pick<Clock, 'monotonic' | 'timeOfDay'>;
  readonly chance: Chance;
  readonly report: Pick<Report, 'warn'>;
}

/** A false witness of one node is noted so often by one process, ms: whoever joins again and again must not fill the log. */
const NOTED_EVERY_MS = 60 * 60_000;

/**
 * What an agent's witness comes to.
 * - `heard`: nothing that keeps the agent from going on;
 * - `changed`: the log's epoch is another one than the agent's: it has to join anew;
 * - `false`: nobody told the agent that. It says nothing about the log.
 */
export type Hearing =
  | { readonly type: 'heard' }
  | { readonly type: 'changed'; readonly rejection: Rejection }
  | { readonly type: 'false'; readonly shown: SealedHead };

const HEARD: Hearing = { type: 'heard' };

/**
 * What the mere word of who shows a head counts for.
 * - `believed`: it is the node's agent;
 * - `after-joining`: it may be, of a life that the log has lost. It joins anew, and is believed then;
 * - `none`: the log knows that life to be over, or to have been followed by another one.
 */
export type Standing = 'believed' | 'after-joining' | 'none';

/** Of who polls: whoever holds the lease is believed, so that a token alone, of a node that has left, begins nothing. */
export function standingToPoll(state: ClusterState, node: string, incarnation: number): Standing {
  if (checkIncarnation(state, node, incarnation) === undefined) return 'believed';
  return incarnation > (memberOf(state, node)?.incarnation ?? 0) ? 'after-joining' : 'none';
}

/** Of who joins: a join that is refused begins nothing, but for what may be for what the log has lost: that something runs there under a life that it takes for over. */
export function standingToJoin(state: ClusterState, command: JoinNode): Standing {
  const decision = decide(command, state);
  return decision.ok || decision.rejection.code === 'declared-down' ? 'believed' : 'none';
}

/** What agents were told of the log, held against the log that is there: so it is found that a database lacks what had been acknowledged. */
export class Witnesses {
  /** When this process first saw how often a node's word had begun an epoch, monotonic ms. */
  private readonly seen: LingeringMap<{ readonly times: number; readonly at: number }>;
  /** When this process last noted that a node showed what it had not been told, monotonic ms. */
  private readonly notedAt: LingeringMap<number>;
  private readonly warnings: RareWarnings;

  constructor(private readonly parts: WitnessesParts) {
    this.seen = new LingeringMap(parts.clock);
    this.notedAt = new LingeringMap(parts.clock);
    this.warnings = new RareWarnings(parts);
  }

  /**
   * Judges what an agent shows; when the log does not have it, a new epoch begins. A head with a right seal is proof, whoever shows it; of one without a seal the
   * node's word is all there is, which counts now and then only.
   *
   * @param at the log as it is now, loaded after the agent's message came
   * @param shown undefined: the agent was told nothing yet, or is of a version that keeps none
   * @param standing of who shows it
   * @returns for a join that goes on in any case: it is what is asked for
   */
  async hear(
    agent: CallingNode,
    { state, head }: StateAtHead,
    shown: SealedHead | undefined,
    correlationId: string,
    standing: Standing,
  ): Promise<Hearing> {
    if (shown === undefined) return HEARD;
    const { clusterId } = agent;
    if (state.existence !== 'active' || isSame(shown, head)) return HEARD;
    const verdict = judgeWitness(state, clusterId, shown, await this.parts.log.hashAt(clusterId, shown.version));
    if (verdict === 'contained') return HEARD;
    const changed: Hearing = { type: 'changed', rejection: epochChanged(state) };
    if (verdict === 'earlier-epoch') return changed;
    const seal = this.parts.seals.judge(clusterId, shown);
    if (verdict === 'told-only' && seal !== 'right') return changed;
    if (seal !== 'right' && standing === 'none') return HEARD;
    if (seal === 'wrong') return { type: 'false', shown };
    if (seal !== 'right' && standing === 'after-joining') return changed;
    await this.begin(agent, shown, { state, head }, seal === 'right', correlationId);
    return changed;
  }

  /** Records that a node showed what nobody had told it; for a join once that is done, as the note belongs to the life that begins. */
  async noteFalse(agent: CallingNode, shown: SealedHead, correlationId: string): Promise<void> {
    const { clusterId, node, actor } = agent;
    const { commands, clock } = this.parts;
    const name = `${clusterId} ${node}`;
    const last = this.notedAt.get(name);
    if (last !== undefined && clock.monotonic() - last < NOTED_EVERY_MS) return;
    this.notedAt.set(name, clock.monotonic());
    const { epoch, version, hash } = shown;
    const witness = { epoch, version, hash };
    // Once more where it could not be recorded before.
    this.warnings.warn(agent, 'a node shows a place in the event log that nobody has told it; it counts for nothing', { witness });
    // Where it can't be recorded now, the next one is.
    const command = { type: 'note-false-witness', node, witness } as const;
    await commands.execute(clusterId, command, { actor, correlationId }).catch(() => {
      this.notedAt.delete(name);
    });
  }

  private async begin(
    agent: CallingNode,
    { epoch, version, hash }: SealedHead,
    { state, head }: StateAtHead,
    proven: boolean,
    correlationId: string,
  ): Promise<void> {
    const { commands, chance, report } = this.parts;
    const { clusterId, node, actor } = agent;
    const witness = { epoch, version, hash };
    if (!proven && this.isTold(agent, state)) {
      this.warnings.warn(agent, 'a node shows once more what the event log does not hold; it has to join anew', { witness });
      return;
    }
    report.warn({ clusterId, node, witness, head, proven }, 'the event log went back in time; all nodes have to join anew');
    const reason = `${node} was told of version ${String(version)}, which the event log (at ${String(head.version)}) does not hold`;
    const told = proven ? { proven } : { told: tellingsOf(state, node)?.times ?? 0 };
    await commands.execute(
      clusterId,
      { type: 'begin-epoch', clusterId, epoch: chance.uuid(), reason, witness, by: node, ...told },
      { actor, correlationId, within: ({ leases }) => leases.endAll(clusterId) },
    );
  }

  /**
   * Whether the node's word began an epoch so lately that it begins none now. The log knows when it did; by this process's own clock the time is over, too, whatever the
   * time of day says.
   */
  private isTold({ clusterId, node }: CallingNode, state: ClusterState): boolean {
    const tellings = tellingsOf(state, node);
    if (tellings === undefined) return false;
    const { clock } = this.parts;
    const name = `${clusterId} ${node}`;
    const known = this.seen.get(name);
    const seen = known?.times === tellings.times ? known : { times: tellings.times, at: clock.monotonic() };
    this.seen.set(name, seen);
    return Math.max(clock.monotonic() - seen.at, clock.timeOfDay() - Date.parse(tellings.at)) < waitAfter(tellings);
  }
}

function isSame(one: SealedHead, other: SealedHead): boolean {
  return one.epoch === other.epoch && one.version === other.version && one.hash === other.hash;
}
