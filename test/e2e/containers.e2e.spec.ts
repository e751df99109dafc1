import { afterEach, describe, expect, it } from 'vitest';
import { canRunContainers, ContainerHosts, placesOf, resourceOf } from './container-hosts.js';

let hosts: ContainerHosts | undefined;
afterEach(async () => {
  await hosts?.stop();
  hosts = undefined;
});

const IMAGES = { 'idle:1': "trap 'exit 0' TERM; while :; do sleep 0.2; done" };

const container = (
  id: string,
  engine: 'podman' | 'docker',
): string => `<primitive id="${id}" class="ocf" provider="heartbeat" type="${engine}">
  <instance_attributes id="${id}-p"><nvpair id="${id}-p-i" name="image" value="idle:1"/><nvpair id="${id}-p-a" name="allow_pull" value="true"/></instance_attributes>
  <operations><op id="${id}-m" name="monitor" interval="1s" timeout="20s"/><op id="${id}-st" name="start" interval="0s" timeout="30s"/></operations></primitive>`;

describe.skipIf(!canRunContainers())(
  'containers, on a stand-in engine made of namespaces (needs root, resource-agents, socat, nftables)',
  () => {
    it('ocf:heartbeat:podman and docker start, watch, recover and stop them', { timeout: 240_000 }, async () => {
      const lab = await ContainerHosts.start({
        resources: container('pod', 'podman') + container('dock', 'docker'),
        constraints:
          '<rsc_location id="l1" rsc="pod" node="alpha" score="100"/><rsc_location id="l2" rsc="dock" node="bravo" score="100"/>',
        images: IMAGES,
      });
      hosts = lab;
      await lab.settled('both run', (status) => placesOf(status, 'pod').join() === 'alpha' && placesOf(status, 'dock').join() === 'bravo');
      expect([lab.containers('pod'), lab.containers('dock')]).toEqual([['running on alpha'], ['running on bravo']]);

      for (const [name, host] of [
        ['pod', 'alpha'],
        ['dock', 'bravo'],
      ] as const) {
        const pid = (): string => lab.host(host).run('podman', 'inspect', '--format', '{{.State.Pid}}', name).stdout;
        const first = pid();
        lab.host(host).run('podman', 'kill', name);
        await lab.until(`${name} has failed`, ({ failCounts }) =>
          failCounts.some(({ resource, node }) => resource === name && node === host),
        );
        await lab.settled(
          `${name} is back`,
          (status) => placesOf(status, name).join() === host && resourceOf(status, name)?.failed === false,
        );
        expect(lab.containers(name)).toEqual([`running on ${host}`]);
        expect(pid()).not.toBe(first);
      }

      const path = { cluster: lab.cluster, resource: 'pod' };
      await lab.client.POST('/v1/clusters/{cluster}/resources/{resource}/commands/disable', { params: { path } });
      await lab.settled('pod is stopped', (status) => placesOf(status, 'pod').length === 0);
      expect(lab.containers('pod')).toEqual([]);
    });
  },
);
