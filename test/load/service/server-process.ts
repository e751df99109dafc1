import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endWithRun } from './interrupted.js';

export interface ServerProcessOptions {
  /** Compiled program and its arguments. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Where its profiles go (`--cpu-prof`); absent: none are made. */
  readonly profiles?: string;
}

/** Says which part of a process's profiles counts. */
export const profiledFile = (pid: number): string => `profiled.${pid}.json`;

const READY_WITHIN_MS = 600_000;
const LOOK_MS = 20;
/** Of its output that is kept. */
const KEPT_LINES = 60;

/** A process of the product that is measured. */
export class ServerProcess {
  /** From the start of the process until it said that it was ready; ms. */
  readyAfterMs = Number.NaN;
  private readonly startedAt = performance.now();
  private readonly output: string[] = [];
  /** Which part of the profiles counts; µs of the clock that profiles count in. */
  private profiled: Readonly<Record<string, number>> = {};

  private constructor(
    private readonly child: ChildProcess,
    private readonly profiles: string | undefined,
  ) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.output.push(chunk.toString());
        this.output.splice(0, this.output.length - KEPT_LINES);
      });
    }
  }

  static async start({ command, environment, profiles }: ServerProcessOptions): Promise<ServerProcess> {
    if (profiles !== undefined) await mkdir(profiles, { recursive: true });
    const profiling = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
    const child = spawn(process.execPath, [...profiling, ...command], {
      env: { PATH: process.env['PATH'] ?? '', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    endWithRun(child);
    return new ServerProcess(child, profiles);
  }

  get pid(): number {
    const { pid } = this.child;
    if (pid === undefined) throw new Error('the process was not started');
    return pid;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** What it wrote last. */
  get log(): string {
    return this.output.join('');
  }

  /** @param url base URL under which its health is asked for @throws {Error} when it ends, or is not ready in time */
  async ready(url: string): Promise<void> {
    for (const until = performance.now() + READY_WITHIN_MS; performance.now() < until;) {
      if (!this.isRunning) throw new Error(`the server ended at its start:\n${this.log}`);
      const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
      if (answer?.ok === true) {
        this.readyAfterMs = performance.now() - this.startedAt;
        await this.readyForOperators(url);
        return;
      }
      await sleep(LOOK_MS);
    }
    throw new Error(`the server was not ready within ${READY_WITHIN_MS} ms:\n${this.log}`);
  }

  /** Agents are served before operators are, and what is measured begins with what an operator asks. An api that has no thread of its own for them has no such path. */
  private async readyForOperators(url: string): Promise<void> {
    for (const until = performance.now() + READY_WITHIN_MS; performance.now() < until;) {
      const { status } = await fetch(`${url}/health/ready/operators`);
      if (status !== 503) return;
      await sleep(LOOK_MS);
    }
    throw new Error(`the server was not ready for operators within ${READY_WITHIN_MS} ms:\n${this.log}`);
  }

  /** Where what is measured begins, or ends, for whoever reads the profiles (`profile-reading.ts`). */
  async noteProfiled(end: 'from' | 'to'): Promise<void> {
    if (this.profiles === undefined) return;
    this.profiled = { ...this.profiled, [end]: Number(process.hrtime.bigint() / 1_000n) };
    await writeFile(join(this.profiles, profiledFile(this.pid)), JSON.stringify(this.profiled));
  }

  /** @param signal SIGKILL: nothing is said and nothing tidied up */
  async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    if (!this.isRunning) return;
    const exited = once(this.child, 'exit');
    this.child.kill(signal);
    await exited;
  }
}
