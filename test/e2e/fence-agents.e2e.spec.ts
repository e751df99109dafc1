import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { unwrap } from '@systole/api-client';
import { hasMountNamespaces } from '@systole/examples';
import { AgentsLab, LAB_AGENTS, isElsewhere, isOn, prefersAlpha, scripted } from './agents-lab.js';
import { PowerRoom } from './power-room.js';

/** Debian's agents, and whether the device is asked whom it can fence (nothing is configured) or is told. */
const AGENTS = [
  { agent: 'fence_ipmilan', hosts: { pcmk_host_list: 'alpha' }, protocol: 'IPMI, by ipmitool' },
  { agent: 'fence_virsh', hosts: {}, protocol: 'virsh over ssh' },
  { agent: 'fence_apc_snmp', hosts: { pcmk_host_map: 'alpha:1' }, protocol: 'SNMP' },
  { agent: 'fence_redfish', hosts: { pcmk_host_list: 'alpha' }, protocol: 'Redfish over HTTPS' },
  { agent: 'fence_vmware_rest', hosts: {}, protocol: "vCenter's REST API" },
  { agent: 'fence_docker', hosts: { pcmk_host_check: 'dynamic-list' }, protocol: "a Docker engine's API" },
] as const;
const installed = AGENTS.every(({ agent }) => existsSync(`/usr/sbin/${agent}`));

let room: PowerRoom | undefined;
let lab: AgentsLab | undefined;
afterEach(async () => {
  await lab?.stop();
  await room?.close();
  lab = undefined;
  room = undefined;
});

function deviceOf(agent: string, parameters: Readonly<Record<string, string>>, id = 'power'): string {
  const pairs = Object.entries(parameters).map(([name, value]) => `<nvpair id="${id}-${name}" name="${name}" value="${value}"/>`);
  return `<primitive id="${id}" class="stonith" type="${agent}"><instance_attributes id="${id}-p">${pairs.join('')}</instance_attributes>
    <operations><op id="${id}-monitor" name="monitor" interval="60s" timeout="20s"/></operations></primitive>`;
}

describe.skipIf(!installed || !hasMountNamespaces())('Debian’s fence agents (need fence-agents, and mount namespaces)', () => {
  it.each(AGENTS)(
    '$agent ($protocol): is started and monitored, switches off a node that is lost, and on again',
    { timeout: 120_000 },
    async ({ agent, hosts }) => {
      const at = await started((of) => deviceOf(agent, { ...of.parametersOf(agent), ...hosts }));
      await at.settled('the device is started', ({ resources }) =>
        resources.some(({ id, activeOn }) => id === 'power' && activeOn.length === 1),
      );
      const alpha = at.cluster.node('alpha');
      const before = await at.cluster.version();
      alpha.kill();
      await at.settled('what ran on alpha runs elsewhere', isElsewhere('a', 'alpha'));
      expect(await at.events('FencingCompleted', before)).toMatchObject([
        { target: 'alpha', device: 'power', action: 'reboot', outcome: 'succeeded' },
      ]);
      expect(room?.asked().slice(0, 2)).toEqual(['turn alpha off', 'turn alpha on']);

      await alpha.start();
      await at.settled('alpha is back', ({ nodes }) => nodes.every(({ online }) => online));
      const path = { cluster: at.cluster.id, node: 'alpha' };
      const asked = await at.cluster.version();
      unwrap(
        await at.client.POST('/v1/clusters/{cluster}/nodes/{node}/commands/fence', {
          params: { path },
          body: { action: 'off', reason: 'a test' },
        }),
      );
      await at.settled('alpha is off', ({ nodes }) => nodes.some(({ name, online }) => name === 'alpha' && !online));
      expect(room?.isOn('alpha')).toBe(false);
      expect(await at.events('FencingCompleted', asked)).toMatchObject([{ target: 'alpha', action: 'off', outcome: 'succeeded' }]);
      unwrap(
        await at.client.POST('/v1/clusters/{cluster}/nodes/{node}/commands/power-on', { params: { path }, body: { reason: 'a test' } }),
      );
      await at.until('alpha is on', () => room?.isOn('alpha') === true);
    },
  );

  it('a device that does not list the node is not told to fence it, and the next one is tried', { timeout: 60_000 }, async () => {
    const devices = (of: PowerRoom): string =>
      deviceOf('fence_docker', of.parametersOf('fence_docker'), 'engine') +
      deviceOf('fence_ipmilan', { ...of.parametersOf('fence_ipmilan'), pcmk_host_list: 'alpha' }, 'ipmi');
    const at = await started(devices);
    room?.unlisted.add('alpha');
    const before = await at.cluster.version();
    at.cluster.node('alpha').kill();
    await at.settled('what ran on alpha runs elsewhere', isElsewhere('a', 'alpha'));
    expect(await at.events('FencingCompleted', before)).toMatchObject([
      {
        device: 'engine',
        outcome: 'failed',
        unable: true,
        detail: expect.stringContaining('not among those that the device lists') as string,
      },
      { device: 'ipmi', outcome: 'succeeded' },
    ]);
  });
});

async function started(devices: (room: PowerRoom) => string): Promise<AgentsLab> {
  room = await PowerRoom.open(await mkdtemp(join(tmpdir(), 'systole-power-')));
  lab = await AgentsLab.start({
    allow: [...LAB_AGENTS, ...AGENTS.map(({ agent }) => `stonith:${agent}`)],
    fencing: true,
    leaseMs: 5_000,
    resources: devices(room) + scripted('a'),
    constraints: prefersAlpha('a'),
  });
  await room.plugIn(dirname(lab.cluster.node('alpha').pidFile));
  await lab.settled('a runs on alpha', (view) => isOn('a', 'alpha')(view) && view.nodes.every(({ online }) => online));
  return lab;
}
