import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { agentCommand, checkout } from '@systole/examples';
import type { Clock } from './clock.js';
import type { Machine } from './machine.js';
import { runCommand } from './run-command.js';
import { Service, type Death } from './service.js';

const agents = join(checkout, 'test/chaos/agents');
/** Room for a journal; small, so that it can be filled. */
const STATE_BYTES = 16 * 1024 * 1024;

export interface NodeOptions {
  /** As which it joins; two machines may claim the same one. */
  readonly name: string;
  readonly machine: Machine;
  readonly clock: Clock;
  readonly serverUrl: string;
  readonly token: string;
  /** Everything of the node lies below it. */
  readonly directory: string;
  readonly logFile: string;
  readonly onBoot: () => void;
  readonly onDeath: (death: Death) => void;
}

/**
 * A cluster node: a machine with an agent. A process that does nothing stands for its kernel: the machine is on as long as that lives. Who
 * kills everything in the namespace has cut the power; then the machine boots, with an empty `/run`.
 */
export class ClusterNode {
  readonly agent: Service;
  private kernel: ChildProcess | undefined;

  private constructor(private readonly options: NodeOptions) {
    const { name, machine, clock, serverUrl, directory, logFile, onDeath } = options;
    const command = agentCommand({
      ...{ name, serverUrl, tokenFile: join(directory, 'token'), stateDirectory: this.stateDirectory },
      ...{ runDirectory: this.runDirectory, pidFile: join(directory, `${machine.name}.pid`) },
      ...{ ocfRoots: [join(agents, 'ocf')], fenceDirectory: join(agents, 'fence') },
    });
    const environment = { PATH: process.env['PATH'] ?? '' };
    this.agent = new Service({
      name: machine.name,
      machine,
      command: [...clock.within, ...command],
      environment,
      logFile,
      onDeath,
      prepare: () => this.boot(),
    });
  }

  static async create(options: NodeOptions): Promise<ClusterNode> {
    const node = new ClusterNode(options);
    await mkdir(node.stateDirectory, { recursive: true });
    await writeFile(join(options.directory, 'token'), options.token, { mode: 0o600 });
    await runCommand(['mount', '-t', 'tmpfs', '-o', `size=${STATE_BYTES}`, 'none', node.stateDirectory]);
    return node;
  }

  get name(): string {
    return this.options.name;
  }

  /** What a copy of the machine is made of: everything that its disk holds, and nothing of what runs. */
  async copyTo(
    machine: Machine,
    { directory, logFile, onDeath }: Pick<NodeOptions, 'directory' | 'logFile' | 'onDeath'>,
  ): Promise<ClusterNode> {
    const copy = await ClusterNode.create({ ...this.options, machine, directory, logFile, onDeath });
    await runCommand(['cp', '-a', `${this.stateDirectory}/.`, copy.stateDirectory]);
    return copy;
  }

  get machine(): Machine {
    return this.options.machine;
  }

  async fillDisk(): Promise<void> {
    await runCommand(['sh', '-c', 'cat /dev/zero >"$0" 2>/dev/null || true', this.ballast]);
  }

  async emptyDisk(): Promise<void> {
    await rm(this.ballast, { force: true });
  }

  async dispose(): Promise<void> {
    await runCommand(['umount', '--lazy', this.stateDirectory]);
  }

  /** Unless the machine is on. */
  private async boot(): Promise<void> {
    const { kernel } = this;
    if (kernel !== undefined && kernel.exitCode === null && kernel.signalCode === null) return;
    await rm(this.runDirectory, { recursive: true, force: true });
    await mkdir(this.runDirectory, { recursive: true });
    const [program, ...args] = this.machine.within;
    this.kernel = spawn(program, [...args, 'sleep', 'infinity'], { detached: true, stdio: 'ignore' });
    await once(this.kernel, 'spawn');
    this.options.onBoot();
  }

  private get stateDirectory(): string {
    return join(this.options.directory, 'state');
  }

  private get runDirectory(): string {
    return join(this.options.directory, 'run');
  }

  private get ballast(): string {
    return join(this.stateDirectory, 'ballast');
  }
}
