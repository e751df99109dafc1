import { agentActsAt, agentLeaseEnd, type AgentAction, type OperationStatus, type ReportedResult } from '@systole/cluster';
import type { CallingNode } from '@systole/control-plane';
import { PROTOCOL } from '@systole/protocol';
import type { Network } from './network.js';
import type { Process } from './process.js';
import type { Random } from './random.js';
import type { ApiProcess } from './server.js';
import type { Machine, World } from './world.js';

export interface AgentFaults {
  readonly startFails: number;
  readonly stopFails: number;
  readonly fenceFails: number;
}

export interface Surroundings {
  readonly clusterId: string;
  readonly world: World;
  readonly network: Network;
  readonly random: Random;
  /** A new life of the agent's process. */
  readonly spawn: (node: string) => Process;
  readonly after: (ms: number, run: () => void) => void;
  /** What an agent does that can't renew its lease. */
  readonly onLeaseLoss: 'keep' | 'stop';
  faults: AgentFaults;
}

const WAIT_MS = 1_000;
const PATIENCE_MS = 2_500;
const RETRY_MS = 500;
const RESTART_MS = 300;

/** The service manager of a node: it keeps an agent's process running while the machine is up. */
export class AgentService {
  private agent: Agent | undefined;
  private disabled = false;

  constructor(
    private readonly machine: Machine,
    private readonly around: Surroundings,
  ) {
    machine.onPowerOff = () => {
      this.kill();
    };
    machine.onPowerOn = () => {
      this.start();
    };
  }

  start(): void {
    if (!this.machine.up || this.agent !== undefined || this.disabled) return;
    this.agent = new Agent(this.machine, this.around, () => {
      this.agent = undefined;
      this.around.after(RESTART_MS, () => {
        this.start();
      });
    });
    this.agent.start();
  }

  /** kill -9; what it had started ends some way. The service manager brings it back after a while. */
  crash(downMs: number): void {
    this.machine.disturbed();
    this.kill();
    this.disabled = true;
    this.around.after(downMs, () => {
      this.disabled = false;
      this.machine.disturbed();
      this.start();
    });
  }

  freeze(ms: number): void {
    this.machine.disturbed();
    this.agent?.process.freeze(ms);
    this.around.after(ms, () => {
      this.machine.disturbed();
    });
  }

  private kill(): void {
    this.agent?.die();
    this.agent = undefined;
  }
}

/**
 * A small model of an agent, by the rules of apps/agent: an action is journaled before it begins and is begun once; results are sent until they are
 * acknowledged; it counts its lease from the moment at which it sent the poll and discards answers that come after it or to earlier polls.
 */
class Agent {
  readonly process: Process;
  private readonly caller: CallingNode;
  private protecting = false;
  private incarnation: number | undefined;
  private callId = 0;
  private seq = 0;
  private actsAt = Number.POSITIVE_INFINITY;
  private sending = false;
  private readonly accepted = new Map<string, AgentAction>();
  /** The end of the last operation in each resource's queue. */
  private readonly busyUntil = new Map<string, number>();
  private readonly recurring = new Map<string, object>();

  constructor(
    private readonly machine: Machine,
    private readonly around: Surroundings,
    private readonly onExit: () => void,
  ) {
    const { name: node } = machine;
    this.process = around.spawn(node);
    this.caller = { clusterId: around.clusterId, node, tokenId: `token-${node}`, actor: `agent:${node}` };
  }

  start(): void {
    for (const [actionId, { action, incarnation }] of this.machine.journal.inFlight) {
      this.machine.journal.inFlight.delete(actionId);
      this.journal(action, 'lost', 1, incarnation, false);
    }
    this.join();
  }

  /** What it was doing comes to some end, and nobody is there to note it. */
  die(): void {
    this.process.kill();
    for (const { action } of this.machine.journal.inFlight.values()) this.breakOff(action);
  }

