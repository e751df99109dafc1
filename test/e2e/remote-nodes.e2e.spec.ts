import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { hasMountNamespaces } from '@systole/examples';
import { afterEach, describe, expect, it } from 'vitest';
import { AgentsLab, isElsewhere, isOn, placesOf, scripted, type LabOptions } from './agents-lab.js';

const FENCING = `<primitive id="fencing" class="stonith" type="fence_systole_demo"><instance_attributes id="fencing-p">
  <nvpair id="fencing-p-hosts" name="pcmk_host_list" value="alpha bravo charlie far"/>
  <nvpair id="fencing-p-piddir" name="piddir" value="@PIDDIR@"/></instance_attributes></primitive>`;
/** A connection that is monitored, and held by alpha when it can be. */
const CONNECTION = `<primitive id="far" class="ocf" provider="pacemaker" type="remote"><operations>
  <op id="far-start" name="start" interval="0s" timeout="20s"/><op id="far-monitor" name="monitor" interval="10s" timeout="20s"/></operations></primitive>`;
const ON_ALPHA = '<rsc_location id="far-on-alpha" rsc="far" node="alpha" score="100"/>';
const prefersFar = (id: string): string => `<rsc_location id="${id}-on-far" rsc="${id}" node="far" score="200"/>`;

let lab: AgentsLab | undefined;
afterEach(async () => {
  await lab?.stop();
  lab = undefined;
});

async function started(options: Partial<LabOptions> = {}): Promise<AgentsLab> {
  lab = await AgentsLab.start({
    fencing: true,
    leaseMs: 5_000,
    remoteNodes: ['far'],
    resources: FENCING + CONNECTION + scripted('a'),
    constraints: ON_ALPHA + prefersFar('a'),
    ...options,
  });
  return lab;
}

describe.skipIf(!hasMountNamespaces())('a remote node (needs mount namespaces)', () => {
  it('runs what is placed on it, by its own agent, and has no vote; its connection moves, and the service stays', async () => {
    const at = await started();
    let view = await at.settled('a runs on the remote node', isOn('a', 'far'));
    expect(placesOf(view, 'far')).toEqual(['alpha']);
    const begun = await at.operations();
    expect(begun).toContain('start_0 far on alpha: 0');
    expect(begun.indexOf('start_0 far on alpha: 0')).toBeLessThan(begun.indexOf('start_0 a on far: 0'));
    expect(begun).toContain('monitor_1000 a on far: 0');
    const quorum = await at.events('QuorumChanged');
    expect(quorum.at(-1)).toEqual({ quorate: true, votes: 3, expectedVotes: 3 });
    expect(view.nodes.find(({ name }) => name === 'far')).toMatchObject({ online: true });

    const before = await at.cluster.version();
    await at.cluster.setStandby('alpha', true);
    view = await at.settled('the connection moves', isElsewhere('far', 'alpha'));
    expect(placesOf(view, 'a')).toEqual(['far']);
    expect((await at.operations(before)).filter((operation) => / a on /.test(operation))).toEqual([]);
  });

  it('goes on when the host of its connection is killed', async () => {
    const at = await started();
    await at.settled('a runs on the remote node', isOn('a', 'far'));
    const before = await at.cluster.version();
    at.cluster.node('alpha').kill();
    await at.settled('the connection is begun elsewhere', isElsewhere('far', 'alpha'));
    expect((await at.events('FencingCompleted', before)).map(({ target }) => target)).toEqual(['alpha']);
    expect(isOn('a', 'far')(await at.cluster.view())).toBe(true);
    expect((await at.operations(before)).filter((operation) => /(start|stop)_0 a on /.test(operation))).toEqual([]);
  });

  it('is fenced when its agent is killed, and only then does its service start elsewhere; it is back when its agent is', async () => {
    const at = await started();
    await at.settled('a runs on the remote node', isOn('a', 'far'));
    const before = await at.cluster.version();
    const far = at.cluster.node('far');
    far.kill();
    await far.whenDown();
    await at.until('a is started elsewhere', isElsewhere('a', 'far'));
    const events = (await at.cluster.eventsAfter(before)).flatMap(({ event }) => {
      if (event.type === 'FencingCompleted') return [`fenced ${event.data.target}`];
      return event.type === 'OperationRecorded' && event.data.operation === 'start' && event.data.resource === 'a' ? ['start a'] : [];
    });
    expect(events).toEqual(['fenced far', 'start a']);
    await far.start();
    const view = await at.settled('a comes back', isOn('a', 'far'));
    expect(view.nodes.find(({ name }) => name === 'far')).toMatchObject({ online: true, unclean: false });
  });
});

