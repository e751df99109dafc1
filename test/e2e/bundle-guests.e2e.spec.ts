import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canRunContainers, ContainerHosts, placesOf, resourceOf } from './container-hosts.js';
import { CONTAINER_INIT, INIT_COMMAND, PROGRAMS } from './container-init.js';

type Status = Awaited<ReturnType<ContainerHosts['status']>>;

const BUNDLE = `<bundle id="db">
  <podman image="db:1" replicas="2" promoted-max="1" run-command="${INIT_COMMAND}"/>
  <network ip-range-start="@NET@.60" host-netmask="24" host-interface="eth0"/>
  <storage>
    ${PROGRAMS}
  </storage>
  <primitive id="state" class="ocf" provider="pacemaker" type="Stateful">
    <operations>
      <op id="state-m1" name="monitor" interval="2s" role="Promoted" timeout="20s"/><op id="state-m2" name="monitor" interval="3s" role="Unpromoted" timeout="20s"/>
    </operations>
  </primitive>
</bundle>`;

/** Each replica's node is online, and so many are promoted. */
const isWhole = (status: Status, replicas = 2): boolean => {
  const instances = resourceOf(status, 'db-master')?.children ?? [];
  const online = status.nodes.filter(({ name, online: is }) => name.startsWith('db-') && is);
  return (
    online.length === replicas &&
    instances.filter(({ activeOn }) => activeOn.length === 1).length === replicas &&
    instances.filter(({ role }) => role === 'Promoted').length === 1
  );
};

const promotedAt = (status: Status): string =>
  (resourceOf(status, 'db-master')?.children ?? []).find(({ role }) => role === 'Promoted')?.activeOn.join() ?? '';

describe.skipIf(!canRunContainers())(
  'a bundle with a promotable primitive, on a stand-in engine (needs root, resource-agents, socat, nftables)',
  () => {
    let lab: ContainerHosts;

    beforeAll(async () => {
      lab = await ContainerHosts.start({ resources: BUNDLE, images: { 'db:1': 'exit 1' }, files: { init: CONTAINER_INIT } });
    }, 400_000);
    afterAll(() => lab.stop());

    it('runs it inside of its containers, by an agent in each, and promotes one', { timeout: 600_000 }, async () => {
      const status = await lab.settled('both replicas are there, one promoted', (seen) => isWhole(seen));
      expect(['db-0', 'db-1']).toContain(promotedAt(status));
    });

    /** Host of the container in which the promoted instance is. */
    const promotedHost = (status: Status): string => placesOf(status, `db-podman-${promotedAt(status).slice(-1)}`).join();

    it(
      'has the promoted one demoted with its container when that is killed, and one promoted again when both are back',
      { timeout: 600_000 },
      async () => {
        const before = await lab.settled('it runs', (seen) => isWhole(seen));
        const [node, host] = [promotedAt(before), promotedHost(before)];
        const incarnationOf = ({ nodes }: Status): number => nodes.find(({ name }) => name === node)?.incarnation ?? 0;
        lab.host(host).run('podman', 'kill', `db-podman-${node.slice(-1)}`);
        await lab.until('nothing is promoted in it', (seen) => promotedAt(seen) !== node);
        // Whichever: the agent gives both the same score when they are started anew.
        const after = await lab.settled('both are there again', (seen) => isWhole(seen) && incarnationOf(seen) > incarnationOf(before));
        expect(after.nodes.find(({ name }) => name === host)?.membership).toBe('joined');
      },
    );

    it('has another one promoted when the host of the promoted one dies, after that was fenced', { timeout: 600_000 }, async () => {
      const before = await lab.settled('it runs', (seen) => isWhole(seen));
      const [node, host] = [promotedAt(before), promotedHost(before)];
      await lab.host(host).kill();
      await lab.until(
        'one is promoted on another host',
        (seen) => promotedAt(seen) !== '' && promotedHost(seen) !== host && promotedHost(seen) !== '',
      );
      await lab.settled('both are there again', (seen) => isWhole(seen));
      const after = await lab.status();
      expect(after.nodes.find(({ name }) => name === host)?.membership).toBe('down');
      expect(placesOf(after, `db-podman-${node.slice(-1)}`)).not.toContain(host);
    });
  },
);
