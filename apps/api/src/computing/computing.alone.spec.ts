import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';
import { ComputingLane } from './computing-lane.js';
import { ComputingLanes } from './computing-lanes.js';
import type { Task } from './task.js';

/** A valid CIB that takes seconds to schedule. */
function costlyCib(primitives: number, nodes: number): string {
  const all = (count: number, make: (index: number) => string): string => Array.from({ length: count }, (_, index) => make(index)).join('');
  return `<cib crm_feature_set="3.20.5" validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0" have-quorum="1"><configuration><crm_config/>
<nodes>${all(nodes, (n) => `<node id="${n + 1}" uname="n${n + 1}"/>`)}</nodes>
<resources>${all(primitives, (r) => `<primitive id="r${r}" class="ocf" provider="heartbeat" type="Dummy"><operations><op id="r${r}-m" name="monitor" interval="10s" timeout="5s"/></operations></primitive>\n`)}</resources>
<constraints>${all(primitives - 1, (r) => `<rsc_colocation id="c${r}" rsc="r${r}" with-rsc="r${r + 1}" score="100"/>`)}</constraints></configuration>
<status>${all(nodes, (n) => `<node_state id="${n + 1}" uname="n${n + 1}" in_ccm="true" crmd="online" join="member" expected="member"/>`)}</status></cib>`;
}

const COSTLY = costlyCib(1_500, 32);

/** How long, at most, the loop that answers requests was silent while something went on, ms. */
async function silenceDuring(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await work();
  delay.disable();
  return delay.max / 1e6;
}

/** What else the machine does only adds to a silence, so that the least of so many counts. */
const ROUNDS = 3;

/** The longest silence during the work, as a share of the bound: which is for an idle machine, and grows with how busy this one was before or after. */
async function shareOf(boundMs: number, work: () => Promise<unknown>): Promise<number> {
  const before = slowness();
  const silence = await silenceDuring(work);
  return silence / (boundMs * Math.max(before, slowness()));
}

/** How long reading bodies may keep the loop silent on a machine that has nothing else to do, ms. */
const BODY_SILENCE_MS = 100;
/** How long a configuration of some thousand resources may keep the loop silent on a machine that has nothing else to do, ms. */
const SILENCE_MS = 50;
/** Computing time by which it is measured how slow the machine is, ms. */
const BURST_MS = 200;

/** How many times longer than its computing time a burst takes, for all that others do on the machine; at least 1, and said aloud when much more. */
function slowness(): number {
  const start = performance.now();
  const before = process.cpuUsage();
  for (let spent = 0; spent < BURST_MS;) {
    const { user, system } = process.cpuUsage(before);
    spent = (user + system) / 1_000;
  }
  const times = Math.max(1, (performance.now() - start) / BURST_MS);
  if (times > 1.2)
    process.stderr.write(`a busy machine: computing takes ${times.toFixed(1)} times as long, and so may a silence of the loop\n`);
  return times;
}