  private breakOff({ operation, resource, kind }: AgentAction): void {
    if (kind !== 'operation') return;
    if ((operation === 'start' || operation === 'stop') && this.around.random.chance(0.5)) this.machine.active.delete(resource.historyId);
  }

  private exit(): void {
    if (!this.process.isAlive) return;
    this.die();
    this.onExit();
  }

  private get now(): number {
    return this.process.clock.monotonic();
  }

  private later(ms: number, run: () => void): void {
    this.process.clock.after(ms, run);
  }

  private call<T>(serve: (api: ApiProcess) => Promise<T>, answered: (answer: T) => void): void {
    this.around.network.call(this.machine.name, serve, (answer) => {
      this.process.run(() => {
        answered(answer);
      });
    });
  }

  private join(): void {
    if (this.incarnation !== undefined) return;
    const sentAt = this.now;
    this.call(
      ({ sessions }) => sessions.join(this.caller, { protocol: PROTOCOL, agentVersion: 'simulated', bootId: 'boot' }, 'simulated'),
      (joined) => {
        if (this.incarnation !== undefined || !joined.ok) return;
        const { incarnation, leaseMs } = joined.answer;
        this.incarnation = incarnation;
        this.actsAt = agentActsAt(sentAt, leaseMs);
        this.poll(incarnation);
        this.watch();
        this.send();
      },
    );
    this.later(PATIENCE_MS, () => {
      this.join();
    });
  }

  private poll(incarnation: number): void {
    const sentAt = this.now;
    const seq = ++this.seq;
    const known = [...this.accepted.keys(), ...this.machine.journal.results.map(({ result }) => result.actionId)];
    this.call(
      ({ sessions }) =>
        sessions.poll(
          this.caller,
          { incarnation, waitMs: WAIT_MS, seq, known, active: [...this.machine.active], watchdog: false },
          [],
          'simulated',
        ),
      (polled) => {
        // Of a poll that was given up, or a second copy.
        if (this.seq !== seq || this.protecting) return;
        if (!polled.ok) {
          this.refused(polled.rejection.code);
          return;
        }
        const { leaseMs, actions } = polled.answer;
        if (this.now < agentLeaseEnd(sentAt, leaseMs)) {
          this.actsAt = Math.max(this.actsAt, agentActsAt(sentAt, leaseMs));
          for (const action of actions) this.accept(action, incarnation);
        }
        this.poll(incarnation);
      },
    );
    this.later(PATIENCE_MS, () => {
      if (this.seq === seq && !this.protecting) this.poll(incarnation);
    });
  }

  private refused(code: string): void {
    if (code === 'lease-lost' || code === 'declared-down') this.protect();
    else this.exit();
  }

  /** Looks after its lease; acts before it ends. */
  private watch(): void {
    if (this.now < this.actsAt) {
      this.later(this.actsAt - this.now, () => {
        this.watch();
      });
    } else if (this.around.onLeaseLoss === 'stop') this.protect();
    else
      this.later(RETRY_MS, () => {
        this.watch();
      });
  }

  /** Stops everything, then begins anew. */
  private protect(): void {
    if (this.protecting) return;
    this.protecting = true;
    this.recurring.clear();
    for (const { action } of this.machine.journal.inFlight.values()) {
      if (action.operation !== 'stop') this.breakOff(action);
    }
    this.later(this.around.random.between(100, 3000), () => {
      this.machine.active.clear();
      this.exit();
    });
  }

