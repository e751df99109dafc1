import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { hasMountNamespaces } from '@systole/examples';
import { AgentsLab, LAB_AGENTS, isElsewhere, isOn, prefersAlpha, scripted } from './agents-lab.js';

const SBD = '/usr/sbin/sbd';
const FENCE_SBD = '/usr/sbin/fence_sbd';
const SWITCH = fileURLToPath(new URL('../../agents/fence/fence_systole_demo', import.meta.url));
const NODES = ['alpha', 'bravo', 'charlie'];

function run(program: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? `${stdout}${stderr}`}`);
  return stdout;
}

/**
 * A disk that all nodes share (a loop device), with the slots of the real `sbd`. What stands in is its daemon: it would reset this very machine when it finds its slot written to, by SysRq and by reboot(2). A program
 * of the test reads the slot of a node as often, by `sbd list`, and ends the process tree of the node.
 */
class SharedDisk {
  private readonly daemons: ChildProcess[] = [];

  private constructor(
    private readonly directory: string,
    readonly device: string,
  ) {}

  static async open(): Promise<SharedDisk> {
    const directory = await mkdtemp(join(tmpdir(), 'systole-sbd-'));
    const image = join(directory, 'disk');
    await writeFile(image, '');
    await truncate(image, 8 * 1024 * 1024);
    const device = run('losetup', '--find', '--show', image).trim();
    const disk = new SharedDisk(directory, device);
    run(SBD, '-d', device, '-1', '2', '-4', '4', 'create');
    for (const node of NODES) run(SBD, '-d', device, 'allocate', node);
    return disk;
  }

  /** Begins to watch the slot of a node. */
  watch(node: string, pidDirectory: string): void {
    const script = `while sleep 0.5; do
      case "$('${SBD}' -d '${this.device}' list | awk '$2 == "${node}" { print $3 }')" in
      reset | off) printf 'action=off\\nplug=${node}\\npiddir=${pidDirectory}\\n' | env -u SYSTOLE_PID_FILE '${SWITCH}'; exit 0 ;;
      esac
    done`;
    this.daemons.push(spawn('sh', ['-c', script], { stdio: 'ignore' }));
  }

  /** What stands in the slot of a node. */
  slotOf(node: string): string {
    const line = run(SBD, '-d', this.device, 'list')
      .split('\n')
      .find((text) => text.split('\t')[1] === node);
    return line?.split('\t')[2] ?? '';
  }

  async close(): Promise<void> {
    for (const daemon of this.daemons) daemon.kill('SIGKILL');
    run('losetup', '--detach', this.device);
    await rm(this.directory, { recursive: true, force: true });
  }
}

const isHere = existsSync(SBD) && existsSync(FENCE_SBD) && spawnSync('losetup', ['--find']).status === 0 && hasMountNamespaces();

let disk: SharedDisk | undefined;
let lab: AgentsLab | undefined;
afterEach(async () => {
  await lab?.stop();
  await disk?.close();
  lab = undefined;
  disk = undefined;
});

describe.skipIf(!isHere)('SBD by a shared disk (needs sbd, fence-agents, loop devices; its daemon is a stand-in)', () => {
  it('a lost node is reset by what the device fence_sbd writes into its slot', { timeout: 240_000 }, async () => {
    disk = await SharedDisk.open();
    const device = `<primitive id="disk" class="stonith" type="fence_sbd">
      <instance_attributes id="disk-p"><nvpair id="disk-d" name="devices" value="${disk.device}"/></instance_attributes>
      <operations><op id="disk-monitor" name="monitor" interval="60s" timeout="20s"/></operations></primitive>`;
    lab = await AgentsLab.start({
      ...{ fencing: true, leaseMs: 5_000, resources: device + scripted('a'), constraints: prefersAlpha('a') },
      allow: [...LAB_AGENTS, 'stonith:fence_sbd'],
    });
    const at = lab;
    const alpha = at.cluster.node('alpha');
    disk.watch('alpha', dirname(alpha.pidFile));
    await at.settled(
      'a runs on alpha',
      (view) => isOn('a', 'alpha')(view) && view.resources.some(({ id, activeOn }) => id === 'disk' && activeOn.length === 1),
    );
    const before = await at.cluster.version();
    process.kill(alpha.pid ?? 0, 'SIGSTOP');
    await at.settled('what ran on alpha runs elsewhere', isElsewhere('a', 'alpha'));
    expect(disk.slotOf('alpha')).toBe('reset');
    await alpha.whenDown();
    expect(await at.events('FencingCompleted', before)).toMatchObject([{ target: 'alpha', device: 'disk', outcome: 'succeeded' }]);
  });
});
