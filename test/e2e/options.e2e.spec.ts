import { readFileSync } from 'node:fs';
import { unwrap } from '@systole/api-client';
import { hasMountNamespaces } from '@systole/examples';
import { afterEach, describe, expect, it } from 'vitest';
import { AgentsLab, isElsewhere, isOn, prefersAlpha, scripted } from './agents-lab.js';

let lab: AgentsLab | undefined;
afterEach(async () => {
  await lab?.stop();
  lab = undefined;
});

const option = (name: string, value: string): string => `<nvpair id="cps-${name}" name="${name}" value="${value}"/>`;
const FENCING = `<primitive id="fencing" class="stonith" type="fence_systole_demo"><instance_attributes id="fencing-p">
  <nvpair id="fencing-p-hosts" name="pcmk_host_list" value="alpha bravo charlie"/>
  <nvpair id="fencing-p-piddir" name="piddir" value="@PIDDIR@"/></instance_attributes></primitive>`;
/** Each of its operations takes a second. */
const slow = (id: string): string =>
  `<primitive id="${id}" class="ocf" provider="systole" type="Dummy"><instance_attributes id="${id}-p"><nvpair id="${id}-p-s" name="op_sleep" value="1"/></instance_attributes></primitive>`;
/** An operation takes a second, and this one would take less had it begun before the one before it ended. */
const APART_MS = 900;

/** When each start was recorded, by node, epoch ms, in order. */
async function starts({ client, cluster }: AgentsLab): Promise<readonly { readonly at: number; readonly node: string }[]> {
  const page = unwrap(
    await client.GET('/v1/clusters/{cluster}/events', {
      params: { path: { cluster: cluster.id }, query: { limit: 1000, type: ['OperationRecorded'] } },
    }),
  );
  return page.items.flatMap(({ occurredAt, data }) => {
    const { operation, node } = data as { readonly operation: string; readonly node: string };
    return operation === 'start' ? [{ at: Date.parse(occurredAt), node }] : [];
  });
}

/** The shortest time from one to the next, ms. */
function closest(all: readonly { readonly at: number }[]): number {
  return Math.min(...all.slice(1).map(({ at }, index) => at - (all[index]?.at ?? 0)));
}

