import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { unwrap, unwrapJson, type components } from '@systole/api-client';
import { hasMountNamespaces } from '@systole/examples';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AgentsLab, isOn, prefersAlpha, scripted } from './agents-lab.js';

const SAMPLES = '/usr/share/pacemaker/alerts';
const WITHIN_MS = 45_000;

/** What a program was told, as it dumped it. */
type Told = Readonly<Record<string, string>>;

let lab: AgentsLab | undefined;
let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'systole-alerts-'));
  // Programs of alerts run as an account without rights.
  await chmod(directory, 0o777);
});
afterEach(async () => {
  await lab?.stop();
  lab = undefined;
  await rm(directory, { recursive: true, force: true });
});

async function started(resources: string, more: { readonly constraints?: string; readonly fencing?: boolean } = {}): Promise<AgentsLab> {
  lab = await AgentsLab.start({ fencing: false, leaseMs: 5_000, resources, ...more });
  await lab.settled('everything is started', ({ version, nodes }) => version > 10 && nodes.every(({ online }) => online));
  return lab;
}

/** Puts alerts into the configuration. */
async function alert(at: AgentsLab, alerts: string): Promise<void> {
  await at.configure((xml) => xml.replace('</configuration>', `<alerts>${alerts}</alerts></configuration>`));
}

/** A program that writes its environment into a file of its own for each run: `<node>.<number>.<recipient>`. */
async function dumping(name = 'dump', more = ''): Promise<string> {
  const path = join(directory, name);
  const script = `#!/bin/sh\n${more}\nf=${directory}/told.$CRM_alert_node_sequence\n{ env -0; printf 'uid=%s\\0argc=%s\\0' "$(id -u)" "$#"; } >"$f.part"\nmv "$f.part" "$f.$CRM_alert_recipient"\n`;
  await writeFile(path, script);
  await chmod(path, 0o755);
  return path;
}

async function runsOf(at: AgentsLab, query: { alert?: string; outcome?: components['schemas']['AlertRunDto']['outcome'][] } = {}) {
  const list = unwrap(
    await at.client.GET('/v1/clusters/{cluster}/alert-runs', {
      params: { path: { cluster: at.cluster.id }, query: { ...query, limit: 500 } },
    }),
  );
  return list;
}

