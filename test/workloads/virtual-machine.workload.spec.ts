import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkout } from '@systole/examples';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onEach, WorkloadLab, placesOf } from './lab/workload-lab.js';

let lab: WorkloadLab;
let stop = (): Promise<void> => Promise.resolve();

beforeAll(async () => {
  const virsh = await readFile(join(checkout, 'test/workloads/agents/virsh/virsh'), 'utf8');
  lab = await WorkloadLab.start({
    example: 'virtual-machine',
    prepare: (nodes) =>
      onEach(nodes, async (node) => {
        await node.run('cat >/usr/bin/virsh; chmod 755 /usr/bin/virsh', virsh);
        // As virsh writes it: the agent looks for a name on a line of its own.
        const domain = '<domain type="kvm">\n  <name>vm</name>\n</domain>\n';
        await node.run('mkdir -p /etc/libvirt/qemu; cat >/etc/libvirt/qemu/vm.xml; virsh list', domain);
      }),
  });
  stop = () => lab.stop();
}, 600_000);
afterAll(() => stop());

const runsOn = (node: string): Promise<unknown> => lab.settled(`the guest runs on ${node}`, (now) => placesOf(now, 'vm').join() === node);
const memory = (node: string): Promise<string> => lab.node(node).run('virsh guest-read vm');

describe('a guest of ocf:heartbeat:VirtualDomain (virsh and libvirtd are stand-ins)', () => {
  it('is migrated with what it has in memory, never stopped, when it is moved and when its node goes to standby', async () => {
    await runsOn('alpha');
    await lab.node('alpha').run('virsh guest-write vm kept');
    const before = (await lab.operations()).length;
    await lab.systole('resource', 'move', 'vm', 'bravo');
    await runsOn('bravo');
    expect(await memory('bravo')).toBe('kept');
    await lab.systole('resource', 'clear', 'vm');
    await runsOn('alpha');
    await lab.systole('node', 'standby', 'alpha');
    await lab.settled('gone', (now) => !placesOf(now, 'vm').includes('alpha') && placesOf(now, 'vm').length === 1);
    const [refuge = ''] = placesOf(await lab.status(), 'vm');
    expect(await memory(refuge)).toBe('kept');
    await lab.systole('node', 'unstandby', 'alpha');
    await runsOn('alpha');
    expect(await memory('alpha')).toBe('kept');
    const since = (await lab.operations()).slice(before);
    expect(since.filter((line) => line.startsWith('start_0 vm'))).toEqual([]);
    expect(since.filter((line) => /^migrate_to_0 vm on \w+: 0$/.test(line))).toHaveLength(4);
  }, 600_000);

  it('starts anew elsewhere when its node loses its power', async () => {
    await lab.node('alpha').cutPower();
    await lab.settled('started elsewhere', (now) => placesOf(now, 'vm').length === 1 && !placesOf(now, 'vm').includes('alpha'));
    expect(lab.power.done).toEqual(['reboot alpha']);
    await lab.node('alpha').switchOn();
    await runsOn('alpha');
  }, 600_000);
});
