import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasMountNamespaces } from '@systole/examples';
import { afterEach, describe, expect, it } from 'vitest';
import { AgentsLab, scripted } from './agents-lab.js';

/** Of a network for documentation: what stands for the gateway, on this machine's loopback while it is there. */
const GATEWAY = '198.51.100.77';
const ip = (...args: readonly string[]): boolean => spawnSync('ip', args, { stdio: 'ignore' }).status === 0;
const gatewayComes = (): boolean => ip('address', 'add', `${GATEWAY}/32`, 'dev', 'lo');
const gatewayGoes = (): boolean => ip('address', 'del', `${GATEWAY}/32`, 'dev', 'lo') && ip('route', 'replace', 'unreachable', GATEWAY);
const gatewayForgotten = (): void => {
  ip('address', 'del', `${GATEWAY}/32`, 'dev', 'lo');
  ip('route', 'del', 'unreachable', GATEWAY);
};

function canPing(): boolean {
  if (!existsSync('/usr/lib/ocf/resource.d/pacemaker/ping')) return false;
  const able = gatewayComes() && spawnSync('ping', ['-c', '1', '-W', '1', GATEWAY], { stdio: 'ignore' }).status === 0;
  gatewayForgotten();
  return able;
}

let lab: AgentsLab | undefined;
afterEach(async () => {
  await lab?.stop();
  lab = undefined;
  gatewayForgotten();
});

/** A ping on each node, and a resource that goes where the most is reached. */
async function started(dampen: string): Promise<AgentsLab> {
  gatewayComes();
  lab = await AgentsLab.start({
    fencing: false,
    leaseMs: 20_000,
    resources: `${scripted('web')}<clone id="pings"><primitive id="ping" class="ocf" provider="pacemaker" type="ping">
      <instance_attributes id="ping-p"><nvpair id="ping-p-h" name="host_list" value="${GATEWAY}"/><nvpair id="ping-p-d" name="dampen" value="${dampen}"/>
        <nvpair id="ping-p-m" name="multiplier" value="1000"/><nvpair id="ping-p-a" name="attempts" value="1"/><nvpair id="ping-p-t" name="timeout" value="1"/></instance_attributes>
      <operations><op id="ping-monitor" name="monitor" interval="2s" timeout="20s"/></operations></primitive></clone>`,
    constraints: `<rsc_location id="reached" rsc="web"><rule id="reached-r" score-attribute="pingd"><expression id="reached-e" attribute="pingd" operation="defined"/></rule></rsc_location>`,
    options: '',
  });
  await lab.configure((xml) =>
    xml.replace(
      '</configuration>',
      '<rsc_defaults><meta_attributes id="rd"><nvpair id="rd-s" name="resource-stickiness" value="1"/></meta_attributes></rsc_defaults></configuration>',
    ),
  );
  const at = lab;
  await writtenAs(at, '1000');
  await at.settled('everything is started', ({ resources }) => resources.find(({ id }) => id === 'web')?.activeOn.length === 1);
  return at;
}

/** What was written of `pingd` after a version, by version: what stands together was written in one go. */
async function written(
  at: AgentsLab,
  after: number,
): Promise<readonly { readonly version: number; readonly node: string; readonly value: string }[]> {
  const events = await at.cluster.eventsAfter(after);
  return events.flatMap(({ version, event }) =>
    event.type === 'NodeAttributeSet' && event.data.name === 'pingd' ? [{ version, node: event.data.node, value: event.data.value }] : [],
  );
}

const PATIENCE_MS = 90_000;

/** All three nodes say so. */
async function writtenAs(at: AgentsLab, value: string, after = 0): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const newest = new Map((await written(at, after)).map((one) => [one.node, one.value]));
    if (newest.size === 3 && [...newest.values()].every((one) => one === value)) return;
    if (Date.now() > deadline) throw new Error(`pingd is not ${value} everywhere: ${JSON.stringify([...newest])}`);
    await sleep(200);
  }
}

async function moves(at: AgentsLab, after: number): Promise<readonly string[]> {
  return (await at.operations(after)).filter((operation) => /^(start|stop)_0 web/.test(operation));
}

describe.skipIf(!hasMountNamespaces() || !canPing())(
  'three nodes lose the gateway together (needs ocf:pacemaker:ping, root and mount namespaces)',
  () => {
    it('and with dampening nothing moves to and fro, neither when it goes nor when it comes back', async () => {
      const at = await started('10s');
      const before = await at.cluster.version();
      gatewayGoes();
      await writtenAs(at, '0', before);
      await at.settled('it is known');
      const gone = await at.cluster.version();
      gatewayForgotten();
      gatewayComes();
      await writtenAs(at, '1000', gone);
      await at.settled('it is known again');
      expect(await moves(at, before)).toEqual([]);
      const together = await written(at, before);
      expect(together).toHaveLength(6);
      const [first = { version: 0 }, , third = { version: 0 }] = together;
      expect(third.version - first.version).toBe(2);
    }, 240_000);

    it('and without, something does', async () => {
      const at = await started('0');
      const before = await at.cluster.version();
      for (let round = 0; round < 8 && (await moves(at, before)).length === 0; round += 1) {
        const here = await at.cluster.version();
        if (round % 2 === 0) gatewayGoes();
        else {
          gatewayForgotten();
          gatewayComes();
        }
        await writtenAs(at, round % 2 === 0 ? '0' : '1000', here);
        await at.settled('it is known');
      }
      expect((await moves(at, before)).length).toBeGreaterThan(0);
    }, 240_000);
  },
);
