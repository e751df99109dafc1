import type { Job, Outcome } from '@systole/node-session';
import type { Machine } from './machine.js';
import type { Random } from './random.js';
import type { World } from './world.js';

export interface ProgramFaults {
  readonly startFails: number;
  readonly stopFails: number;
  readonly fenceFails: number;
  /** Of starts and monitors: they never end of themselves. */
  readonly hangs: number;
}

export const NO_PROGRAM_FAULTS: ProgramFaults = { startFails: 0, stopFails: 0, fenceFails: 0, hangs: 0 };

/** What programs say when something goes wrong; not all of it is text. */
const WORDS = ['it does not work', '\u001b[31mno\u001b[0m', 'a\u0000b', 'half \ud83d', '\uffff', ']]> & <x>'];

interface Program {
  readonly actionId: string | undefined;
  readonly job: Job;
  readonly ended: (outcome: Outcome) => void;
  readonly startedAtMs: number;
  readonly onGone: (() => void)[];
}

/** The resource and fence agents that run on a machine. They outlive the agent that started them. */
export class Programs {
  private readonly running = new Set<Program>();

  constructor(
    private readonly machine: Machine,
    private readonly world: World,
    private readonly random: Random,
    private readonly faults: () => ProgramFaults,
  ) {}

  /** @returns what ends it before its time */
  start(job: Job, actionId: string | undefined, ended: (outcome: Outcome) => void): () => void {
    const { machine, random } = this;
    const program: Program = { job, actionId, ended, startedAtMs: machine.clock.timeOfDay(), onGone: [] };
    this.running.add(program);
    if (job.kind === 'operation' && job.operation.operation === 'start' && !isDevice(job))
      this.world.activate(job.operation.resource.historyId, machine.name);
    const timeoutMs = job.kind === 'fence' ? job.timeoutMs : job.operation.timeoutMs;
    const hangs = job.kind === 'operation' && job.operation.operation !== 'stop' && random.chance(this.faults().hangs);
    const takesMs = hangs ? Number.POSITIVE_INFINITY : random.between(20, random.chance(0.05) ? 8_000 : 800);
    machine.hardware.clock.after(Math.min(takesMs, timeoutMs), () => {
      if (!this.running.has(program)) return;
      if (takesMs >= timeoutMs) this.breakOff(program, 'timeout');
      else this.end(program, { status: 'done', ...this.effect(job) });
    });
    return () => {
      this.kill(program);
    };
  }

  /** Ends what an earlier agent left running of an action; `gone` is told when nothing of it runs any more. */
  endLeftover(actionId: string, gone: () => void): void {
    const left = [...this.running].find((program) => program.actionId === actionId);
    if (left === undefined) {
      gone();
      return;
    }
    left.onGone.push(gone);
    this.kill(left);
  }

  /** The power is gone. */
  vanish(): void {
    this.running.clear();
  }

  private kill(program: Program): void {
    this.machine.hardware.clock.after(this.random.between(0, 300), () => {
      if (this.running.has(program)) this.breakOff(program, 'cancelled');
    });
  }

  private breakOff(program: Program, status: 'timeout' | 'cancelled'): void {
    const { job } = program;
    if (job.kind === 'operation' && ['start', 'stop'].includes(job.operation.operation) && this.random.chance(0.5))
      this.machine.active.delete(job.operation.resource.historyId);
    this.end(program, { status, rc: 1, exitReason: this.random.pick(WORDS) ?? '' });
  }

  private end(program: Program, outcome: Pick<Outcome, 'status' | 'rc' | 'exitReason'>): void {
    this.running.delete(program);
    program.ended({ output: this.random.pick(WORDS) ?? '', startedAtMs: program.startedAtMs, execMs: 1, ...outcome });
    for (const gone of program.onGone) gone();
  }

  /** What it does to the machine, and what it says. */
  private effect(job: Job): Pick<Outcome, 'rc' | 'exitReason'> {
    const { random, machine } = this;
    const faults = this.faults();
    const failed = (): Pick<Outcome, 'rc' | 'exitReason'> => ({ rc: 1, exitReason: random.pick(WORDS) ?? '' });
    if (job.kind === 'fence') return this.fence(job) ? { rc: 0 } : failed();
    const { operation, resource } = job.operation;
    const { historyId } = resource;
    if (isDevice(job)) return { rc: 0 };
    switch (operation) {
      case 'start':
        if (!random.chance(faults.startFails)) return { rc: 0 };
        if (random.chance(0.5)) machine.active.delete(historyId);
        return failed();
      case 'stop':
        if (random.chance(faults.stopFails)) {
          machine.isDefective = true;
          return failed();
        }
        machine.active.delete(historyId);
        return { rc: 0 };
      case 'monitor':
        return { rc: machine.active.has(historyId) ? 0 : 7 };
      default:
        return { rc: 0 };
    }
  }

  private fence({ order: { target, action } }: Extract<Job, { kind: 'fence' }>): boolean {
    const { random, world } = this;
    if (random.chance(this.faults().fenceFails)) return false;
    for (const machine of world.fence(target)) {
      if (action === 'off') machine.powerOff();
      else machine.reboot(random.between(2_000, 8_000));
    }
    return true;
  }
}

function isDevice(job: Job): boolean {
  return job.kind === 'operation' && job.operation.resource.class === 'stonith';
}