describe('what costs much', () => {
  let under: ApiUnderTest;
  let viewers: readonly string[];
  beforeAll(async () => {
    under = await apiUnderTest();
    await under.cluster('busy', CIB);
    viewers = [await under.token('viewer', 'first'), await under.token('viewer', 'second')];
    // So that nothing is loaded for the first time while it is measured.
    await simulate(0, CIB);
    await under.call('GET', '/v1/clusters/busy/status');
    await under.call('PUT', '/v1/clusters/busy/cib', {
      headers: { 'if-match': '*' },
      raw: { type: 'application/xml', body: CIB.replace('<status/>', ' '.repeat(20_000)) },
    });
  });
  afterAll(() => under.close());

  const simulate = (viewer: number, body: string, signal?: AbortSignal): Promise<Answer> =>
    under.call('POST', '/v1/simulate', {
      token: viewers[viewer] ?? null,
      raw: { type: 'application/xml', body },
      ...(signal === undefined ? {} : { signal }),
    });
  const documents = (): number => under.api.app.get(ComputingLanes).documents.length;

  it('of inflating, reading and judging a body holds up nothing else', async () => {
    const values = `{"element":"cib","children":[${'{"element":"a"},'.repeat(4_000_000)}{"element":"a"}]}`;
    const bomb = gzipSync(values);
    const plain = `{"element":"cib","children":[${'{"element":"a"},'.repeat(500_000)}{"element":"a"}]}`;
    expect(values.length).toBeGreaterThan(60 * 1024 * 1024);
    expect(bomb.length).toBeLessThan(200 * 1024);
    const send = async (body: Buffer | string, encoding: object): Promise<number> => {
      const headers = { authorization: `Bearer ${viewers[0] ?? ''}`, 'content-type': 'application/json', ...encoding };
      return (await fetch(`${under.api.url}/v1/simulate`, { method: 'POST', headers, body })).status;
    };
    const shares: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const share = await shareOf(BODY_SILENCE_MS, async () => {
        const bombs = Array.from({ length: 3 }, () => send(bomb, { 'content-encoding': 'gzip' }));
        expect(await Promise.all([...bombs, send(plain, {})])).toEqual([413, 413, 413, 422]);
      });
      shares.push(share);
    }
    expect(Math.min(...shares)).toBeLessThan(1);
  });

  it('of putting in force, trying, reading and showing a large configuration holds up nothing else', { timeout: 120_000 }, async () => {
    const path = '/v1/clusters/busy/cib';
    const put = (body: string, query = ''): Promise<Answer> =>
      under.call('PUT', `${path}${query}`, { headers: { 'if-match': '*' }, raw: { type: 'application/xml', body } });
    const body = costlyCib(2_000, 2);
    const requests: Readonly<Record<string, () => Promise<Answer>>> = {
      put: () => put(body),
      'dry run': () => put(body.replaceAll('timeout="5s"', 'timeout="6s"'), '?dryRun=true'),
      xml: () => under.call('GET', path, { headers: { accept: 'application/xml' } }),
      json: () => under.call('GET', path),
      status: () => under.call('GET', '/v1/clusters/busy/status'),
      events: () => under.call('GET', '/v1/clusters/busy/events'),
    };
    const silences: Record<string, number[]> = {};
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, request] of Object.entries(requests)) {
        const share = await shareOf(SILENCE_MS, async () => {
          expect((await request()).status).toBe(200);
        });
        (silences[name] ??= []).push(share);
      }
      await put(CIB);
    }
    for (const [name, shares] of Object.entries(silences)) expect({ name, share: Math.min(...shares) > 1 }).toEqual({ name, share: false });
    const refused = await put(body.replace('"r7"', '"r8"'));
    expect({ status: refused.status, json: refused.json }).toMatchObject({
      status: 422,
      json: { type: 'https://systole.dev/problems/invalid-configuration' },
    });
  });

  it('is asked of one token so often at a time; who asks more is told when to come again', async () => {
    const client = new AbortController();
    const asked = Array.from({ length: 70 }, () => simulate(0, COSTLY, client.signal));
    const refused = await Promise.all(
      asked.map((answer) => Promise.race([answer.then((one) => one).catch(() => undefined), sleep(8_000)])),
    );
    const answered = refused.flatMap((one) => (one === undefined ? [] : [one]));
    const later = answered.filter(({ status }) => status === 429);
    expect(later.length).toBeGreaterThanOrEqual(70 - 8 - answered.filter(({ status }) => status === 200).length);
    expect(later[0]?.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(later[0]?.json).toMatchObject({ type: 'https://systole.dev/problems/too-many-computations' });
    client.abort();
    await Promise.allSettled(asked);
    await expect.poll(documents).toBe(0);
  });

  it('ends with its caller, and leaves the others their turn', async () => {
    const client = new AbortController();
    const asked = Array.from({ length: 6 }, () => simulate(0, COSTLY, client.signal));
    await expect.poll(documents).toBe(6);
    client.abort();
    await Promise.allSettled(asked);
    await expect.poll(documents, { timeout: 1_000 }).toBe(0);
    expect((await simulate(0, CIB)).status).toBe(200);
  });

  it('takes turns: who asks once does not wait for all that another has asked before', async () => {
    const client = new AbortController();
    let done = 0;
    const asked = Array.from({ length: 6 }, () =>
      simulate(0, COSTLY, client.signal).then(() => {
        done += 1;
      }),
    );
    await expect.poll(documents).toBe(6);
    expect((await simulate(1, CIB)).status).toBe(200);
    expect(done).toBeLessThanOrEqual(2);
    client.abort();
    await Promise.allSettled(asked);
  });

  it('takes turns by who asks, whatever is asked: what others have waiting delays nobody by more than what runs', async () => {
    const lane = new ComputingLane('ordered', { places: { total: 64, each: 8 }, taskMs: 60_000, memoryMib: 2_048 });
    const gone = new AbortController().signal;
    const done: string[] = [];
    const ask = async (owner: string, what: string, task: () => Task): Promise<void> => {
      await lane.compute({ owner, gone }, task);
      done.push(what);
    };
    const simulation = (): Task => ({ kind: 'answer', cib: { format: 'xml', text: CIB }, now: 1_800_000_000 });
    const dryRun = (): Task => ({
      kind: 'schedule',
      cib: { format: 'xml', text: CIB },
      now: 1_800_000_000,
      graph: 'within',
      forgotten: [],
    });
    const json = (): Task => ({ kind: 'xml', json: '{"element":"cib"}' });
    const asked = [
      ...['v1', 'v2', 'v3', 'v4'].map((each) => ask('viewer', each, simulation)),
      ...[ask('operator', 'o1', dryRun), ask('operator', 'o2', json), ask('another', 'a1', json)],
    ];
    await Promise.all(asked);
    expect(done).toEqual(['v1', 'o1', 'a1', 'v2', 'o2', 'v3', 'v4']);
    await lane.close();
  });

  it('never delays the status of a cluster', async () => {
    const client = new AbortController();
    const asked = Array.from({ length: 6 }, () => simulate(0, COSTLY, client.signal));
    await expect.poll(documents).toBe(6);
    const start = performance.now();
    expect((await under.call('GET', '/v1/clusters/busy/status', { token: viewers[1] ?? null })).status).toBe(200);
    expect(performance.now() - start).toBeLessThan(5_000);
    expect(documents()).toBeGreaterThan(2);
    client.abort();
    await Promise.allSettled(asked);
  });

  it('of a document that belongs to no cluster never delays a dry run', async () => {
    const client = new AbortController();
    const asked = [0, 1].flatMap((viewer) => Array.from({ length: 4 }, () => simulate(viewer, COSTLY, client.signal)));
    await expect.poll(documents).toBe(8);
    const dryRun = await under.call('PUT', '/v1/clusters/busy/cib?dryRun=true', {
      headers: { 'if-match': '*' },
      raw: { type: 'application/xml', body: CIB.replace('<crm_config/>', '<crm_config> </crm_config>') },
    });
    expect(dryRun.status).toBe(200);
    // Had it waited for what runs, and then for its turn, some of them would be done.
    expect(documents()).toBeGreaterThan(5);
    client.abort();
    await Promise.allSettled(asked);
  });

  it('is given up after a while, and the next is done', { timeout: 120_000 }, async () => {
    // What takes a few milliseconds has time enough on any machine, and what takes a minute nowhere.
    const limits = { computing: { places: { total: 4, each: 4 }, taskMs: 2_000, memoryMib: 2_048 } };
    const other = await apiUnderTest({ limits });
    const body = costlyCib(8_000, 32);
    const late = await other.call('POST', '/v1/simulate', { raw: { type: 'application/xml', body } });
    expect({ status: late.status, type: late.json['type'] }).toEqual({
      status: 503,
      type: 'https://systole.dev/problems/computation-timeout',
    });
    await expect
      .poll(async () => (await other.call('POST', '/v1/simulate', { raw: { type: 'application/xml', body: CIB } })).status, {
        timeout: 60_000,
      })
      .toBe(200);
    await other.close();
  });

  it('that takes too much memory ends by itself, not with the process', async () => {
    const limits = { computing: { places: { total: 4, each: 4 }, taskMs: 60_000, memoryMib: 24 } };
    const other = await apiUnderTest({ limits });
    const huge = await other.call('POST', '/v1/simulate', { raw: { type: 'application/xml', body: COSTLY } });
    expect({ status: huge.status, type: huge.json['type'] }).toEqual({
      status: 422,
      type: 'https://systole.dev/problems/computation-too-large',
    });
    expect((await other.call('POST', '/v1/simulate', { raw: { type: 'application/xml', body: CIB } })).status).toBe(200);
    await other.close();
  });

  it('in bytes of bodies is bounded', async () => {
    const other = await apiUnderTest({ limits: { bodies: { total: 300_000, each: 200_000 } } });
    const send = (bytes: number): Promise<Answer> =>
      other.call('POST', '/v1/simulate', {
        raw: { type: 'application/xml', body: CIB.replace('<status/>', `<status/>${' '.repeat(bytes)}`) },
      });
    expect((await send(250_000)).status).toBe(429);
    // What was held is given back.
    for (let round = 0; round < 3; round++) expect((await send(150_000)).status).toBe(200);
    await other.close();
  });
});