describe.skipIf(!hasMountNamespaces())('what happens to a remote node on purpose (needs mount namespaces)', () => {
  const elsewhere = ({ nodes }: { readonly nodes: readonly { readonly name: string; readonly standby: boolean }[] }): boolean =>
    nodes.some(({ name, standby }) => name === 'far' && standby);

  it('standby moves its services away and back; its agent is restarted, and nothing is stopped', async () => {
    const at = await started();
    await at.settled('a runs on the remote node', isOn('a', 'far'));
    await at.cluster.setStandby('far', true);
    const view = await at.settled('a is moved', isElsewhere('a', 'far'));
    expect(elsewhere(view)).toBe(true);
    expect(placesOf(view, 'far')).toEqual(['alpha']);
    await at.cluster.setStandby('far', false);
    await at.settled('a is back', isOn('a', 'far'));

    const before = await at.cluster.version();
    const far = at.cluster.node('far');
    far.kill();
    await far.whenDown();
    await far.startAgent();
    const isBack = 'monitor_1000 a on far: 0';
    while (!(await at.operations(before)).includes(isBack)) await at.until('a is monitored again', ({ version }) => version > before);
    await at.settled('all is known again', isOn('a', 'far'));
    expect((await at.operations(before)).filter((operation) => /^(start|stop)_/.test(operation))).toEqual([]);
    expect(await at.events('FencingRequested', before)).toEqual([]);
  });

  it('its agent is asked to end: services are moved, the connection is stopped, then it leaves, and nobody is fenced; so it goes when the connection is disabled', async () => {
    const at = await started();
    await at.settled('a runs on the remote node', isOn('a', 'far'));
    const before = await at.cluster.version();
    const far = at.cluster.node('far');
    process.kill(far.pid ?? 0, 'SIGTERM');
    await far.whenDown();
    await at.settled('a is moved', isElsewhere('a', 'far'));
    const order = (await at.cluster.eventsAfter(before)).flatMap(({ event }) => {
      if (event.type === 'OperationRecorded' && event.data.operation === 'stop')
        return [`stop ${event.data.resource} on ${event.data.node}`];
      return event.type === 'NodeLeft' || event.type === 'FencingRequested' || event.type === 'NodeLeaseLost' ? [event.type] : [];
    });
    expect(order).toEqual(['stop a on far', 'stop far on alpha', 'NodeLeft']);

    await far.start();
    await at.settled('a is back', isOn('a', 'far'));
    const again = await at.cluster.version();
    await at.configure((xml) =>
      xml.replace(
        /(<primitive [^>]*id="far"[^>]*>)/,
        '$1<meta_attributes id="far-m"><nvpair id="far-m-r" name="target-role" value="Stopped"/></meta_attributes>',
      ),
    );
    const view = await at.settled('a is moved away', isElsewhere('a', 'far'));
    expect(placesOf(view, 'far')).toEqual([]);
    expect(await at.events('FencingRequested', again)).toEqual([]);
    expect(await at.events('NodeLeaseLost', again)).toEqual([]);
  });

  it('without fencing: killed, its service starts elsewhere when it had the time to stop it; with its host killed alone, it stays', async () => {
    const at = await started({
      resources: FENCING + CONNECTION.replace('timeout="20s"/>', 'timeout="4s"/>') + scripted('a'),
      fencing: false,
      options: '<nvpair id="cps-margin" name="systole-down-margin" value="2s"/>',
    });
    await at.settled('a runs on the remote node', isOn('a', 'far'));
    let before = await at.cluster.version();
    at.cluster.node('alpha').kill();
    await at.settled('the connection is begun elsewhere', isElsewhere('far', 'alpha'));
    expect(isOn('a', 'far')(await at.cluster.view())).toBe(true);
    expect((await at.operations(before)).filter((operation) => /(start|stop)_0 a on /.test(operation))).toEqual([]);

    before = await at.cluster.version();
    const far = at.cluster.node('far');
    const { pid = 0 } = far;
    process.kill(pid, 'SIGSTOP');
    await at.until('a is started elsewhere', isElsewhere('a', 'far'), 45_000);
    expect(await at.events('NodeLeaseLost', before)).toMatchObject([{ node: 'far' }]);
    process.kill(pid, 'SIGCONT');
    await at.settled('a is back', isOn('a', 'far'));
    expect(readFileSync(far.logFile, 'utf8')).toContain('stopped by the agent itself');
  });
});

