import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { unwrap, unwrapJson } from '@systole/api-client';
import { hasMountNamespaces } from '@systole/examples';
import { afterEach, describe, expect, it } from 'vitest';
import { AgentsLab, isElsewhere, isOn, placesOf, prefersAlpha, scripted, type LabOptions } from './agents-lab.js';

const FENCING = `<primitive id="fencing" class="stonith" type="fence_systole_demo"><instance_attributes id="fencing-p">
  <nvpair id="fencing-p-hosts" name="pcmk_host_list" value="alpha bravo charlie"/>
  <nvpair id="fencing-p-piddir" name="piddir" value="@PIDDIR@"/></instance_attributes></primitive>`;
const stateful = existsSync('/usr/lib/ocf/resource.d/pacemaker/Stateful');

let lab: AgentsLab | undefined;
afterEach(async () => {
  await lab?.stop();
  lab = undefined;
});

async function started(options: Partial<LabOptions> & Pick<LabOptions, 'resources'>): Promise<AgentsLab> {
  lab = await AgentsLab.start({ fencing: false, leaseMs: 10_000, ...options });
  await lab.settled('everything is started', ({ nodes }) => nodes.every(({ online }) => online));
  return lab;
}

describe.skipIf(!hasMountNamespaces())('resources on real agents (needs mount namespaces)', () => {
  it.skipIf(!stateful)('ocf:pacemaker:Stateful: one instance is promoted, by the scores that the agents set', async () => {
    const at = await started({
      resources: `<clone id="db-clone"><meta_attributes id="db-clone-m"><nvpair id="db-clone-m-p" name="promotable" value="true"/>
        <nvpair id="db-clone-m-n" name="notify" value="true"/></meta_attributes>
        <primitive id="db" class="ocf" provider="pacemaker" type="Stateful"><operations>
          <op id="db-promoted" name="monitor" interval="1s" role="Promoted" timeout="20s"/>
          <op id="db-unpromoted" name="monitor" interval="2s" role="Unpromoted" timeout="20s"/>
        </operations></primitive></clone>`,
    });
    const promotedOn = ({ resources }: Awaited<ReturnType<AgentsLab['settled']>>): readonly string[] =>
      resources.filter(({ role }) => role === 'Promoted').flatMap(({ activeOn }) => activeOn);
    const [first = ''] = promotedOn(await at.settled('one is promoted', (view) => promotedOn(view).length === 1));
    expect(await at.operations()).toContain(`monitor_1000 db on ${first}: 8`);
    const scores = await at.events('NodeAttributeSet');
    expect(scores.filter(({ name, node }) => name === 'master-db' && node === first).map(({ value }) => value)).toEqual(['5', '10']);

    const all = await at.operations();
    const told = all.slice(all.lastIndexOf(`promote_0 db on ${first}: 0`)).filter((operation) => operation.startsWith('notify_0 db'));
    expect(new Set(told).size, 'all are told of the promotion, although its score aborts the transition').toBe(3);

    const before = await at.cluster.version();
    await sleep(3_000);
    expect(await at.cluster.version(), 'monitors that find the same report nothing').toBe(before);

    await at.cluster.setStandby(first, true);
    const [second = ''] = promotedOn(
      await at.settled('another one is promoted', (view) => promotedOn(view).length === 1 && !promotedOn(view).includes(first)),
    );
    const operations = await at.operations(before);
    const order = [`demote_0 db on ${first}: 0`, `stop_0 db on ${first}: 0`, `promote_0 db on ${second}: 0`];
    expect(operations.filter((operation) => order.includes(operation))).toEqual(order);
  });

  it('a start that fails bans the resource from the node, a monitor does after some failures, until it is cleaned up', async () => {
    const threshold = '<meta_attributes id="b-m"><nvpair id="b-m-t" name="migration-threshold" value="2"/></meta_attributes>';
    const at = await started({ resources: scripted('a') + scripted('b', threshold), constraints: prefersAlpha('a') + prefersAlpha('b') });
    await at.order('a', 'start@alpha', 1);
    await at.order('a', 'monitor@alpha', 7);
    let view = await at.settled('a moves', isElsewhere('a', 'alpha'));
    expect(view.resources.find(({ id }) => id === 'a')?.failCounts).toEqual({ alpha: 'INFINITY' });
    expect(placesOf(view, 'b')).toEqual(['alpha']);

    await at.order('b', 'monitor@alpha', 'hang');
    view = await at.settled('b moves', isElsewhere('b', 'alpha'));
    expect(view.resources.find(({ id }) => id === 'b')?.failCounts).toEqual({ alpha: '2' });
    expect((await at.events('OperationRecorded')).filter(({ status }) => status === 'timeout')).toHaveLength(2);

    for (const action of ['start@alpha', 'monitor@alpha']) await at.order('a', action, undefined);
    const before = await at.cluster.version();
    await at.cluster.cleanUp('a');
    view = await at.settled('a comes back', isOn('a', 'alpha'));
    expect(view.resources.find(({ id }) => id === 'a')?.failCounts).toEqual({});
    expect(
      (await at.events('HistoryDeleted', before)).map(({ node }) => node),
      'only where it failed',
    ).toEqual(['alpha']);
    expect(isElsewhere('b', 'alpha')(view)).toBe(true);
  });

  it.skipIf(!stateful)(
    'is stopped as what it was started as, with what it was started with, whatever the configuration says by then',
    async () => {
      const states = await mkdtemp(join(tmpdir(), 'systole-started-'));
      const device = (provider: string, state: string): string =>
        `<primitive id="disk" class="ocf" provider="${provider}" type="Dummy"><instance_attributes id="disk-p">` +
        `<nvpair id="disk-p-state" name="state" value="${join(states, state)}"/></instance_attributes></primitive>`;
      try {
        const at = await started({ resources: device('pacemaker', 'one'), constraints: prefersAlpha('disk') });
        const held = (): readonly string[] => readdirSync(states).sort();
        const become = async (primitive: string): Promise<readonly string[]> => {
          const before = await at.cluster.version();
          await at.configure((xml) => xml.replace(/<primitive id="disk"[^]*<\/primitive>/, primitive));
          await at.settled('it is restarted', ({ version }) => version > before + 1);
          return held();
        };
        expect(held()).toEqual(['one']);
        expect(await become(device('pacemaker', 'two'))).toEqual(['two']);
        expect(await become(device('heartbeat', 'three'))).toEqual(['three']);
        const before = await at.cluster.version();
        await at.configure((xml) => xml.replace(/<primitive id="disk"[^]*<\/primitive>/, '').replace(/<rsc_location [^>]*\/>/, ''));
        await at.settled('it is stopped', ({ version, resources }) => version > before + 1 && resources.length === 0);
        expect(held()).toEqual([]);
      } finally {
        await rm(states, { recursive: true });
      }
    },
  );

  it.skipIf(!stateful)('takes up a parameter that its agent calls reloadable while it runs, and is restarted for another', async () => {
    const states = await mkdtemp(join(tmpdir(), 'systole-reload-'));
    const pair = (name: string, value: string): string => `<nvpair id="d-${name}" name="${name}" value="${value}"/>`;
    const device = (state: string, fake: string): string =>
      '<primitive id="d" class="ocf" provider="pacemaker" type="Dummy"><instance_attributes id="d-p">' +
      `${pair('state', join(states, state))}${pair('fake', fake)}</instance_attributes>` +
      '<operations><op id="d-monitor" name="monitor" interval="1s" timeout="20s"/></operations></primitive>';
    try {
      const stopped = device('one', '1').replace(
        '<operations>',
        '<meta_attributes id="d-m"><nvpair id="d-m-r" name="target-role" value="Stopped"/></meta_attributes><operations>',
      );
      const at = await started({ resources: stopped, constraints: prefersAlpha('d') });
      const path = { cluster: at.cluster.id, agent: 'ocf:pacemaker:Dummy' };
      const deadline = Date.now() + 120_000;
      const described = async (): Promise<boolean> => {
        const { data } = await at.client.GET('/v1/clusters/{cluster}/metadata/agents/{agent}', { params: { path } });
        return data?.versions.some(({ metadata }) => metadata !== undefined) === true;
      };
      while (!(await described())) {
        if (Date.now() > deadline) throw new Error('no node has told what ocf:pacemaker:Dummy takes');
        await sleep(500);
      }
      const become = async (primitive: string): Promise<readonly string[]> => {
        const before = await at.cluster.version();
        await at.configure((xml) => xml.replace(/<primitive id="d"[^]*<\/primitive>/, primitive));
        await at.settled('it is as configured', (view) => view.version > before + 1 && isOn('d', 'alpha')(view));
        return (await at.operations(before)).filter((operation) => !operation.startsWith('monitor_0'));
      };
      await become(device('one', '1'));
      expect(await become(device('one', '2'))).toEqual(['reload-agent_0 d on alpha: 0', 'monitor_1000 d on alpha: 0']);
      expect(await become(device('two', '2'))).toEqual(['stop_0 d on alpha: 0', 'start_0 d on alpha: 0', 'monitor_1000 d on alpha: 0']);
      const last = (await at.events('OperationRecorded')).findLast(({ resource, operation }) => resource === 'd' && operation === 'start');
      expect(last?.digests?.opForceRestart).toBe(' state ');
    } finally {
      await rm(states, { recursive: true });
    }
  });

  it('takes up a reloadable parameter while it runs, too, where it was started before anybody had told of its agent', async () => {
    const pair = (name: string, value: string): string => `<nvpair id="d-${name}" name="${name}" value="${value}"/>`;
    const discreet = (value: string, light: string, role = 'Started'): string =>
      '<primitive id="d" class="ocf" provider="test" type="Discreet"><instance_attributes id="d-p">' +
      `${pair('value', value)}${pair('light', light)}</instance_attributes>` +
      `<meta_attributes id="d-m"><nvpair id="d-m-r" name="target-role" value="${role}"/></meta_attributes></primitive>`;
    const at = await started({ resources: discreet('1', 'off', 'Stopped'), constraints: prefersAlpha('d') });
    const silent = join(dirname(at.cluster.node('alpha').stateFile('d')), 'Discreet.silent');
    await at.until('its node has asked it in vain', () => existsSync(silent));
    const become = async (primitive: string): Promise<readonly string[]> => {
      const before = await at.cluster.version();
      await at.configure((xml) => xml.replace(/<primitive id="d"[^]*<\/primitive>/, primitive));
      await at.settled('it is as configured', (view) => view.version > before + 1 && isOn('d', 'alpha')(view));
      return (await at.operations(before)).filter((operation) => !operation.startsWith('monitor_0'));
    };
    expect(await become(discreet('1', 'off'))).toEqual(['start_0 d on alpha: 0']);
    expect(await become(discreet('1', 'on'))).toEqual(['reload-agent_0 d on alpha: 0']);
    expect(await become(discreet('1', 'dim'))).toEqual(['reload-agent_0 d on alpha: 0']);
    expect(await become(discreet('2', 'dim'))).toEqual(['stop_0 d on alpha: 0', 'start_0 d on alpha: 0']);
  });

  it('what a person stops by a debug operation is not taken for a failure; once it is managed again, it is started and monitored again', async () => {
    const at = await started({ resources: scripted('a'), constraints: prefersAlpha('a') });
    const failCounts = ({ resources }: Awaited<ReturnType<AgentsLab['settled']>>): object | undefined =>
      resources.find(({ id }) => id === 'a')?.failCounts;
    const path = { cluster: at.cluster.id, resource: 'a' };
    const debug = async (operation: 'start' | 'stop'): Promise<void> => {
      const body = { node: 'alpha', operation };
      const tried = unwrap(await at.client.POST('/v1/clusters/{cluster}/resources/{resource}/commands/debug', { params: { path }, body }));
      expect(tried.tried).toMatchObject({ state: 'ended', status: 'done', rc: 0 });
    };
    const MONITORED = 'monitor_1000 a on alpha: 0';
    await at.settled('it is monitored', isOn('a', 'alpha'));
    unwrap(await at.client.POST('/v1/clusters/{cluster}/resources/{resource}/commands/unmanage', { params: { path } }));
    await at.settled('it is not managed');
    let before = await at.cluster.version();
    await debug('stop');
    await at.settled('it is known to be stopped', (view) => placesOf(view, 'a').length === 0);
    await sleep(2_500);
    expect(await at.operations(before)).toEqual(['monitor_0 a on alpha: 7']);
    expect(failCounts(await at.settled('nothing failed'))).toEqual({});

    before = await at.cluster.version();
    await debug('start');
    await at.settled('it is known to run', isOn('a', 'alpha'));
    expect(await at.operations(before)).toEqual(['monitor_0 a on alpha: 0', MONITORED]);
    await at.order('a', 'monitor@alpha', 7);
    await at.until('its monitor notices that it fails', (view) => Object.keys(failCounts(view) ?? {}).length > 0);
    await at.order('a', 'monitor@alpha', undefined);

    await debug('stop');
    before = await at.cluster.version();
    unwrap(await at.client.POST('/v1/clusters/{cluster}/resources/{resource}/commands/manage', { params: { path } }));
    await at.settled('it is started again', isOn('a', 'alpha'));
    expect(await at.operations(before)).toEqual(expect.arrayContaining(['start_0 a on alpha: 0', MONITORED]));
  });

  it('a stop that fails has its node fenced', async () => {
    const at = await started({ fencing: true, resources: FENCING + scripted('a') + scripted('b'), constraints: prefersAlpha('a') });
    const alpha = at.cluster.node('alpha');
    await at.order('a', 'stop@alpha', 1);
    await at.cluster.setStandby('alpha', true);
    const view = await at.settled('a is recovered', isElsewhere('a', 'alpha'));
    expect(await at.events('FencingCompleted')).toMatchObject([{ target: 'alpha', outcome: 'succeeded' }]);
    expect(view.nodes.find(({ name }) => name === 'alpha')).toMatchObject({ online: false, unclean: false });
    await alpha.whenDown();
  });
});

