import { Inject, Injectable } from '@nestjs/common';
import { checkIncarnation, memberOf, unmanagedResources, type ClusterState } from '@systole/cluster';
import { ActionDeliveries, ClusterStates, DispatchSignals, NodeLeases, type Delivery, type Recipient } from '@systole/read-models';
import type { AgentPrincipal } from '../access/principal.js';
import { API_SETTINGS, type ApiSettings } from '../api-settings.js';
import { HttpProblem } from '../http/problem.js';
import { rejectionProblem } from '../http/rejection-problem.js';
import { Shutdown } from '../lifecycle/shutdown.js';
import { Wakeable } from '../lifecycle/wakeable.js';
import { WorkerSignal } from '../lifecycle/worker-signal.js';
import type { PollAnswerDto, PollBody } from './agent.dto.js';

/** How often it is looked without any signal, ms. */
const LOOK_MS = 1_000;
/** Times that a lease is judged anew because the cluster changed in between. */
const ATTEMPTS = 20;

const NOTHING: Delivery = { actions: [], shutdown: false, withdrawable: false };

/** The long poll: renews the lease at once, then waits until there is something for the node to do. */
@Injectable()
export class AgentPoll {
  constructor(
    private readonly states: ClusterStates,
    private readonly leases: NodeLeases,
    private readonly deliveries: ActionDeliveries,
    private readonly signals: DispatchSignals,
    private readonly worker: WorkerSignal,
    private readonly shutdown: Shutdown,
    @Inject(API_SETTINGS) private readonly settings: ApiSettings,
  ) {}

  /** @throws {HttpProblem} 409 `incarnation-superseded` when the agent's lease is over for good */
  async poll(agent: AgentPrincipal, { incarnation, waitMs, seq, known }: PollBody, gone: AbortSignal): Promise<PollAnswerDto> {
    const { clusterId, node } = agent;
    const leaseMs = await this.#renew(agent, incarnation);
    const deadline = performance.now() + Math.min(waitMs, this.settings.pollMs);
    const recipient: Recipient = { node, incarnation, ...(seq === undefined ? {} : { seq }) };
    const wakeable = new Wakeable();
    const forget = this.signals.listen(clusterId, node, wakeable.wake);
    try {
      for (;;) {
        const delivery = gone.aborted ? undefined : await this.#deliver(clusterId, recipient, known);
        if (delivery?.withdrawable === true) this.worker.advance(clusterId);
        if (delivery !== undefined && (delivery.actions.length > 0 || delivery.shutdown)) {
          return await this.#answer(agent, leaseMs, delivery);
        }
        const left = deadline - performance.now();
        if (left <= 0 || gone.aborted || this.shutdown.signal.aborted) return await this.#answer(agent, leaseMs, NOTHING);
        await wakeable.wait(Math.min(left, LOOK_MS), gone, this.shutdown.signal);
      }
    } finally {
      forget();
    }
  }

  /** Every answer says what the agent must leave alone from now on, should its lease end. */
  async #answer({ clusterId, node }: AgentPrincipal, leaseMs: number, { actions, shutdown }: Delivery): Promise<PollAnswerDto> {
    const unmanaged = unmanagedResources(await this.states.load(clusterId), node, Date.now());
    return { leaseMs, actions, ...(shutdown ? { shutdown } : {}), ...(unmanaged.length === 0 ? {} : { unmanaged }) };
  }

  /** The lease runs from here on by the database's clock: later than the agent sent the poll, so the agent's own count ends first. */
  async #renew(agent: AgentPrincipal, incarnation: number): Promise<number> {
    const { clusterId, node, tokenId } = agent;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const state = await this.states.load(clusterId);
      this.#check(state, node, incarnation);
      const renewed = await this.leases.renew(clusterId, node, incarnation);
      if (renewed !== undefined) return renewed;
      // Ended in between, which the next look shows; or the row is gone and the stream says that the node is joined.
      const leaseMs = memberOf(state, node)?.leaseMs ?? this.settings.leaseMs;
      if (await this.leases.restore({ clusterId, node, incarnation, tokenId, leaseMs }, state.version)) return leaseMs;
    }
    throw new HttpProblem(503, 'contention', 'the cluster changes too fast at the moment: poll again', { headers: { 'retry-after': '1' } });
  }

  /** What is due for the node; only of a transition that is current at the stream's head, and of an aborting one only notifications. */
  async #deliver(clusterId: string, recipient: Recipient, known: readonly string[]): Promise<Delivery | undefined> {
    const { node, incarnation } = recipient;
    if (!(await this.deliveries.anyOpen(clusterId, node, known))) return undefined;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const state = await this.states.load(clusterId);
      this.#check(state, node, incarnation);
      const { transition, version } = state;
      if (transition === undefined) return undefined;
      const aborting = transition.status === 'aborting';
      const delivery = await this.deliveries.deliver(clusterId, recipient, known, {
        transition: transition.number,
        version,
        aborting,
      });
      if (delivery !== undefined) return delivery;
    }
    return undefined;
  }

  #check(state: ClusterState, node: string, incarnation: number): void {
    const refused = checkIncarnation(state, node, incarnation);
    if (refused !== undefined) throw rejectionProblem(refused.rejection);
  }
}
