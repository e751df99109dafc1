import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentAction, ClusterEvent, ReportedResult } from '@systole/cluster';
import { BEAT_MS, type ClusterCommands } from '@systole/control-plane';
import { postgresPorts, type PostgresPorts } from '@systole/control-plane-postgres';
import type { EventStore } from '@systole/event-store';
import { ClusterStates } from '@systole/read-models';
import type { Pool } from 'pg';

const OCF_OK = 0;
const OCF_ERR_GENERIC = 1;
const OCF_NOT_RUNNING = 7;

/** Of simulated nodes. */
export const LEASE_MS = 5_000;

/** The server's side of the agents' protocol, without HTTP: what the api does for agents. */
export class AgentDesk {
  readonly commands: ClusterCommands;
  readonly states: ClusterStates;
  readonly ports: PostgresPorts;
  /** How an api tells the worker of what leaves no event. */
  wakeWorker: (clusterId: string) => Promise<void> = () => Promise.resolve();
  private service: { readonly ended: AbortController; readonly beating: Promise<void> } | undefined;

  constructor(pool: Pool, store: EventStore<ClusterEvent>) {
    this.states = new ClusterStates(store);
    this.ports = postgresPorts(pool, store, this.states, { by: 'test', report: { warn: () => undefined } });
    this.commands = this.ports.commands();
  }

  /** Whether agents reach somebody here. */
  get isOpen(): boolean {
    return this.service !== undefined;
  }

  /** As an api that starts. */
  open(): void {
    const ended = new AbortController();
    this.service = { ended, beating: this.beat(randomUUID(), ended.signal) };
  }

  /** As an api that ends: no agent hears of it until it opens again. */
  async close(): Promise<void> {
    const { service } = this;
    this.service = undefined;
    service?.ended.abort();
    await service?.beating;
  }