describe.skipIf(!hasMountNamespaces())('a guest node (needs mount namespaces; its machine is a stand-in)', () => {
  const machine = `<primitive id="vm" class="ocf" provider="test" type="Machine">
    <instance_attributes id="vm-p"><nvpair id="vm-p-program" name="program" value="@ORDERS@/guest"/></instance_attributes>
    <meta_attributes id="vm-m"><nvpair id="vm-m-r" name="remote-node" value="guest"/><nvpair id="vm-m-t" name="remote-connect-timeout" value="20s"/></meta_attributes>
    <operations><op id="vm-monitor" name="monitor" interval="1s" timeout="5s"/></operations></primitive>`;
  const placed =
    '<rsc_location id="vm-on-alpha" rsc="vm" node="alpha" score="100"/><rsc_location id="a-on-guest" rsc="a" node="guest" score="200"/>';

  async function withGuest(): Promise<AgentsLab> {
    const at = await started({ remoteNodes: [], guestNodes: ['guest'], resources: FENCING + scripted('a'), constraints: '' });
    await mkdir(at.orders, { recursive: true });
    await at.cluster.node('guest').writeStarter(`${at.orders}/guest-program`);
    const program = machine.replace('@ORDERS@/guest', `${at.orders}/guest-program`);
    await at.configure((xml) =>
      xml.replace('</resources>', `${program}</resources>`).replace(/<constraints\s*\/>/, `<constraints>${placed}</constraints>`),
    );
    await at.settled('a runs in the guest', isOn('a', 'guest'));
    return at;
  }

  it('runs what is placed on it; when its machine dies that is recovered with it, and nobody is fenced', async () => {
    const at = await withGuest();
    const begun = await at.operations();
    expect(begun.indexOf('start_0 vm on alpha: 0')).toBeLessThan(begun.indexOf('start_0 guest on alpha: 0'));
    expect(begun.indexOf('start_0 guest on alpha: 0')).toBeLessThan(begun.indexOf('start_0 a on guest: 0'));
    expect((await at.events('QuorumChanged')).at(-1)).toEqual({ quorate: true, votes: 3, expectedVotes: 3 });

    const before = await at.cluster.version();
    await at.cluster.node('guest').killStarted();
    await at.until('the machine is started anew', ({ version }) => version > before + 3);
    await at.settled('a is back', isOn('a', 'guest'));
    const operations = await at.operations(before);
    expect(operations).toContain('stop_0 vm on alpha: 0');
    expect(operations.indexOf('stop_0 vm on alpha: 0')).toBeLessThan(operations.indexOf('start_0 a on guest: 0'));
    expect(await at.events('FencingRequested', before)).toEqual([]);
  });
});
