import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkout } from '@systole/examples';

const START_MS = 240_000;

export interface SystoleServerOptions {
  readonly host: string;
  readonly port: number;
  /** Of the embedded PostgreSQL, unless it is to use another one. */
  readonly dataDirectory: string;
  readonly databaseUrl?: string;
  readonly adminToken: string;
  readonly leaseMs: number;
  readonly logFile: string;
}

/** `npm start`, with the PostgreSQL that it brings, as a process of its own, which can be killed and started again. */
export class SystoleServer {
  private child: ChildProcess | undefined;

  constructor(private readonly options: SystoleServerOptions) {}

  get url(): string {
    return `http://${this.options.host}:${this.options.port}`;
  }

  /** @throws when it is not ready in time */
  async start(): Promise<void> {
    const { host, port, dataDirectory, databaseUrl, adminToken, leaseMs, logFile } = this.options;
    const log = openSync(logFile, 'a');
    const environment = {
      ...{ PATH: process.env['PATH'] ?? '', HOST: host, PORT: String(port), SYSTOLE_DATA_DIR: dataDirectory },
      ...{ SYSTOLE_ADMIN_TOKEN: adminToken, SYSTOLE_LEASE_MS: String(leaseMs) },
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    };
    const child = spawn(process.execPath, [join(checkout, 'bin/dist/start.js')], { env: environment, stdio: ['ignore', log, log] });
    closeSync(log);
    this.child = child;
    for (const deadline = Date.now() + START_MS; ;) {
      await sleep(100);
      // Operators are served a little later than agents.
      const ready = await fetch(`${this.url}/v1/clusters`, { headers: { authorization: `Bearer ${adminToken}` } }).catch(() => undefined);
      if (ready?.ok === true) return;
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`the server does not start: ${readFileSync(logFile, 'utf8')}`);
    }
  }

  /** kill -9. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.end('SIGTERM');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
}
