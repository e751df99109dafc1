import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasMountNamespaces } from '@systole/examples';
import { afterEach, describe, expect, it } from 'vitest';
import { AgentsLab, isElsewhere, isOn, placesOf, scripted, type LabOptions } from './agents-lab.js';

const FENCING = `<primitive id="fencing" class="stonith" type="fence_systole_demo"><instance_attributes id="fencing-p">
  <nvpair id="fencing-p-hosts" name="pcmk_host_list" value="alpha bravo charlie"/>
  <nvpair id="fencing-p-piddir" name="piddir" value="@PIDDIR@"/></instance_attributes></primitive>`;
/** A machine that is migrated live, and the node in it. */
const MACHINE = `<primitive id="vm" class="ocf" provider="test" type="LiveMachine">
  <instance_attributes id="vm-p"><nvpair id="vm-p-program" name="program" value="@ORDERS@/guest-program"/></instance_attributes>
  <meta_attributes id="vm-m"><nvpair id="vm-m-r" name="remote-node" value="guest"/><nvpair id="vm-m-t" name="remote-connect-timeout" value="20s"/>
    <nvpair id="vm-m-a" name="allow-migrate" value="true"/></meta_attributes>
  <operations><op id="vm-monitor" name="monitor" interval="1s" timeout="5s"/><op id="vm-stop" name="stop" interval="0s" timeout="5s"/>
    <op id="vm-to" name="migrate_to" interval="0s" timeout="5s"/><op id="vm-from" name="migrate_from" interval="0s" timeout="5s"/></operations></primitive>`;
const PLACED =
  '<rsc_location id="vm-on-alpha" rsc="vm" node="alpha" score="100"/><rsc_location id="a-on-guest" rsc="a" node="guest" score="200"/>';

let lab: AgentsLab | undefined;
afterEach(async () => {
  await lab?.stop();
  lab = undefined;
});

async function withGuest(options: Partial<LabOptions> = {}): Promise<AgentsLab> {
  const at = await AgentsLab.start({
    fencing: true,
    leaseMs: 5_000,
    guestNodes: ['guest'],
    resources: FENCING + scripted('a'),
    ...options,
  });
  lab = at;
  await mkdir(at.orders, { recursive: true });
  await at.cluster.node('guest').writeStarter(join(at.orders, 'guest-program'));
  const machine = MACHINE.replace('@ORDERS@', at.orders);
  await at.configure((xml) =>
    xml.replace('</resources>', `${machine}</resources>`).replace(/<constraints\s*\/>/, `<constraints>${PLACED}</constraints>`),
  );
  await at.settled('a runs in the guest', isOn('a', 'guest'));
  return at;
}

/** Has an action of the machine fail on a node from now on; undefined: not any more. */
async function orderMachine(at: AgentsLab, action: string, rc: number | 'hang' | undefined): Promise<void> {
  const directory = join(at.orders, 'guest-program.orders');
  await mkdir(directory, { recursive: true });
  if (rc === undefined) await rm(join(directory, action), { force: true });
  else await writeFile(join(directory, action), `${rc}\n`);
}

/** Process of the machine, which is the agent in it. */
async function machinePid(at: AgentsLab): Promise<number> {
  return Number.parseInt(await readFile(at.cluster.node('guest').pidFile, 'utf8'), 10);
}

const ofServices = (operations: readonly string[]): readonly string[] =>
  operations.filter((operation) => /^(start|stop)_0 a on /.test(operation));

/** The nodes in which the service a has its state: where it runs in truth. */
function trulyOn(at: AgentsLab): readonly string[] {
  return at.cluster.nodes.flatMap((node) => (existsSync(join(dirname(node.stateFile('a')), 'Scripted-a.state')) ? [node.name] : []));
}

