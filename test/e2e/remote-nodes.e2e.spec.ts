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
