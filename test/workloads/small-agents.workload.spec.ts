import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NODES, onEach, WorkloadLab, placesOf, rolesOf } from './lab/workload-lab.js';

let lab: WorkloadLab;
let stop = (): Promise<void> => Promise.resolve();

/** Stands for smartctl of a healthy disk; `/run/disk` says how warm it is. */
const SMARTCTL = `#!/bin/sh
case "$*" in
*-i*) echo "SMART support is: Enabled" ;;
*-H*) echo "SMART overall-health self-assessment test result: PASSED" ;;
*-A*) echo "194 Temperature_Celsius 0x0022 64 45 000 Old_age Always - $(cat /run/disk 2>/dev/null || echo 30)" ;;
esac
`;

beforeAll(async () => {
  lab = await WorkloadLab.start({
    example: 'small-agents',
    prepare: (nodes) =>
      onEach(nodes, async (node) => {
        await node.run('cat >/usr/sbin/smartctl; chmod 755 /usr/sbin/smartctl', SMARTCTL);
        // Stands for a mail program; what it was given is kept.
        await node.run('cat >/usr/bin/mail; chmod 755 /usr/bin/mail', '#!/bin/sh\necho "$@" >>/var/tmp/mails\ncat >>/var/tmp/mails\n');
      }),
  });
  stop = () => lab.stop();
}, 600_000);
afterAll(() => stop());

/** A transient attribute of a node. */
async function attribute(node: string, name: string): Promise<string> {
  const { stdout } = await lab.node(node).attempt(`/run/systole-agent/bin/attrd_updater -Q -n '${name}' -N ${node}`);
  return /value="([^"]*)"/.exec(stdout)?.[1] ?? '';
}

describe("Pacemaker's small agents and those of resource-agents", () => {
  it('are all started, some on each node', async () => {
    await lab.settled('started', (now) => ['page', 'wait', 'mail', 'dummy'].every((id) => placesOf(now, id).length === 1));
    const status = await lab.status();
    for (const clone of ['sysinfo', 'cpu', 'smart', 'site-attribute', 'state']) expect(placesOf(status, clone), clone).toEqual(NODES);
    expect(status.failCounts).toEqual([]);
  }, 600_000);

  it('promotes as many as it may', async () => {
    const status = await lab.settled(
      'promoted',
      (now) => Object.values(rolesOf(now, 'state')).filter((role) => role === 'Promoted').length === 2,
    );
    expect(Object.values(rolesOf(status, 'state')).sort()).toEqual(['Promoted', 'Promoted', 'Unpromoted']);
  }, 300_000);

  it('SysInfo, attribute and the health agents write what they find', async () => {
    for (const node of NODES) {
      await expect.poll(() => attribute(node, 'site'), { timeout: 90_000 }).toBe('here');
      await expect.poll(() => attribute(node, '#health-smart'), { timeout: 90_000 }).toBe('green');
      expect(await attribute(node, 'cpu_cores')).toMatch(/^\d+$/);
      expect(await attribute(node, 'root_free')).toMatch(/^\d+/);
    }
  }, 300_000);

  it('ClusterMon keeps a page of the status', async () => {
    const [node = ''] = placesOf(await lab.status(), 'page');
    await expect.poll(async () => (await lab.node(node).attempt('cat /run/status.html')).stdout, { timeout: 90_000 }).toContain('charlie');
  }, 300_000);

  it('MailTo sends mail when it is moved', async () => {
    const [node = ''] = placesOf(await lab.status(), 'mail');
    expect((await lab.node(node).attempt('cat /var/tmp/mails')).stdout).toContain('cluster');
  }, 300_000);

  it('what can migrate does when its node goes to standby, and comes back so', async () => {
    const before = (await lab.operations()).length;
    await lab.systole('node', 'standby', 'alpha');
    await lab.settled('away', (now) => placesOf(now, 'dummy').length === 1 && !placesOf(now, 'dummy').includes('alpha'));
    await lab.systole('node', 'unstandby', 'alpha');
    await lab.settled('back', (now) => placesOf(now, 'dummy').join() === 'alpha');
    const migrations = (await lab.operations()).slice(before).filter((line) => /^migrate_(to|from)_0 dummy/.test(line));
    expect(migrations).toHaveLength(4);
  }, 600_000);

  it('a disk that is too warm drives resources away from its node', async () => {
    await lab.node('alpha').run('echo 80 >/run/disk');
    await lab.settled('away', (now) => placesOf(now, 'dummy').length === 1 && !placesOf(now, 'dummy').includes('alpha'));
    expect(await attribute('alpha', '#health-smart')).toBe('red');
    expect(placesOf(await lab.status(), 'smart')).toContain('alpha');
    await lab.node('alpha').run('echo 30 >/run/disk');
    await lab.settled('back', (now) => placesOf(now, 'dummy').join() === 'alpha');
  }, 600_000);
});