describe.skipIf(!hasMountNamespaces())('a guest that is migrated live (needs mount namespaces; its machine is a stand-in)', () => {
  it('goes on with all that runs in it: nothing of that is stopped, started or probed, only watched anew, and its agent stays in its session', async () => {
    const at = await withGuest();
    const pid = await machinePid(at);
    for (const [from, to] of [
      ['alpha', 'other'],
      ['other', 'alpha'],
    ]) {
      const before = await at.cluster.version();
      await at.cluster.setStandby('alpha', from === 'alpha');
      const view = await at.settled(
        `the machine is migrated to ${String(to)}`,
        to === 'alpha' ? isOn('vm', 'alpha') : isElsewhere('vm', 'alpha'),
      );
      expect(placesOf(view, 'guest')).toEqual(placesOf(view, 'vm'));
      expect(placesOf(view, 'a')).toEqual(['guest']);
      const operations = await at.operations(before);
      expect(operations.filter((operation) => /^migrate_(to|from)_0 vm on /.test(operation))).toHaveLength(2);
      expect(operations.filter((operation) => operation.startsWith('start_0 vm'))).toEqual([]);
      // Its connection does not migrate (specification 02 §15): it is stopped and begun on the other node, and monitors begin with it; crm_simulate 2.1.5 plans the same.
      expect(operations.filter((operation) => / a on /.test(operation))).toEqual(['monitor_1000 a on guest: 0']);
      expect(await at.events('NodeJoined', before)).toEqual([]);
    }
    expect(await machinePid(at)).toBe(pid);
    expect(await at.events('FencingRequested')).toEqual([]);
    expect(trulyOn(at)).toEqual(['guest']);
  });

  it.each(['migrate_to@alpha', 'migrate_from@other'])(
    'is restarted where it was to go when %s fails, and what ran in it begins after that',
    async (failing) => {
      const at = await withGuest();
      const before = await at.cluster.version();
      for (const node of failing.endsWith('other') ? ['bravo', 'charlie'] : ['alpha'])
        await orderMachine(at, failing.replace(/@.*/, `@${node}`), 1);
      await at.cluster.setStandby('alpha', true);
      const view = await at.settled('a runs in the guest again', (now) => isOn('a', 'guest')(now) && isElsewhere('vm', 'alpha')(now));
      expect(placesOf(view, 'guest')).toEqual(placesOf(view, 'vm'));
      const operations = await at.operations(before);
      const begun = operations.findIndex((operation) => /^start_0 vm on (bravo|charlie): 0/.test(operation));
      expect(begun).toBeGreaterThan(-1);
      expect(operations.slice(0, begun).filter((operation) => operation.startsWith('start_0 a on guest'))).toEqual([]);
      expect(await at.events('FencingRequested', before)).toEqual([]);
      expect(trulyOn(at)).toEqual(['guest']);
    },
  );
});

describe.skipIf(!hasMountNamespaces())('faults of a guest (needs mount namespaces; its machine is a stand-in)', () => {
  it('its host dies while it is being migrated: the host is fenced, and what ran in the guest runs once after that', async () => {
    const at = await withGuest();
    await orderMachine(at, 'migrate_to@alpha', 'hang');
    const before = await at.cluster.version();
    await at.cluster.setStandby('alpha', true);
    await at.until('it is being migrated', ({ version }) => version > before + 1);
    at.cluster.node('alpha').kill();
    await at.cluster.node('guest').killStarted();
    await at.settled('a runs again', (now) => isElsewhere('vm', 'alpha')(now) && isOn('a', 'guest')(now));
    expect((await at.events('FencingCompleted', before)).map(({ target }) => target)).toEqual(['alpha']);
    expect(trulyOn(at)).toEqual(['guest']);
  });

  it('its agent is frozen: its machine is restarted, and nothing that ran in it runs twice', async () => {
    const at = await withGuest();
    const pid = await machinePid(at);
    const before = await at.cluster.version();
    process.kill(pid, 'SIGSTOP');
    await at.until('it is lost', ({ version }) => version > before + 3);
    await at.settled('a is back', isOn('a', 'guest'));
    const operations = await at.operations(before);
    expect(operations).toContain('stop_0 vm on alpha: 0');
    expect(await at.events('FencingRequested', before)).toEqual([]);
    expect(await machinePid(at)).not.toBe(pid);
  });

  it('its host is killed, and it lives on there as nobody fences that: it keeps what it runs until then', async () => {
    const at = await withGuest();
    const before = await at.cluster.version();
    at.cluster.node('alpha').kill();
    await at.settled('a runs in the guest, elsewhere', (now) => isElsewhere('vm', 'alpha')(now) && isOn('a', 'guest')(now));
    const events = (await at.cluster.eventsAfter(before)).flatMap(({ event }) => {
      if (event.type === 'FencingCompleted') return [`fenced ${event.data.target}`];
      if (event.type !== 'OperationRecorded' || event.data.operation !== 'start' || event.data.rc !== 0) return [];
      return [`start ${event.data.resource}`];
    });
    expect(events.indexOf('fenced alpha')).toBeLessThan(events.indexOf('start vm'));
    expect(events.indexOf('start vm')).toBeLessThan(events.indexOf('start a'));
  });
});

