import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentAction } from '@systole/protocol';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/**
 * Compiles the agent, so that its real program can be run; one of several test files at a time. Type errors are the type check's business: the program is
 * written all the same.
 */
export function buildAgent(): void {
  const compile = [process.execPath, join(ROOT, 'node_modules/typescript/bin/tsc'), '-b', join(ROOT, 'apps/agent')];
  spawnSync('flock', [ROOT, ...compile], { stdio: 'ignore' });
}

/** A node's directories; they outlive the agent's processes as those of a real node do. */
export class TestNode {
  readonly directory = mkdtempSync(join(tmpdir(), 'systole-agent-'));
  readonly runDir = join(this.directory, 'run');
  readonly stateDir = join(this.directory, 'state');
  readonly pidFile = join(this.directory, 'pids', 'n1.pid');
  private readonly agents: AgentProcess[] = [];

  constructor(private readonly serverUrl: string | readonly string[]) {}

  start(...flags: readonly string[]): AgentProcess {
    const agent = new AgentProcess([
      join(ROOT, 'apps/agent/dist/main.js'),
      ...[
        '--servers',
        [this.serverUrl].flat().join(','),
        '--state-dir',
        this.stateDir,
        '--run-dir',
        this.runDir,
        '--pid-file',
        this.pidFile,
      ],
      ...['--ocf-root', join(ROOT, 'agents/ocf'), '--fence-dir', join(ROOT, 'agents/fence'), '--kill-grace', '300', ...flags],
    ]);
    this.agents.push(agent);
    return agent;
  }

  /** Where resource agents keep their state. */
  stateFile(name: string): string {
    return join(this.runDir, 'rsctmp', name);
  }

  async destroy(): Promise<void> {
    for (const agent of this.agents) await agent.kill();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

export class AgentProcess {
  readonly exit: Promise<number | null>;
  log = '';
  private readonly child: ChildProcess;

  constructor(args: readonly string[]) {
    this.child = spawn(process.execPath, args, {
      env: { PATH: process.env['PATH'], SYSTOLE_TOKEN: 'secret' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.log += chunk.toString();
    });
    this.exit = new Promise((resolve) => this.child.on('exit', resolve));
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** As a crash: no goodbye. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exit;
  }
}

let counter = 0;

/** An operation of `ocf:systole:Dummy` with everything that a test does not care about filled in. */
export function operation(resource: string, name: string, more: Partial<AgentAction> = {}): AgentAction {
  counter += 1;
  return {
    actionId: `c1:1:${counter}`,
    kind: 'operation',
    transitionKey: `${counter}:1:0:c1`,
    operation: name,
    intervalMs: 0,
    timeoutMs: 20_000,
    expectedRc: 0,
    resource: { id: resource, historyId: resource, class: 'ocf', provider: 'systole', type: 'Dummy' },
    parameters: {},
    meta: { CRM_meta_timeout: '20000' },
    ...more,
  };
}

/** Waits until the condition holds. */
export async function until(condition: () => boolean, what: string, timeoutMs = 15_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`timed out waiting until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** First line of a file as a number, e.g. a pid; undefined while there is none. */
export function numberIn(file: string): number | undefined {
  const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return text === '' ? undefined : Number(text.split('\n')[0]);
}
