import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SharedDisk } from './lab/shared-disk.js';
import { onEach, WorkloadLab, placesOf, type Status } from './lab/workload-lab.js';

let lab: WorkloadLab;
const undo: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const disk = await SharedDisk.make();
  undo.push(() => disk.dispose());
  lab = await WorkloadLab.start({
    example: 'web-service',
    prepare: (nodes) =>
      onEach(nodes, async (node) => {
        await disk.connect(node);
        await node.run(`mkdir -p /srv/www /var/log/apache2
          cat >/etc/apache2/ha.conf <<END
ServerRoot /etc/apache2
ServerName web
PidFile /run/apache2-ha.pid
ErrorLog /var/log/apache2/ha.log
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule status_module /usr/lib/apache2/modules/mod_status.so
Listen 80
User www-data
Group www-data
DocumentRoot /srv/www
<Location /server-status>
SetHandler server-status
</Location>
END`);
      }),
  });
  undo.push(() => lab.stop());
}, 600_000);
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

const page = async (): Promise<string> => (await lab.outside.attempt('curl -s --max-time 3 http://192.0.2.100/page')).stdout;
const MEMBERS = ['files', 'web-ip', 'web'];
const together = (status: Status): string | undefined => {
  const places = MEMBERS.map((id) => placesOf(status, id).join());
  return new Set(places).size === 1 && places[0] !== '' ? places[0] : undefined;
};

/** All of it runs in one place and serves what is on the disk. */
async function serving(what: string, where: (node: string) => boolean = () => true): Promise<string> {
  const status = await lab.settled(what, (now) => where(together(now) ?? '') && together(now) !== undefined);
  expect(await page()).toBe('written before');
  return together(status) ?? '';
}

describe('a file system on a shared disk, an address and apache in a group', () => {
  it('serves what was written, wherever it is moved to, and back', async () => {
    const status = await lab.settled('started', (now) => together(now) !== undefined);
    const first = together(status) ?? '';
    await lab.node(first).run('echo "written before" >/srv/www/page');
    await serving('serves');
    await lab.systole('resource', 'move', 'web-service');
    const second = await serving('moved away', (node) => node !== first);
    await lab.systole('resource', 'clear', 'web-service');
    await lab.systole('node', 'standby', second);
    await serving('left the node in standby', (node) => node !== second);
    await lab.systole('node', 'unstandby', second);
  }, 600_000);

  it('is restarted in its place until the threshold, then moves as a whole', async () => {
    const first = await serving('serves');
    await lab.node(first).run('pkill -9 apache2');
    await lab.settled('noticed', ({ failCounts }) => failCounts.some(({ count }) => count === '1'));
    expect(await serving('restarted')).toBe(first);
    await lab.node(first).run('pkill -9 apache2');
    await lab.settled('noticed', ({ failCounts }) => failCounts.some(({ count }) => count === '2'));
    await serving('moved', (node) => node !== first);
    await lab.systole('resource', 'cleanup', 'web');
  }, 600_000);

  it('is left alone in maintenance, and unmanaged', async () => {
    const first = await serving('serves');
    for (const [on, off] of [
      [
        ['property', 'set', 'maintenance-mode=true'],
        ['property', 'set', 'maintenance-mode=false'],
      ],
      [
        ['resource', 'unmanage', 'web'],
        ['resource', 'manage', 'web'],
      ],
    ] as const) {
      await lab.systole(...on);
      await lab.settled('known');
      const before = (await lab.operations()).length;
      await lab.node(first).run('pkill -9 apache2; sleep 8');
      await lab.settled('known');
      expect((await lab.operations()).slice(before).filter((line) => /^(start|stop)_0/.test(line))).toEqual([]);
      await lab.systole(...off);
      await lab.settled('noticed', ({ failCounts }) => failCounts.some(({ resource }) => resource === 'web'));
      await serving('taken up again');
      await lab.systole('resource', 'cleanup', 'web');
    }
  }, 600_000);

  it('goes elsewhere with what was written when its node loses its power, and when a stop fails', async () => {
    const first = await serving('serves');
    await lab.node(first).cutPower();
    const second = await serving('taken over', (node) => node !== first);
    await lab.node(first).switchOn();
    // Whoever holds the mount keeps it from being stopped: the node is fenced.
    await lab
      .node(second)
      .run('mv /usr/bin/umount /usr/bin/umount.away; printf "#!/bin/sh\\nexit 1\\n" >/usr/bin/umount; chmod 755 /usr/bin/umount');
    await lab.settled('known', ({ nodes }) => nodes.every(({ online }) => online));
    const fencings = lab.power.done.length;
    await lab.systole('resource', 'ban', 'web-service', second);
    await serving('taken over after fencing', (node) => node !== second);
    expect(lab.power.done.slice(fencings)).toEqual([`reboot ${second}`]);
  }, 600_000);
});
