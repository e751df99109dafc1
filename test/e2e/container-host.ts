import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentProgram, checkout } from '@systole/examples';
import type { Machine } from '../chaos/lab/machine.js';
import type { Network } from '../chaos/lab/network.js';
import { runCommand } from '../chaos/lab/run-command.js';

/** What a program said. */
export interface Said {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ContainerHostParts {
  readonly network: Network;
  readonly machine: Machine;
  /** All that is its own: its agent's state and token, its disk, its engine's store. */
  readonly directory: string;
  /** Directory that stands first in its PATH. */
  readonly programs: string;
  readonly serverUrl: string;
}

/** One machine: namespaces of its own (network, process ids, mounts, host name) with an agent in them, and the stand-in engine as its `podman` and `docker`. What lies in `/srv` is its own, too. */
export class ContainerHost {
  private kernel: ChildProcess | undefined;
  private service: ChildProcess | undefined;

  constructor(private readonly parts: ContainerHostParts) {}

  get name(): string {
    return this.parts.machine.name;
  }

  get address(): string {
    return this.parts.machine.address;
  }

  get isOn(): boolean {
    return this.kernel !== undefined;
  }

  /** Switches it on: its disk is what it was, and nothing runs but its agent. @throws when it does not come up */
  async boot(): Promise<void> {
    const { machine, network, directory } = this.parts;
    const { namespace, name } = machine;
    await runCommand(['ip', '-n', namespace, 'link', 'set', 'eth0', 'up']);
    await runCommand(['ip', '-n', namespace, 'route', 'replace', 'default', 'via', network.address]);
    // Process 1 takes in what the agents leave behind.
    const script = `hostname ${name}; mount -t tmpfs -o mode=755 tmpfs /run; mkdir -p /run/lock; mount --bind "$0" /srv; mount --bind "$1" /etc/hosts; echo up; while :; do wait -n || sleep 1; done`;
    const own = ['--mount', '--pid', '--uts', '--ipc', '--fork', '--kill-child', '--mount-proc'];
    const kernel = spawn(
      'ip',
      ['netns', 'exec', namespace, 'unshare', ...own, 'bash', '-c', script, join(directory, 'disk'), join(directory, 'hosts')],
      {
        ...{ stdio: ['ignore', 'pipe', 'inherit'], env: this.environment },
      },
    );
    this.kernel = kernel;
    const up = once(kernel.stdout, 'data');
    const failed = once(kernel, 'exit').then(() => {
      throw new Error(`${name} does not boot`);
    });
    await Promise.race([up, failed]);
    failed.catch(() => undefined);
    this.startAgent();
  }

  startAgent(): void {
    const { directory, programs, serverUrl } = this.parts;
    const at = (file: string): string => join(directory, file);
    const command = [
      ...[process.execPath, agentProgram(), '--server', serverUrl, '--node', this.name],
      ...['--token-file', at('token'), '--state-dir', at('state'), '--ocf-root', join(checkout, 'agents/ocf'), '--fence-dir', programs],
    ];
    const log = openSync(at('agent.log'), 'a');
    this.service = spawn('nsenter', [...this.entering(), ...command], { stdio: ['ignore', log, log], env: this.environment });
    closeSync(log);
  }

  /** `kill -9` to the agent alone: what it runs runs on. */
  async killAgent(): Promise<void> {
    const { service } = this;
    if (service === undefined) return;
    const ended = once(service, 'exit');
    // `nsenter` stays, as the parent of what it starts in the namespace of processes.
    process.kill(childOf(service.pid), 'SIGKILL');
    await ended;
  }

  /** Runs a program there. */
  run(...command: readonly string[]): Said {
    const { status, stdout, stderr } = spawnSync('nsenter', [...this.entering(), ...command], { encoding: 'utf8', env: this.environment });
    return { status, stdout, stderr };
  }

  /** Its power is cut: everything that runs there ends at once, and its cable hangs loose. */
  async kill(): Promise<void> {
    const { kernel, parts } = this;
    this.kernel = undefined;
    this.service = undefined;
    if (kernel === undefined) return;
    if (kernel.exitCode === null && kernel.signalCode === null) {
      const over = once(kernel, 'exit');
      kernel.kill('SIGKILL');
      await over;
    }
    await parts.network.renew(parts.machine);
    await runCommand(['ip', '-n', parts.machine.namespace, 'link', 'set', 'eth0', 'down']);
  }

  private get environment(): NodeJS.ProcessEnv {
    return { PATH: `${this.parts.programs}:${process.env['PATH'] ?? ''}` };
  }

  private entering(): readonly string[] {
    if (this.kernel === undefined) throw new Error(`${this.name} is off`);
    return ['-t', String(childOf(this.kernel.pid)), '-m', '-u', '-i', '-n', '-p', '--'];
  }
}

function childOf(parent: number | undefined): number {
  const outer = String(parent ?? 0);
  return Number(readFileSync(`/proc/${outer}/task/${outer}/children`, 'utf8').trim().split(' ')[0]);
}
