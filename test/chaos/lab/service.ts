import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeClockRemains } from './clock.js';
import type { Machine } from './machine.js';

const RESTART_MS = 1_000;

/** A process that ended without having been killed. */
export interface Death {
  readonly service: string;
  readonly startedAt: number;
  readonly at: number;
  /** Exit code or signal. */
  readonly how: string;
}

export interface ServiceOptions {
  readonly name: string;
  readonly machine: Machine;
  /** Full command line; it is run on the machine. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Called before each start. */
  readonly prepare?: () => Promise<void>;
  readonly onDeath: (death: Death) => void;
}

/** A program that is meant to run always: whenever it ends it is started again, as an init system does, unless it is held down. */
export class Service {
  private child: ChildProcess | undefined;
  private held = true;

  constructor(private readonly options: ServiceOptions) {}

  get name(): string {
    return this.options.name;
  }

  get machine(): Machine {
    return this.options.machine;
  }

  /** To the program alone, not to what it has started. */
  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  async start(): Promise<void> {
    this.held = false;
    await this.spawn();
  }

  /** From now on it is not started again when it ends. */
  hold(): void {
    this.held = true;
  }

  /** A call, because it changes while one waits. */
  private isHeld(): boolean {
    return this.held;
  }

  private async spawn(): Promise<void> {
    const { name, machine, command, environment, logFile, prepare, onDeath } = this.options;
    await prepare?.();
    if (this.isHeld() || this.child !== undefined) return;
    const log = openSync(logFile, 'a');
    const [program, ...args] = machine.within;
    const child = spawn(program, [...args, ...command], { detached: true, stdio: ['ignore', log, log], env: environment });
    closeSync(log);
    this.child = child;
    const startedAt = Date.now();
    child.once('exit', (code, signal) => {
      this.child = undefined;
      if (child.pid !== undefined) removeClockRemains(child.pid);
      // Nobody in the lab uses another signal, and no program sends itself this one.
      if (signal !== 'SIGKILL' && !this.held) onDeath({ service: name, startedAt, at: Date.now(), how: signal ?? `exit ${code}` });
      void this.restart();
    });
  }

  private async restart(): Promise<void> {
    if (this.isHeld()) return;
    await sleep(RESTART_MS);
    if (!this.isHeld()) await this.spawn();
  }
}
