import type { EndReason, NodeSettings } from '@systole/node-session';
import { AgentProcess, type AgentSurroundings } from './agent-process.js';
import { WATCHDOG_MS, type Machine } from './machine.js';
import { Process } from './process.js';
import type { Programs } from './programs.js';
import type { Random } from './random.js';
import type { VirtualTime } from './virtual-time.js';

/** RestartSec of the unit that the guide gives. */
const RESTART_MS = 1_000;

export interface ServiceParts {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly around: AgentSurroundings;
  readonly servers: readonly string[];
  readonly watchdog: boolean;
}

/** The service manager of a node, by the unit that the guide gives: it starts the agent with the machine, and again when it was killed. */
export class AgentService {
  private agent: AgentProcess | undefined;
  private lives = 0;
  private disabled = false;
  /** How the agent ended that is not there any more. */
  ended: EndReason | undefined;

  constructor(
    private readonly machine: Machine,
    private readonly programs: Programs,
    private readonly parts: ServiceParts,
  ) {
    machine.onPowerOff = () => {
      this.kill();
      programs.vanish();
    };
    machine.onPowerOn = () => {
      this.disabled = false;
      this.start();
    };
  }

  /** How many results its agent has yet to send, or to send again. */
  get owes(): number {
    return this.agent?.owes ?? 0;
  }

  start(): void {
    if (!this.machine.up || this.agent !== undefined || this.disabled) return;
    const { machine, programs, parts } = this;
    const process = new Process(parts.time, parts.random, machine.clock);
    this.ended = undefined;
    this.agent = new AgentProcess(process, machine, programs, parts.around, this.settings(), (reason) => {
      this.agent = undefined;
      this.ended = reason;
      machine.disturbed();
      parts.around.note(`the agent of ${machine.name} ended: ${reason}`);
    });
  }

  /** kill -9; what it had started runs on. The service manager brings it back after a while. */
  crash(downMs: number): void {
    const ms = Math.max(RESTART_MS, downMs);
    this.machine.disturbed(ms);
    this.kill();
    this.pause(ms);
  }

  /** SIGSTOP, later SIGCONT. */
  freeze(ms: number): void {
    this.machine.disturbed(ms);
    this.agent?.process.freeze(ms);
  }

  /** The whole machine stands still, its programs, too. */
  freezeMachine(ms: number): void {
    this.freeze(ms);
    this.machine.hardware.freeze(ms);
  }

  thaw(): void {
    this.agent?.process.thaw();
    this.machine.hardware.thaw();
  }

  /** Asks the agent to leave the cluster; it is started again later. */
  leave(ms: number): void {
    const { agent } = this;
    if (agent === undefined) return;
    this.machine.disturbed(ms);
    agent.stop();
    this.parts.time.after(ms, () => {
      // Still waiting for the cluster: somebody loses patience.
      if (this.agent === agent) this.crash(RESTART_MS);
      else this.start();
    });
  }

  private pause(ms: number): void {
    this.disabled = true;
    this.parts.time.after(ms, () => {
      this.disabled = false;
      this.start();
    });
  }

  private settings(): NodeSettings {
    const { machine, parts } = this;
    this.lives += 1;
    return {
      agentVersion: 'simulated',
      nodeName: machine.node,
      servers: parts.servers,
      actionLimit: 4,
      watchdog: parts.watchdog,
      ...(parts.watchdog ? { watchdogMs: WATCHDOG_MS } : {}),
      stopTimeoutMs: 20_000,
      bootId: machine.bootId,
      processStartedMs: Math.floor(machine.uptime),
      machineId: `machine-of-${machine.node}`,
      tokenMark: `token-${machine.node}`,
      instance: `${machine.name}-${String(this.lives)}`,
      seed: parts.random.between(0, 2 ** 31),
    };
  }

  private kill(): void {
    this.agent?.process.kill();
    if (this.agent !== undefined) this.machine.settleWrites();
    this.agent = undefined;
  }
}
