import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SharedDisk } from './lab/shared-disk.js';
import { onEach, WorkloadLab, placesOf, type Status } from './lab/workload-lab.js';

let lab: WorkloadLab;
const undo: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const disk = await SharedDisk.make();
  undo.push(() => disk.dispose());
  lab = await WorkloadLab.start({
    example: 'nfs-service',
    prepare: (nodes) =>
      onEach(nodes, async (node) => {
        await disk.connect(node);
        // What clients hold is kept on the disk, so that whoever serves next knows it.
        await node.run(`mkdir -p /srv/share
          cat >/etc/ganesha/ha.conf <<END
NFS_CORE_PARAM { Protocols = 4; Enable_NLM = false; Enable_RQUOTA = false; }
NFSV4 { Grace_Period = 5; Lease_Lifetime = 5; RecoveryBackend = fs; RecoveryRoot = /srv/share/.ganesha; Minor_Versions = 0, 1; }
EXPORT {
  Export_Id = 1; Path = /srv/share; Pseudo = /share; Filesystem_Id = 1.1;
  Access_Type = RW; Squash = none; SecType = sys; Protocols = 4; Transports = TCP;
  FSAL { Name = VFS; }
}
END`);
      }),
  });
  undo.push(() => lab.stop());
}, 600_000);
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

const MEMBERS = ['files', 'nfs', 'nfs-ip'];
const together = (status: Status): string | undefined => {
  const places = MEMBERS.map((id) => placesOf(status, id).join());
  return new Set(places).size === 1 && places[0] !== '' ? places[0] : undefined;
};
const serving = async (what: string, where: (node: string) => boolean = () => true): Promise<string> =>
  together(await lab.settled(what, (now) => together(now) !== undefined && where(together(now) ?? ''))) ?? '';

/** As a client of NFS 4 writes and reads, by the service address; it waits as long as a server that has just started lets nobody begin. */
async function write(name: string, text: string): Promise<void> {
  await lab.outside.run(`cat >/tmp/${name}`, text);
  await expect
    .poll(async () => (await lab.outside.attempt(`timeout 20 nfs-cp /tmp/${name} 'nfs://192.0.2.100/share/${name}?version=4'`)).code, {
      timeout: 90_000,
    })
    .toBe(0);
}
const read = async (name: string): Promise<string> =>
  (await lab.outside.attempt(`timeout 20 nfs-cat 'nfs://192.0.2.100/share/${name}?version=4'`)).stdout;
const reads = (name: string, text: string): Promise<void> => expect.poll(() => read(name), { timeout: 90_000 }).toBe(text);

describe('a file system on a shared disk, an NFS server (nfs-ganesha) and an address in a group', () => {
  it('serves what clients wrote, wherever it is moved to', async () => {
    const first = await serving('started');
    await write('first', 'written before');
    await reads('first', 'written before');
    await lab.systole('resource', 'move', 'nfs-service');
    await serving('moved away', (node) => node !== first);
    await lab.systole('resource', 'clear', 'nfs-service');
    await reads('first', 'written before');
  }, 600_000);

  it('is started again where it was when the server is killed', async () => {
    const first = await serving('serves');
    await lab.node(first).run('kill -9 $(cat /run/ganesha-ha.pid)');
    await lab.settled('noticed', ({ failCounts }) => failCounts.some(({ resource }) => resource === 'nfs'));
    expect(await serving('restarted')).toBe(first);
    await reads('first', 'written before');
    await lab.systole('resource', 'cleanup', 'nfs');
  }, 600_000);

  it('is taken over with what was written when its node loses its power', async () => {
    const first = await serving('serves');
    await write('second', 'just before');
    await lab.node(first).cutPower();
    const second = await serving('taken over', (node) => node !== first);
    expect(lab.power.done).toEqual([`reboot ${first}`]);
    await reads('first', 'written before');
    await reads('second', 'just before');
    await write('third', 'after');
    await lab.node(first).switchOn();
    await lab.settled('back', ({ nodes }) => nodes.every(({ online }) => online));
    expect(await serving('stays')).toBe(second);
    await reads('third', 'after');
  }, 600_000);
});
