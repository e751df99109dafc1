import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SYSTEMD_RUNTIME_UNITS, type SystemdAccess } from '../systemd/access.js';

const ISOLATED_ROOT = fileURLToPath(new URL('../../src/testing/isolated-root.sh', import.meta.url));
const SYSTEMD = '/lib/systemd/systemd';
const UNITS = '/units';
/** Where administrators install units; this machine's are covered. */
const INSTALLED = '/etc/systemd/system';
/** Where packages install units; this machine's are covered, so that there is what a test installs, and nothing else. */
const PACKAGED = '/usr/lib/systemd/system';
/** By which it shows that the script is what stands between a systemd and this machine's files. */
const REFUSED = 70;
const BOOTS_WITHIN_MS = 20_000;

/** Where the units of a systemd of its own lie that it needs to boot, and nothing of this machine. */
const BOOT = `
set -eu
mkdir -p ${UNITS} ${SYSTEMD_RUNTIME_UNITS} /run/lock
mount -t tmpfs -o mode=755 tmpfs ${INSTALLED}
for unit in sysinit basic network network-online time-sync multi-user shutdown umount timers sockets paths slices; do
  printf '[Unit]\\nDescription=%s\\n' "$unit" >${UNITS}/$unit.target
done
printf '[Unit]\\nRequires=multi-user.target systemd-journald.service\\n' >${UNITS}/default.target
for unit in systemd-journald.service systemd-journald.socket systemd-journald-dev-log.socket; do cp /lib/systemd/system/$unit ${UNITS}; done
mount -t tmpfs -o mode=755 tmpfs ${PACKAGED}
export SYSTEMD_UNIT_PATH=${INSTALLED}:${SYSTEMD_RUNTIME_UNITS}:${UNITS}:${PACKAGED} SYSTEMD_GENERATOR_PATH=/nowhere
exec ${SYSTEMD} --system --unit=default.target --log-target=journal --show-status=0
`;

/** Whether this machine lets a systemd run in namespaces of its own, on a root of its own. */
export function canBootSystemd(): boolean {
  if (process.getuid?.() !== 0 || !existsSync(SYSTEMD)) return false;
  const name = `systole-try-${String(process.pid)}`;
  const tried = spawnSync('/bin/sh', [ISOLATED_ROOT, name, 'own', '/bin/true'], { stdio: 'ignore', timeout: 10_000 });
  removeGroups(name);
  return tried.status === 0;
}

/** A systemd as process 1 of namespaces of its own. Its files are this machine's, and whatever is written there is gone with it. */
export class RealSystemd {
  private static count = 0;
  private readonly directory = mkdtempSync(join(tmpdir(), 'systole-systemd-'));

  private constructor(
    private readonly group: string,
    private readonly outer: ChildProcess,
    /** Of the systemd, as this machine's processes are numbered. */
    readonly pid: number,
  ) {}

  /**
   * @param network `host` when what runs in it has to reach this machine's servers
   * @throws when it does not come up, with what it wrote
   */
  static async boot(network: 'own' | 'host' = 'own'): Promise<RealSystemd> {
    const group = `systole-${String(process.pid)}-${String((RealSystemd.count += 1))}`;
    const outer = spawn('/bin/sh', [ISOLATED_ROOT, group, network, '/bin/sh', '-c', BOOT], { stdio: ['ignore', 'ignore', 'pipe'] });
    let complaints = '';
    outer.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
    const deadline = performance.now() + BOOTS_WITHIN_MS;
    while (performance.now() < deadline && outer.exitCode !== REFUSED) {
      const pid = systemdBelow(outer.pid);
      if (pid !== undefined) {
        const found = new RealSystemd(group, outer, pid);
        if (['running', 'degraded'].includes(found.run('systemctl', 'is-system-running').trim())) return found;
      }
      await pause(100);
    }
    outer.kill('SIGKILL');
    removeGroups(group);
    throw new Error(`systemd did not boot: ${complaints}`);
  }

  /** How the code under test reaches it: its programs through the namespaces. */
  get access(): SystemdAccess {
    return {
      systemctl: this.entering('systemctl'),
      journalctl: this.entering('journalctl'),
      runtimeUnits: this.path(SYSTEMD_RUNTIME_UNITS),
      agentUnit: 'systole-agent.service',
    };
  }

  /** A file in there, as this machine's processes see it. */
  path(file: string): string {
    return join(`/proc/${String(this.pid)}/root`, file);
  }

  /** Installs a unit. */
  unit(name: string, content: string): void {
    writeFileSync(join(this.path(INSTALLED), name), content);
    this.run('systemctl', 'daemon-reload');
  }

  /** What a program in there prints; whether it succeeds is its own business. */
  run(program: string, ...args: readonly string[]): string {
    return spawnSync('nsenter', [...this.namespaces(), program, ...args], { encoding: 'utf8' }).stdout;
  }

  /** As {@link run}, while this process goes on: for what waits for a server in it. @returns what it prints, complaints included */
  async runAside(program: string, ...args: readonly string[]): Promise<string> {
    const child = spawn('nsenter', [...this.namespaces(), program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await new Promise((resolve) => child.on('close', resolve));
    return printed;
  }

  /** One property of a unit. */
  property(unit: string, name: string): string {
    return this.run('systemctl', 'show', `--property=${name}`, '--value', unit).trim();
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.outer.once('exit', resolve));
    this.outer.kill('SIGKILL');
    await gone;
    rmSync(this.directory, { recursive: true, force: true });
    for (let attempt = 0; attempt < 50 && !removeGroups(this.group); attempt++) await pause(50);
  }

  private namespaces(): readonly string[] {
    return ['--target', String(this.pid), '--mount', '--pid', '--net', '--ipc', '--uts', '--'];
  }

  private entering(program: string): string {
    const file = join(this.directory, program);
    writeFileSync(file, `#!/bin/sh\nexec nsenter ${this.namespaces().join(' ')} ${program} "$@"\n`, { mode: 0o755 });
    return file;
  }
}

/** The one process that `unshare` has begun, when it is systemd by now. */
function systemdBelow(outer: number | undefined): number | undefined {
  if (outer === undefined) return undefined;
  try {
    const [child = ''] = readFileSync(`/proc/${String(outer)}/task/${String(outer)}/children`, 'utf8').split(' ');
    return child !== '' && readFileSync(`/proc/${child}/comm`, 'utf8').trim() === 'systemd' ? Number(child) : undefined;
  } catch {
    return undefined;
  }
}

/** @returns whether they are gone */
function removeGroups(name: string): boolean {
  const root = ['/sys/fs/cgroup/unified', '/sys/fs/cgroup'].map((base) => join(base, name)).find((path) => existsSync(path));
  if (root === undefined) return true;
  try {
    removeBelow(root);
    return true;
  } catch {
    return false;
  }
}

function removeBelow(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) if (entry.isDirectory()) removeBelow(join(path, entry.name));
  rmdirSync(path);
}