  private async beat(apiId: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.ports.heartbeats.beat(apiId, true);
      await sleep(BEAT_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** What happens on a simulated node when it is told to do something. */
export interface SimulatedBehaviour {
  /** Between two polls, ms; 20 when left out. */
  readonly pauseMs?: number;
  /** How long each action takes, ms. */
  readonly takesMs?: number;
  /** The return code of an action; undefined for that of a healthy resource; `lost` when the agent forgets it before it is executed. */
  readonly rcOf?: (action: AgentAction) => number | 'lost' | undefined;
  /** Whether the answer with these actions is lost on its way to the agent. */
  readonly answerLost?: (actions: readonly AgentAction[]) => Promise<boolean>;
  /** Switches a node off; called by the node that runs the fence agent. */
  readonly powerOff?: (target: string) => Promise<void>;
}

/**
 * A node whose agent is simulated in this process: it joins, holds its lease, takes what is handed out to it, once, and answers. It keeps a journal of
 * what it executed, as a real agent does.
 */
export class SimulatedNode {
  /** Ids of executed actions, in order. */
  readonly journal: string[] = [];
  /** Instances that run here. */
  readonly active = new Set<string>();
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private incarnation = 0;
  private callId = 0;
  private polls = 0;

  constructor(
    private readonly desk: AgentDesk,
    private readonly clusterId: string,
    readonly name: string,
    private readonly behaviour: SimulatedBehaviour = {},
    private readonly leaseMs = LEASE_MS,
  ) {}

  /** May be called again: then the agent begins a new incarnation, as one that crashed and came back. */
  async join(): Promise<void> {
    const { clusterId, name: node, leaseMs } = this;
    const result = await this.desk.commands.execute(
      clusterId,
      { type: 'join-node', node, agentVersion: 'simulated', leaseMs },
      {
        actor: `agent:${node}`,
        correlationId: randomUUID(),
        within: async ({ leases }, { events }) => {
          const [joined] = events;
          if (joined?.type !== 'NodeJoined') return;
          this.incarnation = joined.data.incarnation;
          await leases.grant({ clusterId, node, incarnation: this.incarnation, tokenId: 'test', leaseMs, presence: { type: 'renews' } });
        },
      },
    );
    if (!result.ok) throw new Error(result.rejection.message);
    this.running ??= this.poll();
  }

  /** The power goes: whatever ran here is gone, and nobody hears of it. */
  async powerOff(): Promise<void> {
    this.stopping.abort();
    this.active.clear();
    await this.running;
  }

  private isOn(): boolean {
    return !this.stopping.signal.aborted;
  }

  private async poll(): Promise<void> {
    const { signal } = this.stopping;
    while (this.isOn()) {
      if (this.desk.isOpen) await this.pollOnce();
      await sleep(this.behaviour.pauseMs ?? 20, undefined, { signal }).catch(() => undefined);
    }
  }

  private async pollOnce(): Promise<void> {
    await this.desk.ports.leases.renew(this.clusterId, this.name, this.incarnation, { type: 'renews' });
    const seq = ++this.polls;
    const [delivery] = await this.desk.ports.log.deliver(this.clusterId, ({ state: { transition, version } }) => {
      if (transition === undefined) return undefined;
      const to = { node: this.name, incarnation: this.incarnation, seq, shown: version };
      // What is not acknowledged is in its journal; that what is acknowledged is named, too, makes no difference.
      const { number, status, probingSince } = transition;
      const waiting = [{ to, known: this.journal }];
      return { transition: number, aborting: status === 'aborting', probing: probingSince !== undefined, waiting };
    });
    if (delivery?.withdrawable === true) await this.desk.wakeWorker(this.clusterId);
    if (delivery !== undefined && delivery.actions.length > 0 && (await this.behaviour.answerLost?.(delivery.actions)) === true) return;
    for (const action of delivery?.actions ?? []) {
      if (!this.isOn()) return;
      if (!this.journal.includes(action.actionId)) await this.execute(action);
    }
  }

  private async execute(action: AgentAction): Promise<void> {
    this.journal.push(action.actionId);
    await sleep(this.behaviour.takesMs ?? 5);
    const rc = this.behaviour.rcOf?.(action) ?? (await this.carryOut(action));
    if (this.isOn() && rc !== 'lost') await this.report(action, rc);
  }

  private async carryOut({ kind, operation, resource, fence }: AgentAction): Promise<number> {
    if (kind === 'cancel') return OCF_OK;
    if (fence) {
      await this.behaviour.powerOff?.(fence.target);
      return this.behaviour.powerOff ? OCF_OK : OCF_ERR_GENERIC;
    }
    if (operation === 'start') this.active.add(resource.id);
    if (operation === 'stop') this.active.delete(resource.id);
    return operation === 'monitor' && !this.active.has(resource.id) ? OCF_NOT_RUNNING : OCF_OK;
  }

  /** Reports a result; also one that nobody asked for, such as a recurring monitor's. */
  async report(action: AgentAction, rc: number, recurring = false): Promise<void> {
    this.callId += 1;
    const result: ReportedResult = {
      resultId: randomUUID(),
      actionId: action.actionId,
      transitionKey: action.transitionKey,
      resource: action.resource,
      operation: action.operation,
      intervalMs: action.intervalMs,
      status: 'done',
      rc,
      callId: this.callId,
      startedAt: Math.floor(Date.now() / 1000),
      execMs: 5,
      queueMs: 0,
      recurring,
      ...(action.digests === undefined ? {} : { digests: action.digests }),
      ...(action.fence === undefined
        ? {}
        : {
            fence: {
              fencingId: action.fence.fencingId,
              target: action.fence.target,
              action: action.fence.action,
              deviceId: action.fence.deviceId,
            },
          }),
    };
    await this.desk.commands.execute(
      this.clusterId,
      { type: 'record-results', node: this.name, incarnation: this.incarnation, results: [result] },
      {
        actor: `agent:${this.name}`,
        correlationId: randomUUID(),
        carriesCorrelation: true,
        answers: { node: this.name, actionIds: [action.actionId] },
      },
    );
  }
}
