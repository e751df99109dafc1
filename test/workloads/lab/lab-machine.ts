import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import type { Machine } from '../../chaos/lab/machine.js';
import { runCommand } from '../../chaos/lab/run-command.js';

const BOOT_MS = 15_000;
const RESTART_MS = 1_000;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Ends when its caller does, and takes with it whoever lost its parent: what an init does that agents' daemons rely on. */
const INIT = `$0 = "init"; $SIG{CHLD} = "IGNORE"; $| = 1; print "up\\n"; open(STDOUT, ">", "/dev/null"); sleep 3600 while 1`;

/**
 * Becomes the first process of the machine. Its disk is what the file system of the present machine holds, with its own changes on top; they survive a
 * reboot. What a boot empties is empty.
 */
const BOOT = `set -e
disk=$1 name=$2 addresses=$3 perl=$4
hostname "$name"
ip addr flush dev eth0
for address in $addresses; do ip addr add "$address" dev eth0; done
mount -t overlay overlay -o "lowerdir=/,upperdir=$disk/upper,workdir=$disk/work" "$disk/root"
mount -t proc proc "$disk/root/proc"
mount -t sysfs sysfs "$disk/root/sys"
mount --rbind /dev "$disk/root/dev"
for empty in dev/shm run tmp; do mount -t tmpfs -o mode=1777 tmpfs "$disk/root/$empty"; done
mkdir -p "$disk/root/run/lock"
exec chroot "$disk/root" perl -e "$perl"`;

export interface LabMachineOptions {
  readonly machine: Machine;
  /** Everything of the machine lies below it. */
  readonly directory: string;
  /** Of its network card, with their prefix lengths; whatever else it was given is gone after a boot. */
  readonly addresses: readonly string[];
  /** Lines of `/etc/hosts`. */
  readonly hosts: string;
}

/** What a program on a machine came to. */
export interface Outcome {
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program that is started with the machine, and again when it ends by itself, as a service manager does. */
export interface MachineService {
  readonly command: readonly string[];
  /** Exit codes after which it is not started again. */
  readonly final: readonly number[];
}

/**
 * A machine with a network, processes, a name, mounts and a disk of its own, made of namespaces. Who kills its first process has cut its power: the
 * kernel takes everything with it that runs there.
 */
export class LabMachine {
  private kernel: { readonly child: ChildProcess; readonly pid: number } | undefined;
  private service: ChildProcess | undefined;
  private held = false;

  constructor(
    private readonly options: LabMachineOptions,
    private readonly boots?: MachineService,
  ) {}

  get name(): string {
    return this.options.machine.name;
  }

  get isOn(): boolean {
    return this.kernel !== undefined && this.kernel.child.exitCode === null && this.kernel.child.signalCode === null;
  }

  /** Log of what is started with the machine. */
  get logFile(): string {
    return join(this.options.directory, 'service.log');
  }

  /** A path of the machine's, as it is reached from outside while it is on. */
  path(inside: string): string {
    return `/proc/${this.pid}/root${inside}`;
  }

  /** Gives the machine its disk. */
  async build(): Promise<void> {
    const { directory, hosts } = this.options;
    await mkdir(directory, { recursive: true });
    await runCommand(['mount', '-t', 'tmpfs', '-o', 'size=4g', 'tmpfs', directory]);
    for (const part of ['upper/etc', 'work', 'root']) await mkdir(join(directory, part), { recursive: true });
    await writeFile(join(directory, 'upper/etc/hosts'), hosts);
  }

  /** @throws when it does not come up */
  async switchOn({ withService = true } = {}): Promise<void> {
    if (this.isOn) return;
    this.held = false;
    const { directory, machine, addresses } = this.options;
    const [program, ...within] = machine.within;
    const namespaces = ['unshare', '--mount', '--pid', '--fork', '--kill-child', '--uts', '--ipc', '--propagation', 'private'];
    const child = spawn(program, [...within, ...namespaces, 'sh', '-c', BOOT, 'sh', directory, this.name, addresses.join(' '), INIT], {
      env: { PATH },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    for (const deadline = Date.now() + BOOT_MS; !said.endsWith('up\n'); await sleep(20)) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${this.name} does not boot: ${said}`);
    }
    const pid = Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim());
    this.kernel = { child, pid };
    if (withService) this.startService();
  }

  /** The power cord. */
  async cutPower(): Promise<void> {
    this.held = true;
    const { kernel } = this;
    if (kernel === undefined || !this.isOn) return;
    process.kill(kernel.pid, 'SIGKILL');
    while (this.isOn) await sleep(10);
    this.kernel = undefined;
  }

  async dispose(): Promise<void> {
    await this.cutPower();
    await runCommand(['umount', '--lazy', this.options.directory]);
  }

  /** Runs a program, or (a text) a shell's command line, on the machine. */
  async attempt(command: string | readonly string[], input = ''): Promise<Outcome> {
    const line = typeof command === 'string' ? ['bash', '-c', command] : command;
    const [program, ...args] = this.entering();
    const { exitCode, stdout, stderr } = await execa(program, [...args, ...line], {
      ...{ input, reject: false, env: { PATH, HOME: '/root' }, extendEnv: false, timeout: 60_000 },
    });
    return { code: exitCode, stdout, stderr };
  }

  /** @throws with what it said, when it fails */
  async run(command: string | readonly string[], input = ''): Promise<string> {
    const { code, stdout, stderr } = await this.attempt(command, input);
    if (code !== 0) throw new Error(`on ${this.name}, ${String(command)}: ${code ?? 'no exit code'} ${stderr} ${stdout}`);
    return stdout;
  }

  /** kill -9 to what is started with the machine; it is started again. */
  killService(): void {
    process.kill(this.servicePid, 'SIGKILL');
  }

  /** Ends it in order; it is not started again. */
  async stopService(): Promise<void> {
    this.held = true;
    const { service } = this;
    if (service === undefined) return;
    process.kill(this.servicePid, 'SIGTERM');
    while (this.service === service) await sleep(50);
  }

  startService(): void {
    const { boots } = this;
    if (boots === undefined) return;
    this.held = false;
    const log = openSync(this.logFile, 'a');
    const [program, ...args] = this.entering();
    const child = spawn(program, [...args, ...boots.command], { env: { PATH }, stdio: ['ignore', log, log] });
    closeSync(log);
    this.service = child;
    child.once('exit', (code) => {
      this.service = undefined;
      if (this.held || (code !== null && boots.final.includes(code))) return;
      void sleep(RESTART_MS).then(() => {
        if (!this.held && this.isOn && this.service === undefined) this.startService();
      });
    });
  }

  /** `nsenter` stays, as the parent of what it starts in the namespace of processes. */
  private get servicePid(): number {
    const outer = this.service?.pid;
    if (outer === undefined) throw new Error(`nothing runs on ${this.name}`);
    return Number(readFileSync(`/proc/${outer}/task/${outer}/children`, 'utf8').trim());
  }

  private entering(): readonly [string, ...string[]] {
    return ['nsenter', `--target=${this.pid}`, '--mount', '--net', '--pid', '--uts', '--ipc', '--root', '--wd'];
  }

  private get pid(): number {
    if (this.kernel === undefined || !this.isOn) throw new Error(`${this.name} is switched off`);
    return this.kernel.pid;
  }
}
