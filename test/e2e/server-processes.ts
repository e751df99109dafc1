import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@systole/queue/testing';
import { serverProgram, type ServerProgram, type ServerProgramOptions } from '../servers/server-program.js';

type ServerProcessesOptions = Omit<ServerProgramOptions, 'adminToken'>;

/**
 * api and worker as processes of their own, as in production; without making themselves quick, unless the settings say so: most tests are over before that helps. Each can be killed at any moment and started again; the api keeps its port, as it
 * does behind a service address.
 */
export class ServerProcesses {
  readonly adminToken = 'an-admin-token-for-the-end-to-end-tests';
  private readonly running = new Map<ServerProgram, ChildProcess>();
  private readonly output: string[] = [];

  private constructor(
    private readonly options: ServerProcessesOptions,
    private readonly port: number,
  ) {}

  static async start(options: ServerProcessesOptions): Promise<ServerProcesses> {
    const processes = new ServerProcesses(options, await freePort());
    await processes.startApi();
    processes.startWorker();
    return processes;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The last lines that the processes wrote, for the message of a failed test. */
  get log(): string {
    return this.output.slice(-60).join('');
  }

  async startApi(): Promise<void> {
    const api = this.spawn('api', { PORT: String(this.port), HOST: '127.0.0.1' });
    for (;;) {
      if (api.exitCode !== null) throw new Error(`the api ended at its start:\n${this.log}`);
      const ready = await fetch(`${this.url}/health/ready`).catch(() => undefined);
      if (ready?.ok === true) return;
      await sleep(100);
    }
  }

  /** All that the processes wrote. */
  get wholeLog(): string {
    return this.output.join('');
  }

  startWorker(): void {
    this.spawn('worker', {});
  }

  /** kill -9. */
  async kill(program: ServerProgram): Promise<void> {
    const child = this.running.get(program);
    if (child === undefined) throw new Error(`the ${program} does not run`);
    this.running.delete(program);
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  async stop(): Promise<void> {
    const children = [...this.running.values()].filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    this.running.clear();
    await Promise.all(
      children.map(async (child) => {
        const exited = once(child, 'exit');
        child.kill('SIGTERM');
        await exited;
      }),
    );
  }

  private spawn(program: ServerProgram, environment: Readonly<Record<string, string>>): ChildProcess {
    const { command, environment: settings } = serverProgram(program, { ...this.options, adminToken: this.adminToken });
    const [file = process.execPath, ...args] = command;
    const child = spawn(file, args, { env: { SYSTOLE_WARM_UP: 'off', ...settings, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        this.output.push(`${program}: ${chunk.toString()}`);
      });
    }
    this.running.set(program, child);
    return child;
  }
}
