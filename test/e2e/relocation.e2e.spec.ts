import { unwrap } from '@systole/api-client';
import { hasMountNamespaces } from '@systole/examples';
import { afterEach, describe, expect, it } from 'vitest';
import { AgentsLab, isElsewhere, isOn, placesOf, prefersAlpha, scripted } from './agents-lab.js';

let lab: AgentsLab | undefined;
afterEach(async () => {
  await lab?.stop();
  lab = undefined;
});

const STICKY = '<meta_attributes id="a-m"><nvpair id="a-m-s" name="resource-stickiness" value="1000"/></meta_attributes>';

describe.skipIf(!hasMountNamespaces())('on real agents (needs mount namespaces)', () => {
  it('a resource is off a node until its reboot, and goes back when it is relocated; the nodes tell which agents they have', async () => {
    lab = await AgentsLab.start({ resources: scripted('a', STICKY), constraints: prefersAlpha('a'), fencing: false, leaseMs: 10_000 });
    await lab.settled('a runs on alpha', isOn('a', 'alpha'));
    const { client, cluster } = lab;
    const path = { cluster: cluster.id };
    const node = { ...path, node: 'alpha' };
    const standby = { lifetime: 'reboot', reason: 'a new kernel' } as const;
    unwrap(await client.POST('/v1/clusters/{cluster}/nodes/{node}/commands/standby', { params: { path: node }, body: standby }));
    const away = await lab.settled('a is elsewhere', isElsewhere('a', 'alpha'));
    unwrap(await client.POST('/v1/clusters/{cluster}/nodes/{node}/commands/unstandby', { params: { path: node } }));
    expect(placesOf(await lab.settled('it sticks to where it is'), 'a')).toEqual(placesOf(away, 'a'));

    const before = await cluster.version();
    const relocated = unwrap(
      await client.POST('/v1/clusters/{cluster}/resources/{resource}/commands/relocate', {
        params: { path: { ...path, resource: 'a' } },
        body: { reason: 'alpha is back' },
      }),
    );
    expect(relocated.settled?.outcome).toBe('settled');
    expect(placesOf(await lab.settled('it has settled'), 'a')).toEqual(['alpha']);
    expect((await lab.operations(before)).filter((operation) => /^(start|stop)_0 a/.test(operation))).toHaveLength(2);
    const xml = unwrap(
      await client.GET('/v1/clusters/{cluster}/cib', { params: { path }, headers: { accept: 'application/xml' }, parseAs: 'text' }),
    );
    expect(xml).not.toContain('a-relocate');

    await expect
      .poll(
        async () => {
          const told = unwrap(
            await client.GET('/v1/clusters/{cluster}/metadata/agents/{agent}', {
              params: { path: { ...path, agent: 'ocf:systole:Dummy' } },
            }),
          );
          return told.versions.map(({ nodes, metadata }) => [nodes.length, metadata?.parameters.map(({ name }) => name)]);
        },
        { timeout: 30_000 },
      )
      .toEqual([[3, ['state', 'fake', 'op_sleep']]]);
  });
});
