import { createHash } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseXml, readCib, type XmlElement } from '@systole/cib';
import { canonicalJson } from '@systole/event-store';
import { schedule } from '@systole/scheduler';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SchedulePool } from './schedule-pool.js';
import { graphFrom } from './stored-graph.js';

const NOW = 1_700_000_000;

/** A cluster on which nothing has run yet: a probe for each primitive on each node, and a start for each. */
function cold(nodes: number, primitives: number): XmlElement {
  const all = (count: number, make: (index: number) => string): string => Array.from({ length: count }, (_, index) => make(index)).join('');
  return parseXml(`<cib crm_feature_set="3.20.5" validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0" have-quorum="1"><configuration>
<crm_config><cluster_property_set id="o"><nvpair id="o1" name="stonith-enabled" value="false"/></cluster_property_set></crm_config>
<nodes>${all(nodes, (n) => `<node id="${n + 1}" uname="n${n + 1}"/>`)}</nodes>
<resources>${all(primitives, (r) => `<primitive id="r${r}" class="ocf" provider="heartbeat" type="Dummy"/>`)}</resources><constraints/></configuration>
<status>${all(nodes, (n) => `<node_state id="${n + 1}" uname="n${n + 1}" in_ccm="true" crmd="online" join="member" expected="member"/>`)}</status></cib>`);
}

/** The same with one node in standby. */
function withStandby(cib: XmlElement, id: string): XmlElement {
  const edit = (of: XmlElement): XmlElement => {
    if (of.name === 'node' && of.attributes['id'] === id) {
      const pair = parseXml(`<instance_attributes id="s${id}"><nvpair id="s${id}-1" name="standby" value="on"/></instance_attributes>`);
      return { ...of, children: [pair] };
    }
    const children = of.children.map((child) => (child.kind === 'element' ? edit(child) : child));
    return children.some((child, index) => child !== of.children[index]) ? { ...of, children } : of;
  };
  return edit(cib);
}

describe('the scheduling threads', () => {
  let pool: SchedulePool;
  beforeAll(() => {
    pool = new SchedulePool({ timeoutMs: 60_000, threads: 2 });
  });
  afterAll(() => pool.close());
  const others: SchedulePool[] = [];
  afterEach(() => Promise.all(others.splice(0).map((one) => one.close())));

  it('plan what the scheduler plans of that very CIB, whatever they were told of before', async () => {
    let cib = cold(4, 12);
    for (const id of ['1', '2', '3']) {
      const expected = schedule(readCib(cib), { now: NOW, scores: false });
      const [planned, other] = await Promise.all([pool.schedule('a', cib, NOW), pool.schedule('b', cib, NOW)]);
      expect(planned.graph).toEqual(expected.graph);
      expect(planned.digest).toBe(createHash('sha256').update(canonicalJson(expected.graph)).digest('hex'));
      expect(planned.summary).toHaveLength(expected.actions.length);
      expect(other.digest).toBe(planned.digest);
      expect(graphFrom(await planned.stored)).toEqual(expected.graph);
      expect(await pool.graphFrom(await planned.stored)).toEqual(expected.graph);
      cib = withStandby(cib, id);
    }
  });

  it('are told of a large cluster, and tell of its plan, without holding up the loop', { timeout: 60_000 }, async () => {
    const cib = cold(48, 400);
    // So that nothing is compiled for the first time while it is measured.
    await pool.schedule('warm', cold(8, 100), NOW);
    const silences: number[] = [];
    for (let round = 0; round < 6; round++) {
      const delay = monitorEventLoopDelay({ resolution: 2 });
      delay.enable();
      const planned = await pool.schedule(`large ${round}`, cib, NOW);
      delay.disable();
      expect(planned.graph.synapses.length).toBeGreaterThan(19_000);
      silences.push(delay.max / 1e6);
    }
    // What else the machine does only adds to it.
    expect(Math.min(...silences)).toBeLessThan(50);
  });

  it('go on after a CIB that can not be planned for', async () => {
    const broken: XmlElement = { ...cold(2, 2), attributes: { 'validate-with': 'no-schema' } };
    await expect(pool.schedule('broken', broken, NOW)).rejects.toThrow(/no-schema/);
    const unwritable: XmlElement = { ...cold(2, 2), children: [{ kind: 'element', name: 'a b', attributes: {}, children: [] }] };
    await expect(pool.schedule('broken', unwritable, NOW)).rejects.toThrow(/not an XML name/);
    expect((await pool.schedule('broken', cold(2, 2), NOW)).counts.actions).toBeGreaterThan(0);
  });

  it('are given up when they take too long; others take their place', { timeout: 60_000 }, async () => {
    // Long enough for a thread to begin and plan a small cluster on a busy machine, and never enough for 600,000 probes.
    const hasty = new SchedulePool({ timeoutMs: 2_000, threads: 1 });
    others.push(hasty);
    await expect(hasty.schedule('a', cold(200, 3_000), NOW)).rejects.toThrow(/did not finish within 2000 ms/);
    await expect
      .poll(
        () =>
          hasty.schedule('a', cold(2, 2), NOW).then(
            ({ counts }) => counts.actions > 0,
            () => false,
          ),
        { timeout: 30_000 },
      )
      .toBe(true);
  });

  it('plan for others meanwhile when one cluster takes long, however few processors there are', { timeout: 60_000 }, async () => {
    const usual = new SchedulePool({ timeoutMs: 60_000 });
    others.push(usual);
    await usual.schedule('short', cold(2, 2), NOW);
    const long = usual.schedule('long', cold(100, 1_500), NOW).then(() => 'long');
    expect(await Promise.race([long, usual.schedule('short', cold(2, 3), NOW).then(() => 'short')])).toBe('short');
    expect(await long).toBe('long');
  });

  it('plan what is asked for while they make themselves quick', async () => {
    const warming = new SchedulePool({ timeoutMs: 60_000, threads: 1, warmUp: true });
    others.push(warming);
    const cib = cold(4, 12);
    expect((await warming.schedule('a', cib, NOW)).digest).toBe((await pool.schedule('a', cib, NOW)).digest);
  });

  it('end with the worker: who waits for them is told, and so is who waits for what is stored', async () => {
    const closing = new SchedulePool({ timeoutMs: 60_000, threads: 1 });
    const refused = expect(closing.schedule('a', cold(60, 400), NOW)).rejects.toThrow(/closed/);
    await closing.close();
    await refused;
    await expect(closing.schedule('a', cold(2, 2), NOW)).rejects.toThrow(/closed/);
  });
});
