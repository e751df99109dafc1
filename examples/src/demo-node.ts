import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { agentProgram } from './agent-program.js';
import { checkout } from './checkout.js';

export interface DemoNodeOptions {
  readonly name: string;
  readonly serverUrl: string;
  readonly token: string;
  /** Everything of this node lies below it: journal, run directory, log. */
  readonly directory: string;
  /** Directory of the nodes' pid files, by which `fence_systole_demo` finds its target. */
  readonly pidDirectory: string;
  /** Directories of further OCF agents, beside those of the checkout. */
  readonly ocfRoots?: readonly string[];
  /** Further flags of the agent. */
  readonly flags?: readonly string[];
}

/** An agent that shares its machine with others. */
export interface AgentCommandOptions {
  readonly name: string;
  readonly serverUrl: string;
  readonly tokenFile: string;
  /** What the agent and what it starts see as `/run`; must exist. */
  readonly runDirectory: string;
  /** What the agent keeps across its restarts. */
  readonly stateDirectory: string;
  readonly pidFile: string;
  readonly ocfRoots: readonly string[];
  readonly fenceDirectory: string;
  /** Further ones. */
  readonly flags?: readonly string[];
}

/** Command line of an agent, in a mount namespace of its own where the machine allows. */
export function agentCommand(options: AgentCommandOptions): readonly string[] {
  const agent = [
    process.execPath,
    agentProgram(),
    ...['--server', options.serverUrl, '--token-file', options.tokenFile, '--node', options.name],
    ...['--state-dir', options.stateDirectory, '--run-dir', join(options.runDirectory, 'systole-agent'), '--pid-file', options.pidFile],
    ...options.ocfRoots.flatMap((root) => ['--ocf-root', root]),
    ...['--fence-dir', options.fenceDirectory],
    ...(options.flags ?? []),
  ];
  if (!hasMountNamespaces()) return agent;
  return [
    'unshare',
    '--mount',
    '--propagation',
    'private',
    'sh',
    '-c',
    'mount --bind "$0" /run && exec "$@"',
    options.runDirectory,
    ...agent,
  ];
}

/**
 * A node of the demonstration: one agent process with its own state directory and, where the machine allows, its own mount namespace in which
 * `/run` is private, so that resource agents of several nodes do not see one another's state.
 */
export class DemoNode {
  readonly name: string;
  /** The agent's own log, JSON lines. */
  readonly logFile: string;
  private process: ChildProcess | undefined;
  private exited: Promise<void> = Promise.resolve();

  constructor(private readonly options: DemoNodeOptions) {
    this.name = options.name;
    this.logFile = join(options.directory, 'agent.log');
  }

  /** Process id of the agent; undefined while it is down. */
  get pid(): number | undefined {
    return this.process?.pid;
  }

  /** What the agent keeps across its restarts, the journal among it. */
  get stateDirectory(): string {
    return join(this.options.directory, 'state');
  }

  get pidFile(): string {
    return join(this.options.pidDirectory, `${this.name}.pid`);
  }

  /** Where `ocf:systole:Dummy` keeps a resource's state; removing the file makes the resource fail. */
  stateFile(resource: string): string {
    return join(this.options.directory, 'run', 'systole-agent', 'rsctmp', `Dummy-${resource}.state`);
  }

  /** Switches the node on, with an empty `/run` as after a boot. */
  async start(): Promise<void> {
    await rm(this.runDirectory, { recursive: true, force: true });
    await mkdir(this.runDirectory, { recursive: true });
    await this.startAgent();
  }

  private get runDirectory(): string {
    return join(this.options.directory, 'run');
  }

  /** A program that switches the node on, with an empty `/run`, and is its agent from then on: for a guest, which a resource starts. */
  async writeStarter(path: string): Promise<void> {
    const quoted = (await this.agentProgram()).map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
    const run = `'${this.runDirectory}'`;
    await writeFile(path, `#!/bin/sh\nrm -rf ${run}; mkdir -p ${run}\nexec ${quoted.join(' ')} >>'${this.logFile}' 2>&1\n`, {
      mode: 0o755,
    });
  }

  /** Command line of the agent, with what it needs in place. */
  private async agentProgram(): Promise<readonly string[]> {
    const { directory, pidDirectory, serverUrl, token, name } = this.options;
    const tokenFile = join(directory, 'token');
    await mkdir(pidDirectory, { recursive: true });
    await writeFile(tokenFile, token, { mode: 0o600 });
    return agentCommand({
      ...{ name, serverUrl, tokenFile, runDirectory: this.runDirectory, stateDirectory: this.stateDirectory, pidFile: this.pidFile },
      ocfRoots: [join(checkout, 'agents/ocf'), ...(this.options.ocfRoots ?? [])],
      fenceDirectory: join(checkout, 'agents/fence'),
      flags: this.options.flags ?? [],
    });
  }

  /** Starts the agent alone, on a node that is up: whatever runs there goes on. */
  async startAgent(): Promise<void> {
    const [program = process.execPath, ...args] = await this.agentProgram();
    const log = openSync(this.logFile, 'a');
    // A process group of its own: Ctrl-C in the terminal is for the demonstration, which then stops its nodes in order.
    const child = spawn(program, args, { detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    this.process = child;
    this.exited = new Promise((resolve) => {
      const gone = (): void => {
        if (this.process === child) this.process = undefined;
        resolve();
      };
      child.once('exit', gone);
      child.once('error', gone);
    });
  }

  /** Resolves when the agent's process has ended. */
  async whenDown(): Promise<void> {
    await this.exited;
  }

  /** The power cord: SIGKILL to the agent, nothing else. */
  kill(): void {
    this.process?.kill('SIGKILL');
  }

  /** The same of an agent that something else started ({@link writeStarter}); nothing where it does not run. */
  async killStarted(): Promise<void> {
    // Its run directory stands in the next line.
    const pid = Number.parseInt(await readFile(this.pidFile, 'utf8').catch(() => ''), 10);
    if (!(pid > 1)) return;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }

  /** Asks the agent to stop its resources and leave; after `patienceMs` it is killed. */
  async stop(patienceMs: number): Promise<void> {
    if (this.process === undefined) return;
    this.process.kill('SIGTERM');
    const timer = setTimeout(() => {
      this.kill();
    }, patienceMs);
    await this.exited;
    clearTimeout(timer);
  }
}

let mountNamespaces: boolean | undefined;

/** Whether this process may make mount namespaces (root may, containers often may not). */
export function hasMountNamespaces(): boolean {
  mountNamespaces ??= spawnSync('unshare', ['--mount', '--propagation', 'private', 'true']).status === 0;
  return mountNamespaces;
}