describe.skipIf(!hasMountNamespaces())('the life of an agent (needs mount namespaces)', () => {
  const resources = scripted('a') + `<clone id="c">${scripted('ci')}</clone>`;

  it('SIGTERM: the cluster moves its resources, then it leaves; nobody is fenced', async () => {
    const at = await started({ fencing: true, resources: FENCING + resources, constraints: prefersAlpha('a') });
    const before = await at.cluster.version();
    const alpha = at.cluster.node('alpha');
    process.kill(alpha.pid ?? 0, 'SIGTERM');
    await alpha.whenDown();
    await at.settled('a is moved', isElsewhere('a', 'alpha'));
    const types = (await at.cluster.eventsAfter(before)).map(({ event }) =>
      event.type === 'OperationRecorded' ? `${event.data.operation} ${event.data.resource}` : event.type,
    );
    const order = types.filter((type) =>
      ['NodeShutdownRequested', 'stop a', 'NodeLeft', 'NodeLeaseLost', 'FencingRequested'].includes(type),
    );
    expect(order).toEqual(['NodeShutdownRequested', 'stop a', 'NodeLeft']);

    await alpha.start();
    const view = await at.settled('a comes back', isOn('a', 'alpha'));
    expect(view.nodes.every(({ online }) => online)).toBe(true);
  });

  it('kill -9 and a new one within the lease: nothing is stopped, started or fenced, and monitors go on', async () => {
    const at = await started({ fencing: true, resources: FENCING + resources, constraints: prefersAlpha('a') });
    const before = await at.cluster.version();
    const alpha = at.cluster.node('alpha');
    alpha.kill();
    await alpha.whenDown();
    await alpha.startAgent();
    const isBack = 'monitor_1000 a on alpha: 0';
    await at.until('it has joined anew', ({ version }) => version > before);
    while (!(await at.operations(before)).includes(isBack)) await at.until('a is monitored again', ({ version }) => version > before);
    await at.settled('all is known again', isOn('a', 'alpha'));
    const operations = (await at.operations(before)).filter((operation) => !operation.includes('fencing'));
    expect(operations.filter((operation) => /^(start|stop)_/.test(operation))).toEqual([]);
    expect(operations).toContain('monitor_0 a on alpha: 0');
    expect(await at.events('NodeLeaseLost', before)).toEqual([]);
    expect(await at.events('FencingRequested', before)).toEqual([]);

    await at.order('a', 'monitor', 7);
    await at.until(
      'the monitor notices a failure',
      ({ resources: all }) => all.find(({ id }) => id === 'a')?.failCounts['alpha'] !== undefined,
    );
  });

  it('kill -9 and a new one: the promoted instance stays promoted, and nothing of what was set until the reboot is lost', async () => {
    const at = await started({
      resources: `${FENCING}<clone id="dbs"><meta_attributes id="dbs-m"><nvpair id="dbs-m-p" name="promotable" value="true"/></meta_attributes>
        <primitive id="db" class="ocf" provider="systole" type="Stateful">
          <operations><op id="db-m1" name="monitor" interval="1s" role="Promoted"/><op id="db-m2" name="monitor" interval="2s" role="Unpromoted"/></operations>
        </primitive></clone>`,
      fencing: true,
    });
    const promoted = (await at.events('OperationRecorded')).find(({ operation }) => operation === 'promote')?.node ?? '';
    expect(promoted).not.toBe('');
    const node = at.cluster.node(promoted);
    const path = { cluster: at.cluster.id, node: promoted, name: 'noted' };
    unwrap(
      await at.client.PUT('/v1/clusters/{cluster}/nodes/{node}/attributes/{name}', {
        params: { path },
        body: { value: '1', lifetime: 'reboot' },
      }),
    );
    const before = await at.cluster.version();
    node.kill();
    await node.whenDown();
    await node.startAgent();
    const isBack = `monitor_1000 db on ${promoted}: 8`;
    while (!(await at.operations(before)).includes(isBack)) await at.until('it is monitored again', ({ version }) => version > before);
    await at.settled('all is known again');
    // A fence device is begun again on a node whose agent is new: where it runs is left to the scheduler.
    const operations = (await at.operations(before)).filter((operation) => !operation.includes('fencing'));
    expect(operations.filter((operation) => /^(start|stop|promote|demote)_/.test(operation))).toEqual([]);
    expect(await at.events('NodeAttributeCleared', before)).toEqual([]);
    expect(await at.events('NodeJoined', before)).toMatchObject([{ node: promoted, attributesKept: 'all' }]);
  });

  it('frozen beyond its lease, without fencing: what it ran is started elsewhere; when it thaws it stops that, and joins anew', async () => {
    const at = await started({
      leaseMs: 5_000,
      resources: scripted('a'),
      constraints: prefersAlpha('a'),
      options: '<nvpair id="cps-margin" name="systole-down-margin" value="2s"/>',
    });
    const alpha = at.cluster.node('alpha');
    const { pid = 0 } = alpha;
    const frozen = await at.cluster.version();
    process.kill(pid, 'SIGSTOP');
    await at.cluster.setStandby('alpha', true);
    await at.settled('a is started elsewhere', isElsewhere('a', 'alpha'));
    expect(await at.events('NodeLeaseLost', frozen)).toMatchObject([{ node: 'alpha' }]);
    process.kill(pid, 'SIGCONT');
    await at.settled('alpha is back', ({ nodes }) => nodes.every(({ online }) => online));
    const log = readFileSync(alpha.logFile, 'utf8');
    expect(log).toContain('stopped by the agent itself');
    expect(log).not.toMatch(/"operation":"stop"[^}]*"msg":"executed"/);
    expect(await at.operations(frozen)).toContain('monitor_0 a on alpha: 7');
    expect(isElsewhere('a', 'alpha')(await at.cluster.view())).toBe(true);
    expect(alpha.pid, 'it is the same process').toBe(pid);
  });

  it('its node is lost and no device can fence it: its resources wait until a person says that it is down', async () => {
    const at = await started({
      fencing: true,
      leaseMs: 5_000,
      resources: FENCING.replace('alpha bravo charlie', 'bravo charlie') + scripted('a'),
      constraints: prefersAlpha('a'),
    });
    const alpha = at.cluster.node('alpha');
    alpha.kill();
    await alpha.whenDown();
    await at.until('alpha is unclean', ({ nodes }) => nodes.some(({ name, unclean }) => name === 'alpha' && unclean));
    await sleep(3_000);
    expect(placesOf(await at.cluster.view(), 'a')).not.toContain('bravo');
    expect(placesOf(await at.cluster.view(), 'a')).not.toContain('charlie');
    const params = { path: { cluster: at.cluster.id, node: 'alpha' } };
    const answer = await at.client.POST('/v1/clusters/{cluster}/nodes/{node}/commands/confirm-down', {
      params,
      body: { reason: 'unplugged' },
    });
    expect(answer.response.status).toBe(200);
    await at.settled('a is started elsewhere', isElsewhere('a', 'alpha'));
  });

  it('what it could not stop when its lease was lost is told until the cluster has probed it', async () => {
    const at = await started({ leaseMs: 5_000, resources: scripted('a'), constraints: prefersAlpha('a') });
    const before = await at.cluster.version();
    const { pid = 0 } = at.cluster.node('alpha');
    await at.order('a', 'stop@alpha', 1);
    process.kill(pid, 'SIGSTOP');
    await sleep(5_000);
    process.kill(pid, 'SIGCONT');
    const told = async (): Promise<readonly string[]> =>
      (await at.events('NodeTroublesTold', before)).map(({ troubles }) => troubles.map(({ code }) => code).join());
    const deadline = Date.now() + 25_000;
    while ((await told()).length < 2 && Date.now() < deadline) await sleep(200);
    expect(await told()).toEqual(['stop-failed', '']);
    expect(await at.operations(before)).toContain('monitor_0 a on alpha: 0');
    const { safety } = unwrapJson(await at.client.GET('/v1/clusters/{cluster}/status', { params: { path: { cluster: at.cluster.id } } }));
    expect(safety.map(({ code }) => code)).not.toContain('agent-stop-failed');
    await at.order('a', 'stop@alpha', undefined);
  });

  it('a lost lease stops what is managed, and nothing else', async () => {
    const unmanaged = '<meta_attributes id="b-m"><nvpair id="b-m-m" name="is-managed" value="false"/></meta_attributes>';
    const at = await started({
      leaseMs: 5_000,
      resources: scripted('a') + scripted('b'),
      constraints: prefersAlpha('a') + prefersAlpha('b'),
    });
    const params = { path: { cluster: at.cluster.id } };
    const cib = await at.client.GET('/v1/clusters/{cluster}/cib', { params, headers: { accept: 'application/xml' }, parseAs: 'text' });
    const changed = String(cib.data).replace(/(<primitive[^>]* id="b"[^>]*>)/, `$1${unmanaged}`);
    const put = await at.client.PUT('/v1/clusters/{cluster}/cib', {
      params: { ...params, header: { 'If-Match': cib.response.headers.get('etag') ?? '' } },
      body: changed as never,
      bodySerializer: String,
      headers: { 'content-type': 'application/xml' },
    });
    expect(put.response.status).toBe(200);
    await at.settled('b is not managed', ({ resources: all }) => all.some(({ id, managed }) => id === 'b' && !managed));
    const alpha = at.cluster.node('alpha');
    const { pid = 0 } = alpha;
    // Two of its polls, each of which says what is not managed.
    await sleep(2_500);
    process.kill(pid, 'SIGSTOP');
    await sleep(5_000);
    process.kill(pid, 'SIGCONT');
    await at.until('alpha has acted', () => readFileSync(alpha.logFile, 'utf8').split('"joined"').length > 2);
    const stopped = readFileSync(alpha.logFile, 'utf8')
      .split('\n')
      .flatMap((line) => /"resource":"(\w+)".*stopped by the agent itself/.exec(line)?.[1] ?? []);
    expect(stopped).toEqual(['a']);
  });
});