describe.skipIf(!hasMountNamespaces())('what happens to a guest on purpose (needs mount namespaces; its machine is a stand-in)', () => {
  const setMeta = (at: AgentsLab, name: string, value: string | undefined): Promise<void> =>
    at.configure((xml) => {
      const without = xml.replace(new RegExp(`<nvpair id="vm-m-x" name="${name}"[^>]*/>`), '');
      return value === undefined
        ? without
        : without.replace(/(<meta_attributes id="vm-m">)/, `$1<nvpair id="vm-m-x" name="${name}" value="${value}"/>`);
    });

  it('its machine is disabled: what runs in it is moved out first, nobody is fenced, and it comes back', async () => {
    const at = await withGuest();
    const before = await at.cluster.version();
    await setMeta(at, 'target-role', 'Stopped');
    const view = await at.settled('a is elsewhere', isElsewhere('a', 'guest'));
    expect([placesOf(view, 'vm'), placesOf(view, 'guest')]).toEqual([[], []]);
    const operations = await at.operations(before);
    const order = ['stop_0 a on guest: 0', 'stop_0 guest on alpha: 0', 'stop_0 vm on alpha: 0'].map((one) => operations.indexOf(one));
    expect(order).toEqual([...order].sort((one, other) => one - other));
    expect(order[0]).toBeGreaterThan(-1);
    expect(await at.events('FencingRequested', before)).toEqual([]);
    await setMeta(at, 'target-role', undefined);
    await at.settled('a is back', isOn('a', 'guest'));
    expect(trulyOn(at)).toEqual(['guest']);
  });

  it('its machine is not managed and dies: what ran in it starts nowhere as long as nobody knows that it is gone, and it is told', async () => {
    const at = await withGuest();
    await setMeta(at, 'is-managed', 'false');
    await at.settled('not managed');
    const before = await at.cluster.version();
    await at.cluster.node('guest').killStarted();
    await at.until('it is lost', ({ nodes }) => nodes.some(({ name, online }) => name === 'guest' && !online));
    expect(ofServices(await at.operations(before)).filter((one) => one.startsWith('start'))).toEqual([]);
    await setMeta(at, 'is-managed', undefined);
    await at.settled('a is back', isOn('a', 'guest'));
    expect(await at.events('FencingRequested', before)).toEqual([]);
  });

  it('its agent is asked to end: what runs there is moved, and nobody is fenced', async () => {
    const at = await withGuest();
    const before = await at.cluster.version();
    process.kill(await machinePid(at), 'SIGTERM');
    await at.until('a is moved or restarted', ({ version }) => version > before + 3);
    await at.settled('all is well', (now) => placesOf(now, 'a').length === 1 && placesOf(now, 'vm').length === 1);
    expect(await at.events('FencingRequested', before)).toEqual([]);
    expect(trulyOn(at)).toHaveLength(1);
  });
});
