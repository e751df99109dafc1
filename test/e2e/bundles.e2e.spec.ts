import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canRunContainers, ContainerHosts, placesOf, resourceOf } from './container-hosts.js';

/** Serves /srv, and ends when it is told to. */
const WEB = `trap 'exit 0' TERM; /usr/bin/python3 -m http.server 80 --directory /srv & wait`;

const bundles = (shared: string, own: string): string => `
  <bundle id="web">
    <podman image="web:1" replicas="2" options="-e GREETING=hello -e WHO=there"/>
    <network ip-range-start="@NET@.50" host-netmask="24" host-interface="eth0"><port-mapping id="web-http" port="80"/></network>
    <storage>
      <storage-mapping id="web-shared" source-dir="${shared}" target-dir="/srv/shared" options="ro"/>
      <storage-mapping id="web-own" source-dir-root="${own}" target-dir="/srv/own" options="rw"/>
    </storage>
  </bundle>
  <bundle id="many">
    <docker image="web:1" replicas="2" replicas-per-host="2" run-command="/bin/sh -x /srv/run" network="none"/>
    <storage><storage-mapping id="many-run" source-dir="${shared}/run" target-dir="/srv/run"/></storage>
  </bundle>`;

const fetched = async (url: string): Promise<string | undefined> => {
  const answer = await fetch(url, { signal: AbortSignal.timeout(3_000) }).catch(() => undefined);
  return answer?.ok === true ? await answer.text() : undefined;
};

describe.skipIf(!canRunContainers())(
  'a bundle without a primitive, on a stand-in engine (needs root, resource-agents, socat, nftables)',
  () => {
    let lab: ContainerHosts;
    let directory: string;

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'systole-bundles-'));
      const [shared, own] = [join(directory, 'shared'), join(directory, 'own')];
      await mkdir(shared);
      await mkdir(own);
      await writeFile(join(shared, 'page'), 'served\n');
      await writeFile(join(shared, 'run'), "trap 'exit 0' TERM\nwhile :; do sleep 0.2; done\n");
      lab = await ContainerHosts.start({
        resources: bundles(shared, own),
        constraints:
          '<rsc_location id="l" rsc="many" node="charlie" score="100"/><rsc_colocation id="c" rsc="many" with-rsc="web" score="-1000"/>',
        images: { 'web:1': WEB },
      });
    }, 400_000);
    afterAll(async () => {
      await lab.stop();
      await rm(directory, { recursive: true, force: true });
    });

    const command = async (resource: string, verb: 'disable' | 'enable' | 'restart' | 'cleanup'): Promise<number> => {
      const params = { path: { cluster: lab.cluster, resource } };
      const { response } = await lab.client.POST(`/v1/clusters/{cluster}/resources/{resource}/commands/${verb}`, {
        params,
        body: {},
      } as never);
      return response.status;
    };

    /** Where the parts of the replicas are. */
    const replicas = (status: Awaited<ReturnType<ContainerHosts['status']>>): readonly string[] =>
      ['web-podman-0', `web-ip-${lab.address(50)}`, 'web-podman-1', `web-ip-${lab.address(51)}`].map((id) => placesOf(status, id).join());

    /** Each replica is whole, on a host of its own. */
    const areWhole = ([container0 = '', ip0, container1 = '', ip1]: readonly string[]): boolean =>
      container0 !== '' && container1 !== '' && container0 === ip0 && container1 === ip1 && container0 !== container1;

    it('has its replicas each on a host of its own, with its address, its ports and what it mounts', { timeout: 600_000 }, async () => {
      const status = await lab.settled('two replicas run', (seen) => areWhole(replicas(seen)));
      expect(resourceOf(status, 'web')).toMatchObject({ kind: 'bundle' });
      for (const number of [0, 1]) {
        const host = lab.host(placesOf(status, `web-podman-${String(number)}`).join());
        await lab.until('it serves', async () => (await fetched(`http://${lab.address(50 + number)}/shared/page`)) === 'served\n');
        const inside = (line: string): string => host.run('podman', 'exec', `web-podman-${String(number)}`, 'sh', '-c', line).stdout.trim();
        expect(inside('hostname; echo $GREETING $WHO $PCMK_remote_port')).toBe(`web-${String(number)}\nhello there 3121`);
        expect(inside(`grep -c -e "${lab.address(50)} web-0" -e "${lab.address(51)} web-1" /etc/hosts`)).toBe('2');
        expect(inside('touch /srv/shared/x 2>/dev/null || echo refused; hostname >/srv/own/name')).toBe('refused');
        expect(host.run('cat', `${directory}/own/web-${String(number)}/name`).stdout).toBe(`web-${String(number)}\n`);
      }
    });

    it('may have several on a host, without a network', { timeout: 600_000 }, async () => {
      await lab.settled('both run', (status) =>
        ['many-docker-0', 'many-docker-1'].every((id) => placesOf(status, id).join() === 'charlie'),
      );
      const { stdout } = lab
        .host('charlie')
        .run('docker', 'exec', 'many-docker-0', 'sh', '-c', "ip -o address; tr '\\0' ' ' </proc/1/cmdline");
      expect(stdout).not.toContain('eth0');
      expect(stdout).toContain('/bin/sh -x /srv/run');
    });

    it('has a container that was killed started again, with its address', { timeout: 600_000 }, async () => {
      const [host = ''] = placesOf(await lab.status(), 'web-podman-1');
      lab.host(host).run('podman', 'kill', 'web-podman-1');
      expect(await fetched(`http://${lab.address(51)}/shared/page`)).toBeUndefined();
      await lab.client.POST('/v1/clusters/{cluster}/resources/{resource}/commands/refresh', {
        params: { path: { cluster: lab.cluster, resource: 'web' } },
        body: {},
      } as never);
      await lab.until(
        'it serves again',
        async (status) => areWhole(replicas(status)) && (await fetched(`http://${lab.address(51)}/shared/page`)) === 'served\n',
      );
    });

    it('is disabled, enabled, restarted and cleaned up as a whole', { timeout: 600_000 }, async () => {
      expect(await command('web', 'disable')).toBe(200);
      await lab.settled('all of it is stopped', (status) => replicas(status).join('') === '');
      expect([lab.containers('web-podman-0'), lab.containers('web-podman-1')]).toEqual([[], []]);
      expect(await command('web', 'enable')).toBe(200);
      await lab.settled('it runs again', (status) => areWhole(replicas(status)));
      const started = async (): Promise<string> =>
        lab
          .host(placesOf(await lab.status(), 'web-podman-0').join())
          .run('podman', 'inspect', '--format', '{{.State.StartedAt}}', 'web-podman-0').stdout;
      const before = await started();
      expect(await command('web', 'restart')).toBe(200);
      await lab.settled('it was restarted', (status) => areWhole(replicas(status)));
      expect(await started()).not.toBe(before);
      expect(await command('web', 'cleanup')).toBe(200);
      await lab.settled('it still runs', (status) => areWhole(replicas(status)));
    });

    it('has a replica whose host died started elsewhere, with its address, after the host was fenced', { timeout: 600_000 }, async () => {
      const status = await lab.settled('it runs', (seen) => areWhole(replicas(seen)));
      const lost = placesOf(status, 'web-podman-0').join();
      await lab.host(lost).kill();
      await lab.until('it serves elsewhere', async (seen) => {
        const [container = '', ip] = replicas(seen);
        return (
          container !== '' &&
          container !== lost &&
          container === ip &&
          (await fetched(`http://${lab.address(50)}/shared/page`)) === 'served\n'
        );
      });
    });
  },
);
