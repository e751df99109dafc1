import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** What the programs of one installation have in common. */
export interface Installation {
  readonly databaseUrl: string;
  readonly adminToken: string;
  readonly leaseMs: number;
}

/** apis and workers of one installation, each of the version that its checkout has. */
export class Programs {
  private readonly running = new Map<string, ChildProcess>();
  private readonly output: string[] = [];

  constructor(private readonly installation: Installation) {}

  /** The last lines that they wrote, for the message of a failed test. */
  get log(): string {
    return this.output.slice(-60).join('');
  }

  /** @param checkout whose version it is */
  async migrate(checkout: string): Promise<void> {
    const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: this.installation.databaseUrl };
    await promisify(execFile)(process.execPath, [join(checkout, 'migrations/dist/main.js')], { env });
  }

  /** Until it serves. @param name by which it is ended */
  async startApi(name: string, checkout: string, port: number): Promise<void> {
    await this.start(name, checkout, 'api', { PORT: String(port), HOST: '127.0.0.1' }, `http://127.0.0.1:${String(port)}/health/ready`);
  }

  async startWorker(name: string, checkout: string, port: number): Promise<void> {
    await this.start(name, checkout, 'worker', { HEALTH_PORT: String(port) }, `http://127.0.0.1:${String(port)}/health/ready`);
  }

  /** As a service manager does it. */
  async stop(name: string): Promise<void> {
    const child = this.running.get(name);
    if (child === undefined) throw new Error(`no ${name} runs`);
    this.running.delete(name);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }

  async stopAll(): Promise<void> {
    for (const name of [...this.running.keys()]) await this.stop(name);
  }

  private async start(
    name: string,
    checkout: string,
    program: 'api' | 'worker',
    settings: Readonly<Record<string, string>>,
    health: string,
  ): Promise<void> {
    const { databaseUrl, adminToken, leaseMs } = this.installation;
    const env = {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: databaseUrl,
      LOG_LEVEL: 'warn',
      ...(program === 'api' ? { SYSTOLE_ADMIN_TOKEN: adminToken, SYSTOLE_LEASE_MS: String(leaseMs) } : {}),
      ...settings,
    };
    const child = spawn(process.execPath, [join(checkout, `apps/${program}/dist/main.js`)], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        this.output.push(`${name}: ${chunk.toString()}`);
      });
    this.running.set(name, child);
    for (;;) {
      if (child.exitCode !== null) throw new Error(`${name} ended at its start:\n${this.log}`);
      if ((await fetch(health).catch(() => undefined))?.ok === true) return;
      await sleep(200);
    }
  }
}