describe.skipIf(!hasMountNamespaces())('cluster options on real agents (needs mount namespaces)', () => {
  it('batch-limit: one action at a time in the whole cluster', async () => {
    const options = option('batch-limit', '1') + option('enable-startup-probes', 'false');
    lab = await AgentsLab.start({ resources: ['a', 'b', 'c', 'd'].map(slow).join(''), options, fencing: false, leaseMs: 10_000 });
    await lab.settled('all run', ({ resources }) => resources.length === 4 && resources.every(({ activeOn }) => activeOn.length === 1));
    const all = await starts(lab);
    expect(all).toHaveLength(4);
    expect(closest(all)).toBeGreaterThan(APART_MS);
  });

  it('node-action-limit: one action at a time on a node, and nodes beside each other', async () => {
    const options = option('node-action-limit', '1') + option('enable-startup-probes', 'false');
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    lab = await AgentsLab.start({ resources: ids.map(slow).join(''), options, fencing: false, leaseMs: 10_000 });
    await lab.settled('all run', ({ resources }) => resources.length === 6 && resources.every(({ activeOn }) => activeOn.length === 1));
    const all = await starts(lab);
    expect(all).toHaveLength(6);
    for (const node of new Set(all.map((start) => start.node))) {
      const there = all.filter((start) => start.node === node);
      if (there.length > 1) expect([node, closest(there) > APART_MS]).toEqual([node, true]);
    }
    expect(closest(all), 'on different nodes').toBeLessThan(APART_MS);
  });

  it('load-threshold: a node whose processors are busier than that says so, and is given half as many actions at a time', async () => {
    // Whatever machine this is, it is busier than one percent when it has just begun all this; and never so busy as the other says.
    const options = option('load-threshold', '1%') + option('node-action-limit', '2');
    lab = await AgentsLab.start({ resources: scripted('a'), options, fencing: false, leaseMs: 5_000 });
    await lab.settled('a runs');
    const told = async (): Promise<readonly string[]> =>
      (await lab?.events('NodeTroublesTold'))?.map(({ node, troubles }) => `${node}: ${troubles.map(({ code }) => code).join()}`) ?? [];
    await expect
      .poll(told, { timeout: 20_000 })
      .toEqual(expect.arrayContaining(['alpha: high-load', 'bravo: high-load', 'charlie: high-load']));
    const before = await lab.cluster.version();
    const more = ['b', 'c', 'd', 'e', 'f', 'g'].map(slow).join('');
    await lab.configure((xml) => xml.replace('</resources>', `${more}</resources>`));
    await lab.settled('all run', ({ resources }) => resources.length === 7 && resources.every(({ activeOn }) => activeOn.length === 1));
    const all = (await starts(lab)).slice(1);
    expect(all).toHaveLength(6);
    for (const node of new Set(all.map((start) => start.node))) {
      const there = all.filter((start) => start.node === node);
      if (there.length > 1) expect([node, closest(there) > APART_MS]).toEqual([node, true]);
    }
    await lab.configure((xml) => xml.replace('value="1%"', 'value="900000%"'));
    await expect.poll(async () => (await lab?.events('NodeTroublesTold', before))?.length, { timeout: 20_000 }).toBe(3);
  });

  it('transition-delay: what follows within it is planned together with it, so long after the last', async () => {
    const resources = scripted('a') + scripted('b');
    lab = await AgentsLab.start({ resources, constraints: prefersAlpha('a'), fencing: false, leaseMs: 10_000 });
    await lab.settled('both run', isOn('a', 'alpha'));
    const { client, cluster } = lab;
    await lab.configure((xml) => xml.replace('</cluster_property_set>', `${option('transition-delay', '4s')}</cluster_property_set>`));
    await lab.settled('that is in force');
    const before = await cluster.version();
    await cluster.setStandby('alpha', true);
    const status = unwrap(await client.GET('/v1/clusters/{cluster}/status', { params: { path: { cluster: cluster.id } } }));
    expect(JSON.stringify(status)).toContain('transition-delay');
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(await lab.events('TransitionPlanned', before)).toEqual([]);
    const second = Date.now();
    await cluster.setStandby('bravo', true);
    await lab.settled('all is on charlie', (view) => isOn('a', 'charlie')(view) && isOn('b', 'charlie')(view));
    expect(Date.now() - second).toBeGreaterThan(4_000);
    const [first] = await lab.events('TransitionPlanned', before);
    expect((await lab.operations(before)).filter((operation) => operation.startsWith('start_0 a'))).toEqual(['start_0 a on charlie: 0']);
    expect(first?.trigger).toContain('alpha');
  });

  it('shutdown-escalation: an agent whose node the cluster can not empty in time ends all the same; what it left running is fenced with its node', async () => {
    const slowStop = scripted('a').replace('name="stop" interval="0s" timeout="5s"', 'name="stop" interval="0s" timeout="300s"');
    const options = option('shutdown-escalation', '5s');
    lab = await AgentsLab.start({ resources: FENCING + slowStop, constraints: prefersAlpha('a'), options, fencing: true, leaseMs: 5_000 });
    await lab.settled('a runs on alpha', isOn('a', 'alpha'));
    await lab.order('a', 'stop@alpha', 'hang');
    const before = await lab.cluster.version();
    const alpha = lab.cluster.node('alpha');
    const asked = Date.now();
    await alpha.stop(20_000);
    expect(Date.now() - asked).toBeGreaterThan(5_000);
    expect(Date.now() - asked).toBeLessThan(12_000);
    expect(readFileSync(alpha.logFile, 'utf8')).toContain('(shutdown-escalation): this agent ends, and leaves it running');
    await lab.until('a runs elsewhere', isElsewhere('a', 'alpha'));
    expect(await lab.events('NodeLeft', before)).toEqual([]);
    expect(await lab.events('FencingCompleted', before)).toMatchObject([{ target: 'alpha', outcome: 'succeeded' }]);
  });

  it('shutdown-escalation without fencing: the agent stops what runs before it ends', async () => {
    const options = option('shutdown-escalation', '5s') + option('transition-delay', '0s');
    lab = await AgentsLab.start({ resources: scripted('a'), constraints: prefersAlpha('a'), options, fencing: false, leaseMs: 5_000 });
    await lab.settled('a runs on alpha', isOn('a', 'alpha'));
    // Nothing is planned any more, so that nothing is stopped.
    await lab.configure((xml) => xml.replace('name="transition-delay" value="0s"', 'name="transition-delay" value="10min"'));
    const alpha = lab.cluster.node('alpha');
    const asked = Date.now();
    await alpha.stop(20_000);
    expect(Date.now() - asked).toBeGreaterThan(5_000);
    expect(Date.now() - asked).toBeLessThan(12_000);
    const log = readFileSync(alpha.logFile, 'utf8');
    expect(log).toContain('(shutdown-escalation): it is stopped before this agent ends');
    expect(log).toContain('stopped by the agent itself');
  });
});