  private accept(action: AgentAction, incarnation: number): void {
    if (this.accepted.has(action.actionId) || this.machine.journal.begun.has(action.actionId)) return;
    this.accepted.set(action.actionId, action);
    const { random, world } = this.around;
    const queue = action.kind === 'fence' ? action.actionId : action.resource.historyId;
    if (action.kind === 'operation' && ['start', 'stop'].includes(action.operation)) this.recurring.delete(queue);
    const begins = Math.max(this.now, this.busyUntil.get(queue) ?? 0);
    const ends = begins + random.between(20, random.chance(0.05) ? 8000 : 800);
    this.busyUntil.set(queue, ends);
    this.later(begins - this.now, () => {
      if (this.protecting) return;
      world.execute(action.actionId, this.machine.name);
      this.machine.journal.begun.add(action.actionId);
      this.machine.journal.inFlight.set(action.actionId, { action, incarnation });
      if (action.kind === 'operation' && action.operation === 'start') world.activate(action.resource.historyId, this.machine.name);
      this.later(ends - begins, () => {
        if (this.protecting && action.operation !== 'stop') return;
        this.machine.journal.inFlight.delete(action.actionId);
        this.accepted.delete(action.actionId);
        this.journal(action, 'done', this.effect(action), incarnation, false);
        if (action.intervalMs > 0) this.recur(action, incarnation);
      });
    });
  }

  /** What the operation does to the machine; its return code. */
  private effect(action: AgentAction): number {
    const { random, faults } = this.around;
    const resource = action.resource.historyId;
    const { active } = this.machine;
    if (action.kind === 'fence') return this.fence(action);
    switch (action.operation) {
      case 'start':
        if (!random.chance(faults.startFails)) return 0;
        if (random.chance(0.5)) active.delete(resource);
        return 1;
      case 'stop':
        if (random.chance(faults.stopFails)) {
          this.machine.disturbed();
          return 1;
        }
        active.delete(resource);
        return 0;
      case 'monitor':
        return active.has(resource) ? 0 : 7;
      default:
        return 0;
    }
  }

  private fence({ fence }: AgentAction): number {
    const { random, faults, world } = this.around;
    if (fence === undefined || random.chance(faults.fenceFails)) return 1;
    const target = world.fence(fence.target);
    if (fence.action === 'off') target.powerOff();
    else target.reboot(random.between(2000, 8000));
    return 0;
  }

  private recur(action: AgentAction, incarnation: number): void {
    const token = {};
    this.recurring.set(action.resource.historyId, token);
    let last = this.machine.active.has(action.resource.historyId) ? 0 : 7;
    const again = (): void => {
      this.later(action.intervalMs, () => {
        if (this.recurring.get(action.resource.historyId) !== token || this.protecting) return;
        const rc = this.machine.active.has(action.resource.historyId) ? 0 : 7;
        if (rc !== last) this.journal(action, 'done', rc, incarnation, true);
        last = rc;
        again();
      });
    };
    again();
  }

  private journal(action: AgentAction, status: OperationStatus, rc: number, incarnation: number, recurring: boolean): void {
    const { journal } = this.machine;
    this.callId += 1;
    const result: ReportedResult = {
      resultId: `${this.machine.name}-${String(journal.nextResult)}`,
      actionId: action.actionId,
      transitionKey: action.transitionKey,
      resource: action.resource,
      operation: action.operation,
      intervalMs: action.intervalMs,
      status,
      rc,
      callId: status === 'lost' ? 0 : this.callId,
      startedAt: Math.floor(this.process.clock.timeOfDay() / 1000),
      execMs: 1,
      queueMs: 0,
      recurring,
      ...(action.digests === undefined ? {} : { digests: action.digests }),
      ...(action.fence === undefined ? {} : { fence: action.fence }),
    };
    journal.nextResult += 1;
    journal.results.push({ incarnation, result });
    this.send();
  }

  /** Sends what waits, oldest incarnation first, until it is acknowledged. */
  private send(): void {
    const [first] = this.machine.journal.results;
    if (this.sending || first === undefined || this.incarnation === undefined) return;
    this.sending = true;
    const { incarnation } = first;
    const results = this.machine.journal.results.filter((entry) => entry.incarnation === incarnation).map(({ result }) => result);
    this.call(
      ({ sessions }) => sessions.results(this.caller, { incarnation, results }, 'simulated'),
      (answer) => {
        const { journal } = this.machine;
        if (answer.ok) journal.results = journal.results.filter(({ result }) => !answer.answer.includes(result.resultId));
      },
    );
    this.later(RETRY_MS, () => {
      this.sending = false;
      this.send();
    });
  }
}