async function toldBy(at: AgentsLab, alertId: string): Promise<readonly (Told & { readonly on: string })[]> {
  const { items } = await runsOf(at, { alert: alertId });
  const found: (Told & { readonly on: string })[] = [];
  for (const { id, node } of items.toReversed()) {
    for (const recipient of ['', 'one', 'two']) {
      const text = await readFile(join(directory, `told.${String(id)}.${recipient}`), 'utf8').catch(() => undefined);
      if (text === undefined) continue;
      const pairs = text.split('\0').flatMap((pair): [string, string][] => {
        const at_ = pair.indexOf('=');
        return at_ > 0 ? [[pair.slice(0, at_), pair.slice(at_ + 1)]] : [];
      });
      found.push({ ...Object.fromEntries(pairs), on: node });
    }
  }
  return found;
}

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + WITHIN_MS;
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${String(WITHIN_MS)} ms`);
    await sleep(200);
  }
}

/** Waits until programs were told so. */
async function saw(
  at: AgentsLab,
  alertId: string,
  wanted: Readonly<Record<string, string>>,
  count = 1,
): Promise<readonly (Told & { readonly on: string })[]> {
  let last: readonly Told[] = [];
  return until(`${alertId} is told of ${JSON.stringify(wanted)}`, async () => {
    const all = await toldBy(at, alertId);
    last = all;
    const fitting = all.filter((told) => Object.entries(wanted).every(([name, value]) => told[`CRM_alert_${name}`] === value));
    return fitting.length >= count ? fitting : undefined;
  }).catch((error: unknown) => {
    const seen = last.map((told) => Object.entries(told).filter(([name]) => name.startsWith('CRM_alert_')));
    throw new Error(`${String(error)}; told: ${JSON.stringify(seen)}`);
  });
}

describe.skipIf(!hasMountNamespaces())('alerts, with real agents (needs mount namespaces)', () => {
  it(
    'tell of resources on the node where it happened, with what Pacemaker says, from when they are configured',
    { timeout: 120_000 },
    async () => {
      const at = await started(scripted('db'), { constraints: prefersAlpha('db') });
      const path = await dumping();
      await alert(
        at,
        `<alert id="dump" path="${path}"><meta_attributes id="dump-m"><nvpair id="dump-m-f" name="timestamp-format" value="%Y-%m-%dT%H:%M:%S.%3N"/></meta_attributes>
        <instance_attributes id="dump-p"><nvpair id="dump-p-g" name="greeting" value="of the alert"/><nvpair id="dump-p-o" name="only" value="here"/></instance_attributes>
        <recipient id="dump-one" value="one"/>
        <recipient id="dump-two" value="two"><instance_attributes id="dump-two-p"><nvpair id="dump-two-p-g" name="greeting" value="of the recipient"/></instance_attributes></recipient>
      </alert>`,
      );
      await at.order('db', 'monitor@alpha', 1);
      const failed = await saw(at, 'dump', { kind: 'resource', task: 'monitor', rc: '1' }, 2);
      await at.order('db', 'monitor@alpha', undefined);
      const one = failed.find(({ CRM_alert_recipient }) => CRM_alert_recipient === 'one');
      const two = failed.find(({ CRM_alert_recipient }) => CRM_alert_recipient === 'two');
      expect(one).toMatchObject({
        ...{ on: 'alpha', CRM_alert_node: 'alpha', CRM_alert_rsc: 'db', CRM_alert_interval: '1000', CRM_alert_target_rc: '0' },
        ...{ CRM_alert_status: '0', CRM_alert_desc: 'error', CRM_alert_version: '3.0.0', CRM_notify_rsc: 'db', argc: '0' },
        ...{ greeting: 'of the alert', only: 'here' },
      });
      expect(two).toMatchObject({ greeting: 'of the recipient', only: 'here' });
      const epoch = Number(one?.['CRM_alert_timestamp_epoch']);
      expect(Math.abs(epoch - Date.now() / 1_000)).toBeLessThan(60);
      expect(one?.['CRM_alert_timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
      expect(Number(one?.['CRM_alert_timestamp_usec'])).toBe(Number(one?.['CRM_alert_timestamp']?.slice(-3)) * 1_000);
      // As whom Pacemaker runs them, where there is such an account.
      if (process.getuid?.() === 0 && existsSync('/var/lib/pacemaker')) expect(one?.['uid']).not.toBe('0');

      await saw(at, 'dump', { kind: 'resource', task: 'stop', rc: '0' }, 2);
      await saw(at, 'dump', { kind: 'resource', task: 'start', rc: '0', desc: 'ok' }, 2);
      const told = async (task: string): Promise<number> =>
        (await toldBy(at, 'dump')).filter(({ CRM_alert_task }) => CRM_alert_task === task).length;
      // On a slow machine it fails once more before it is told not to. The first start of all was before the alert.
      await expect.poll(async () => (await told('start')) - (await told('stop')), { timeout: 20_000, interval: 500 }).toBe(0);
      const all = await toldBy(at, 'dump');
      expect(
        all.filter(({ CRM_alert_interval, CRM_alert_task }) => CRM_alert_task === 'monitor' && CRM_alert_interval === '0'),
        'no probes',
      ).toEqual([]);
      const ofOne = all.filter(({ CRM_alert_recipient }) => CRM_alert_recipient === 'one').map(({ CRM_alert_task: task }) => task);
      expect(ofOne.slice(0, 3), 'in the order in which it happened').toEqual(['monitor', 'stop', 'start']);
    },
  );

  it('have programs that ask the cluster with its tools, and change nothing by them', { timeout: 120_000 }, async () => {
    const at = await started(scripted('db'), { constraints: prefersAlpha('db') });
    const say = `say() { n=$1; shift; printf '%s=%s\\0' "$n" "$("$@" 2>&1; echo "rc=$?")"; }`;
    const asks = `{ say asked crm_attribute --query -n stonith-enabled -q; say node crm_node -n; say where crm_resource -r db --locate -Q; say wrote crm_attribute -n x -v 1 -l reboot; }`;
    const path = await dumping('asks', `${say}\n${asks} >${directory}/asked\n`);
    await alert(at, `<alert id="asks" path="${path}"/>`);
    const ran = unwrap(
      await at.client.POST('/v1/clusters/{cluster}/alerts/{alert}/commands/test', {
        params: { path: { cluster: at.cluster.id, alert: 'asks' } },
        body: { node: 'alpha' },
      }),
    );
    expect(ran).toMatchObject({ dryRun: false });
    await saw(at, 'asks', { desc: 'test' });
    const said = Object.fromEntries(
      (await readFile(join(directory, 'asked'), 'utf8'))
        .split('\0')
        .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    );
    expect(said).toMatchObject({ asked: 'false\nrc=0', node: 'alpha\nrc=0', where: expect.stringMatching(/alpha\s+rc=0$/) as string });
    if (process.getuid?.() === 0 && existsSync('/var/lib/pacemaker'))
      expect(said['wrote']).toMatch(/only root has anything changed[^]*rc=4$/);
  });

  it('tell of nodes on every node that is there, and of attributes by name where they are selected', { timeout: 120_000 }, async () => {
    const at = await started(scripted('db'));
    const path = await dumping();
    await alert(
      at,
      `<alert id="nodes" path="${path}"><select><select_nodes/></select></alert>
       <alert id="temp" path="${path}"><select><select_attributes><attribute id="temp-a" name="temp"/></select_attributes></select></alert>
       <alert id="off" path="${path}"><meta_attributes id="off-m"><nvpair id="off-m-e" name="enabled" value="false"/></meta_attributes></alert>`,
    );
    const set = async (name: string, value: string): Promise<void> => {
      unwrap(
        await at.client.PUT('/v1/clusters/{cluster}/nodes/{node}/attributes/{name}', {
          params: { path: { cluster: at.cluster.id, node: 'bravo', name } },
          body: { value, lifetime: 'reboot' },
        }),
      );
    };
    await set('other', '1');
    await set('temp', '42');
    const [changed] = await saw(at, 'temp', { kind: 'attribute', attribute_name: 'temp', attribute_value: '42', node: 'bravo' });
    expect(changed).toMatchObject({ on: 'bravo', CRM_alert_nodeid: '2' });

    await at.cluster.node('charlie').stop(20_000);
    const lost = await saw(at, 'nodes', { kind: 'node', node: 'charlie', desc: 'lost', nodeid: '3' }, 2);
    expect(lost.map(({ on }) => on).sort()).toEqual(['alpha', 'bravo']);
    await at.cluster.node('charlie').start();
    const back = await saw(at, 'nodes', { kind: 'node', node: 'charlie', desc: 'member' }, 3);
    expect(back.map(({ on }) => on).sort()).toEqual(['alpha', 'bravo', 'charlie']);

    expect((await toldBy(at, 'temp')).map(({ CRM_alert_attribute_name: name }) => name)).toEqual(['temp']);
    expect((await toldBy(at, 'nodes')).every(({ CRM_alert_kind: kind }) => kind === 'node')).toBe(true);
    expect((await runsOf(at, { alert: 'off' })).items).toEqual([]);
  });

  it('a program that hangs is killed with all that it started, and nothing waits for it', { timeout: 120_000 }, async () => {
    const at = await started(scripted('db'), { constraints: prefersAlpha('db') });
    const path = await dumping();
    const hanging = join(directory, 'hang');
    await writeFile(hanging, `#!/bin/sh\necho begun\n(trap '' TERM; sleep 600) &\necho $! >>${directory}/pids\nwait\n`);
    await chmod(hanging, 0o755);
    await alert(
      at,
      `<alert id="hangs" path="${hanging}"><meta_attributes id="hangs-m"><nvpair id="hangs-m-t" name="timeout" value="2s"/></meta_attributes></alert><alert id="dump" path="${path}"/>`,
    );
    await at.order('db', 'monitor@alpha', 1);
    await saw(at, 'dump', { task: 'monitor', rc: '1' });
    await at.order('db', 'monitor@alpha', undefined);
    await at.settled('db is recovered meanwhile', isOn('db', 'alpha'));
    const timedOut = await until('the hanging program is killed', async () => {
      const { items } = await runsOf(at, { alert: 'hangs', outcome: ['timeout'] });
      return items.length > 0 ? items : undefined;
    });
    expect(timedOut[0]).toMatchObject({
      node: 'alpha',
      path: hanging,
      detail: expect.stringMatching(/^timed out after (?:19\d\d|2000) ms$/) as string,
    });
    expect((await runsOf(at)).failed).toBeGreaterThan(0);
    const failed = await until('the log says so', async () => (await at.events('AlertFailed'))[0]);
    expect(failed).toMatchObject({ alert: 'hangs', node: 'alpha', outcome: 'timeout', path: hanging });
    const [first = ''] = (await readFile(join(directory, 'pids'), 'utf8')).trim().split('\n');
    expect(await commandOf(first), 'what it left in the background').not.toContain('sleep');
  });

  it(
    'a program that fails is among the troubles of the status until it works again, or is not configured',
    { timeout: 120_000 },
    async () => {
      const at = await started(scripted('db'), { constraints: prefersAlpha('db') });
      const path = join(directory, 'mails');
      const write = async (script: string): Promise<void> => {
        await writeFile(path, `#!/bin/sh\n${script}\n`);
        await chmod(path, 0o755);
      };
      await write('echo "no mail server" >&2; exit 3');
      await alert(at, `<alert id="mails" path="${path}"/><alert id="missing" path="${path}-not-there"/>`);
      const troubles = async (): Promise<string> => {
        const status = unwrapJson(await at.client.GET('/v1/clusters/{cluster}/status', { params: { path: { cluster: at.cluster.id } } }));
        return status.troubles.flatMap(({ code, text }) => (code === 'alerts-failing' ? [text] : [])).join();
      };
      const test = async (id: string): Promise<void> => {
        const params = { path: { cluster: at.cluster.id, alert: id } };
        unwrap(await at.client.POST('/v1/clusters/{cluster}/alerts/{alert}/commands/test', { params, body: { node: 'alpha' } }));
      };
      expect(await troubles()).toBe('');
      for (const id of ['mails', 'missing']) await test(id);
      await until('both are told of', async () => (/mails.*missing|missing.*mails/.test(await troubles()) ? true : undefined));
      expect(await troubles()).toContain('mails on alpha (exit code 3: no mail server)');
      expect(await troubles()).toMatch(/missing on alpha \(not-run: .*install the program/);
      await write('exit 0');
      await test('mails');
      await until('one works again', async () => ((await at.events('AlertRecovered')).length > 0 ? true : undefined));
      expect(await troubles()).not.toContain('mails on alpha');
      await at.configure((xml) => xml.replace(/<alert [^>]*id="missing"[^>]*\/>/, ''));
      expect(await troubles()).toBe('');
    },
  );

  it('of a node that is lost and fenced the others tell', { timeout: 150_000 }, async () => {
    const device = `<primitive id="fencing" class="stonith" type="fence_systole_demo"><instance_attributes id="fencing-p">
      <nvpair id="fencing-p-hosts" name="pcmk_host_list" value="alpha bravo charlie"/><nvpair id="fencing-p-piddir" name="piddir" value="@PIDDIR@"/></instance_attributes></primitive>`;
    const at = await started(device + scripted('db'), { constraints: prefersAlpha('db'), fencing: true });
    await alert(at, `<alert id="dump" path="${await dumping()}"><select><select_nodes/><select_fencing/></select></alert>`);
    at.cluster.node('alpha').kill();
    const lost = await saw(at, 'dump', { kind: 'node', node: 'alpha', desc: 'lost' }, 2);
    const fenced = await saw(at, 'dump', { kind: 'fencing', node: 'alpha', rc: '0', task: 'st_notify_fence' }, 2);
    expect([lost, fenced].map((told) => told.map(({ on }) => on).sort())).toEqual([
      ['bravo', 'charlie'],
      ['bravo', 'charlie'],
    ]);
    expect(fenced[0]?.['CRM_alert_desc']).toMatch(/^Operation (off|reboot) of alpha by (bravo|charlie) with fencing: OK \(ref=.+\)$/);
  });

  it.skipIf(!existsSync(join(SAMPLES, 'alert_file.sh.sample')))(
    "Debian's alert_file.sh writes what happened, and tells a test",
    { timeout: 120_000 },
    async () => {
      const at = await started(scripted('db'), { constraints: prefersAlpha('db') });
      const [path, log] = [join(directory, 'alert_file.sh'), join(directory, 'alerts.log')];
      await copyFile(join(SAMPLES, 'alert_file.sh.sample'), path);
      await chmod(path, 0o755);
      await writeFile(log, '');
      await chmod(log, 0o666);
      await alert(at, `<alert id="file" path="${path}"><recipient id="file-log" value="${log}"/></alert>`);
      const asked = unwrap(
        await at.client.POST('/v1/clusters/{cluster}/alerts/{alert}/commands/test', {
          params: { path: { cluster: at.cluster.id, alert: 'file' } },
          body: { node: 'bravo' },
        }),
      );
      expect(asked.runs).toMatchObject([{ alert: 'file', recipient: 'file-log', node: 'bravo', test: true, outcome: 'waiting' }]);
      const has = (text: RegExp): Promise<true> =>
        until(`the file has ${String(text)}`, async () => (text.test(await readFile(log, 'utf8')) ? true : undefined));
      await has(/Node 'bravo' is now 'test'/);
      await at.order('db', 'monitor@alpha', 7);
      await has(/Resource operation 'monitor \(1000\)' for 'db' on 'alpha': not running/);
      await at.order('db', 'monitor@alpha', undefined);
      await has(/Resource operation 'start' for 'db' on 'alpha': ok/);
      await at.cluster.node('charlie').stop(20_000);
      await has(/Node 'charlie' is now 'lost'/);
      const { items } = await runsOf(at, { outcome: ['done'] });
      expect(items.filter(({ test }) => test)).toMatchObject([{ node: 'bravo', rc: 0 }]);
    },
  );
});

async function commandOf(pid: string): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
}
