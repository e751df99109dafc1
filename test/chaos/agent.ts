import { agentActsAt, agentLeaseEnd, type AgentAction, type OperationStatus, type ReportedResult } from '@systole/cluster';
import type { Api } from './api.js';
import type { Network } from './network.js';
import type { Random } from './random.js';
import type { Timeline } from './timeline.js';
import type { Machine, World } from './world.js';

export interface AgentFaults {
  readonly startFails: number;
  readonly stopFails: number;
  readonly fenceFails: number;
}

const POLL_MS = 500;
const PATIENCE_MS = 1500;
const RESTART_MS = 300;

/** The service manager of a node: it keeps an agent's process running while the machine is up. */
export class AgentService {
  private process: AgentProcess | undefined;

  constructor(
    private readonly machine: Machine,
    private readonly surroundings: Surroundings,
  ) {
    machine.onPowerOff = () => {
      this.crash();
    };
    machine.onPowerOn = () => {
      this.start();
    };
  }

  start(): void {
    if (!this.machine.up || this.process !== undefined) return;
    this.process = new AgentProcess(this.machine, this.surroundings, () => {
      this.process = undefined;
      this.surroundings.timeline.after(RESTART_MS, () => {
        this.start();
      });
    });
    this.process.start();
  }

  /** kill -9; what it had started ends some way. */
  crash(): void {
    this.process?.die();
    this.process = undefined;
  }
}

export interface Surroundings {
  readonly world: World;
  readonly network: Network;
  readonly timeline: Timeline;
  readonly random: Random;
  readonly api: Api;
  faults: AgentFaults;
}

/**
 * An agent's process, by the rules of apps/agent: an action is journaled before it begins and is begun once; results are sent until they are
 * acknowledged; it counts its lease from the moment at which it sent the poll, discards answers that come after it, and stops its resources
 * before it ends.
 */
class AgentProcess {
  private alive = true;
  private protecting = false;
  private incarnation: number | undefined;
  private callId = 0;
  private actsAt = Number.POSITIVE_INFINITY;
  private polling: number | undefined;
  private sending = false;
  private readonly accepted = new Map<string, AgentAction>();
  /** The end of the last operation in each resource's queue. */
  private readonly busyUntil = new Map<string, number>();
  private readonly recurring = new Map<string, object>();

  constructor(
    private readonly machine: Machine,
    private readonly around: Surroundings,
    private readonly onExit: () => void,
  ) {}

  start(): void {
    for (const [actionId, { action, incarnation }] of this.machine.journal.inFlight) {
      this.machine.journal.inFlight.delete(actionId);
      this.journal(action, 'lost', 1, incarnation, false);
    }
    this.join();
  }

  /** What it was doing comes to some end, and nobody is there to note it. */
  die(): void {
    this.alive = false;
    for (const { action } of this.machine.journal.inFlight.values()) this.breakOff(action);
  }

  private breakOff({ operation, resource, kind }: AgentAction): void {
    if (kind !== 'operation') return;
    if (operation === 'start' && this.around.random.chance(0.5)) this.machine.active.delete(resource.historyId);
    if (operation === 'stop' && this.around.random.chance(0.5)) this.machine.active.delete(resource.historyId);
  }

  private exit(): void {
    if (!this.alive) return;
    this.die();
    this.onExit();
  }

  private later(ms: number, run: () => void): void {
    this.around.timeline.after(ms, () => {
      if (this.alive) run();
    });
  }

  private join(): void {
    if (this.incarnation !== undefined) return;
    const sentAt = this.around.timeline.now;
    this.around.network.call(
      this.machine.name,
      () => this.around.api.join(this.machine.name),
      ({ incarnation, leaseMs }) => {
        if (!this.alive || this.incarnation !== undefined) return;
        this.incarnation = incarnation;
        this.actsAt = agentActsAt(sentAt, leaseMs);
        this.poll(incarnation);
        this.watch();
      },
    );
    this.later(PATIENCE_MS, () => {
      this.join();
    });
  }

  private poll(incarnation: number): void {
    const sentAt = this.around.timeline.now;
    this.polling = sentAt;
    this.around.network.call(
      this.machine.name,
      () => this.around.api.poll(this.machine.name, incarnation, [...this.accepted.keys(), ...this.reported()]),
      (answer) => {
        if (!this.alive) return;
        if (answer.type === 'superseded') {
          this.exit();
          return;
        }
        const { now } = this.around.timeline;
        if (now >= agentLeaseEnd(sentAt, answer.leaseMs) || this.protecting) return;
        this.actsAt = Math.max(this.actsAt, agentActsAt(sentAt, answer.leaseMs));
        for (const action of answer.actions) this.accept(action, incarnation);
        if (this.polling === sentAt) {
          this.later(POLL_MS, () => {
            this.poll(incarnation);
          });
        }
      },
    );
    this.later(PATIENCE_MS, () => {
      if (this.polling === sentAt) this.poll(incarnation);
    });
  }

  private reported(): string[] {
    return this.machine.journal.results.map(({ result }) => result.actionId);
  }

  /** Looks after its lease; acts before it ends. */
  private watch(): void {
    if (this.around.timeline.now < this.actsAt) {
      this.later(this.actsAt - this.around.timeline.now, () => {
        this.watch();
      });
      return;
    }
    this.protecting = true;
    this.recurring.clear();
    for (const { action } of this.machine.journal.inFlight.values()) {
      if (action.operation !== 'stop') this.breakOff(action);
    }
    const stopMs = this.around.random.between(100, 3000);
    this.later(stopMs, () => {
      this.machine.active.clear();
      this.exit();
    });
  }

  private accept(action: AgentAction, incarnation: number): void {
    if (this.accepted.has(action.actionId) || this.machine.journal.begun.has(action.actionId)) return;
    this.accepted.set(action.actionId, action);
    const queue = action.kind === 'fence' ? action.actionId : action.resource.historyId;
    if (action.kind === 'operation' && ['start', 'stop'].includes(action.operation)) this.recurring.delete(queue);
    const begins = Math.max(this.around.timeline.now, this.busyUntil.get(queue) ?? 0);
    const ends = begins + this.around.random.between(20, this.around.random.chance(0.05) ? 8000 : 800);
    this.busyUntil.set(queue, ends);
    this.later(begins - this.around.timeline.now, () => {
      if (this.protecting) return;
      this.around.world.execute(action.actionId, this.machine.name);
      this.machine.journal.begun.add(action.actionId);
      this.machine.journal.inFlight.set(action.actionId, { action, incarnation });
      if (action.kind === 'operation' && action.operation === 'start')
        this.around.world.activate(action.resource.historyId, this.machine.name);
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
        if (random.chance(faults.stopFails)) return 1;
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
    const target = world.machine(fence.target);
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
      startedAt: Math.floor(this.around.timeline.now / 1000),
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
    if (this.incarnation === undefined || this.sending || first === undefined) {
      if (first !== undefined && this.incarnation === undefined) {
        this.later(POLL_MS, () => {
          this.send();
        });
      }
      return;
    }
    this.sending = true;
    const { incarnation } = first;
    const batch = this.machine.journal.results.filter((entry) => entry.incarnation === incarnation).map(({ result }) => result);
    this.around.network.call(
      this.machine.name,
      () => this.around.api.results(this.machine.name, incarnation, batch),
      (answer) => {
        if (!this.alive || answer.type === 'refused') return;
        const { journal } = this.machine;
        journal.results = journal.results.filter(({ result }) => !answer.ids.includes(result.resultId));
      },
    );
    this.later(PATIENCE_MS / 3, () => {
      this.sending = false;
      this.send();
    });
  }
}
