import { readCib } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { schedule } from '../schedule.js';
import type { Explanation } from './explanation.js';
import { clusterOf, dummy, history, online, prefers } from './small-cluster.fixture.js';

function explanationOf(xml: string): Explanation {
  const { explanation } = schedule(readCib(xml), { now: 1_700_000_000, explain: true });
  if (!explanation) throw new Error('nothing was explained');
  return explanation;
}

/** The chain of reasons of the action with that name. */
function why({ actions }: Explanation, name: string): readonly string[] | undefined {
  return actions.find((action) => action.name === name)?.because.map(({ text }) => text);
}

const bothOnline = online('1', 'ace') + online('2', 'king');

describe('the explanation', () => {
  it('says why a node was chosen, and what the others lack', () => {
    const { placements } = explanationOf(
      clusterOf(
        '',
        dummy('web') + dummy('db') + dummy('idle', { 'target-role': 'Stopped' }),
        prefers('web-likes-king', 'web', 'king', '50') +
          prefers('db-not-ace', 'db', 'ace', '-INFINITY') +
          prefers('db-not-king', 'db', 'king', '-INFINITY'),
        bothOnline,
      ),
    );
    expect(placements.map(({ resource, rule, text }) => [resource, rule, text])).toEqual([
      ['web', 'highest-score', 'king has the highest score, 50 (next is ace with 0)'],
      [
        'db',
        'no-candidate',
        'no node can run it: ace: score -INFINITY (location db-not-ace); king: score -INFINITY (location db-not-king)',
      ],
      ['idle', 'to-be-stopped', 'target-role of idle is Stopped'],
    ]);
  });

  it('says why what runs leaves its node, also where the new one was chosen among equals', () => {
    const three = (standby: string, constraint: string): string =>
      clusterOf(
        '',
        dummy('web'),
        constraint,
        bothOnline.replace('</node_state>', `${standby}${history('1', 'web', { operation: 'start' })}</node_state>`),
      )
        .replace('<node id="2" uname="king"/>', '<node id="2" uname="king"/><node id="3" uname="queen"/>')
        .replace('</status>', `${online('3', 'queen')}</status>`);
    const standby =
      '<transient_attributes id="1"><instance_attributes id="t1"><nvpair id="t1-s" name="standby" value="on"/></instance_attributes></transient_attributes>';
    const shared = 'it moves to king: king shares the highest score';
    expect(why(explanationOf(three(standby, '')), 'stop of web on ace')).toEqual([
      `${shared} of the usable nodes, 0, with queen, and comes first by name (ace with 0 is standby)`,
    ]);
    expect(why(explanationOf(three('', prefers('ban', 'web', 'ace', '-INFINITY'))), 'stop of web on ace')).toEqual([
      `${shared}, 0, with queen, and comes first by name (ace, where it is active, has score -INFINITY (location ban))`,
    ]);
  });

  it('says that a tie is broken by load, then by name', () => {
    const { placements } = explanationOf(clusterOf('', dummy('a') + dummy('b'), '', bothOnline));
    expect(placements.map(({ resource, rule, text }) => [resource, rule, text])).toEqual([
      ['a', 'tie-name', 'ace shares the highest score, 0, with king, and comes first by name'],
      ['b', 'tie-emptier', 'king shares the highest score, 0, with ace, and is the emptiest of them'],
    ]);
  });

  it('follows an ordering from what moves to what has to stop for it', () => {
    const explanation = explanationOf(
      clusterOf(
        '',
        dummy('db') + dummy('web'),
        '<rsc_order id="db-then-web" first="db" then="web"/>' + prefers('web-likes-king', 'web', 'king', '10'),
        online('1', 'ace', history('1', 'db', { operation: 'start' }, { operation: 'monitor', interval: 10_000, rc: 7 })) +
          online('2', 'king', history('2', 'web', { operation: 'start' })),
      ),
    );
    expect(why(explanation, 'stop of db on ace')).toEqual(['it failed on ace: monitor ended with 7 (not running)']);
    expect(why(explanation, 'stop of web on king')).toEqual([
      'needed because of start of web on king',
      'needed because of start of db on ace (ordering db-then-web)',
      'it failed on ace: monitor ended with 7 (not running); ace shares the highest score, 0, with king, and comes first by name',
    ]);
  });

  it('says what a blocked action waits for', () => {
    const explanation = explanationOf(
      clusterOf(
        '',
        dummy('db', { 'target-role': 'Stopped' }) + dummy('web'),
        '<rsc_order id="db-then-web" first="db" then="web"/>',
        bothOnline,
      ),
    );
    const blocked = explanation.actions.filter(({ state }) => state === 'blocked');
    expect(blocked.map(({ name }) => name)).toEqual(['start of web on ace']);
    expect(why(explanation, 'start of web on ace')).toEqual([
      'waits for start of db, which is not possible (ordering db-then-web)',
      'target-role of db is Stopped',
    ]);
  });

  it('says that a start waits for quorum', () => {
    const explanation = explanationOf(clusterOf('', dummy('web'), '', bothOnline).replace('have-quorum="1"', 'have-quorum="0"'));
    expect(explanation.actions.filter(({ state }) => state === 'blocked').map(({ name }) => name)).toEqual(['start of web on ace']);
    expect(why(explanation, 'start of web on ace')).toEqual(['no quorum (no-quorum-policy is stop)']);
  });

  it('says why a node is fenced, and that its resources stop with it', () => {
    const lost = '<node_state id="2" uname="king" in_ccm="false" crmd="offline" join="down" expected="member">';
    const fenced = clusterOf(
      '',
      '<primitive id="fence" class="stonith" type="fence_systole_demo"/>' + dummy('web', { 'resource-stickiness': '1' }),
      '',
      `${online('1', 'ace')}${lost}${history('2', 'web', { operation: 'start' })}</node_state>`,
    ).replace('name="stonith-enabled" value="false"', 'name="stonith-enabled" value="true"');
    const explanation = explanationOf(fenced);
    expect(why(explanation, 'fencing of king')).toEqual(['peer is no longer part of the cluster']);
    expect(why(explanation, 'stop of web on king')).toEqual(['king is fenced, which stops it there']);
    expect(why(explanation, 'start of web on ace')).toEqual([
      'it moves from king: ace has the highest score of the usable nodes, 0 (king with 1 is unclean: it has to be fenced)',
    ]);
  });

  it('says what every candidate has, part by part, also when capacity is what it lacks', () => {
    const small = dummy('small').replace(
      '</primitive>',
      '<utilization id="u"><nvpair id="u-m" name="memory" value="8"/></utilization></primitive>',
    );
    const { placements } = explanationOf(
      clusterOf(
        '<nvpair id="o-p" name="placement-strategy" value="utilization"/>',
        small,
        prefers('likes-ace', 'small', 'ace', '50'),
        bothOnline,
      )
        .replace('uname="ace"/>', 'uname="ace"><utilization id="n1"><nvpair id="n1-m" name="memory" value="4"/></utilization></node>')
        .replace('uname="king"/>', 'uname="king"><utilization id="n2"><nvpair id="n2-m" name="memory" value="16"/></utilization></node>'),
    );
    const candidates = placements[0]?.candidates.map(({ node, score, parts }) => [node, score, parts.map(({ text }) => text)]);
    expect(candidates).toEqual([
      ['king', 0, []],
      ['ace', -1_000_000, ['location likes-ace', 'too little free capacity']],
    ]);
  });

  it('says that there is no place for a member of the group, which it is to be together with', () => {
    const failed = `<transient_attributes id="1"><instance_attributes id="t1"><nvpair id="t1-f" name="fail-count-web#start_0" value="INFINITY"/></instance_attributes></transient_attributes>`;
    const { placements } = explanationOf(
      clusterOf('', `<group id="g">${dummy('disk')}${dummy('web')}</group>`, '', online('1', 'ace', failed) + online('2', 'king')),
    );
    const parts = placements.map(({ candidates }) => candidates.find(({ node }) => node === 'ace')?.parts.map(({ text }) => text));
    expect(parts).toEqual([
      ['no place for web, which is together with it'],
      ['fail count of web there is INFINITY, migration-threshold is INFINITY', 'together with disk, before it in the group'],
    ]);
  });

  it('says how an instance stood when the promoted one was chosen', () => {
    const score = (id: string, value: string): string =>
      `<transient_attributes id="${id}"><instance_attributes id="t${id}"><nvpair id="t${id}-p" name="master-server" value="${value}"/></instance_attributes></transient_attributes>`;
    const { placements } = explanationOf(
      clusterOf(
        '',
        `<clone id="dbs"><meta_attributes id="dbs-m"><nvpair id="dbs-p" name="promotable" value="true"/></meta_attributes>${dummy('server')}</clone>`,
        '',
        online('1', 'ace', score('1', '5')) + online('2', 'king', score('2', '10')),
      ),
    );
    expect(placements.map(({ promotion }) => promotion).map((found) => [found?.instance, found?.node, found?.score])).toEqual([
      ['server:0', 'king', 10],
      ['server:1', 'ace', 5],
    ]);
    expect(placements.map(({ promotion }) => promotion?.text)).toEqual([
      'server:0 on king has the highest promotion score, 10 (next is server:1 on ace with 5)',
      'server:0 on king with 10 goes before server:1 on ace with 5, and promoted-max is 1',
    ]);
    expect(placements[0]?.promotion?.parts.map(({ amount, text }) => [amount, text])).toEqual([[10, 'promotion score of server:0']]);
  });

  it('says that an instance has nothing to run beside', () => {
    const clone = (id: string, inside: string, max = '2'): string =>
      `<clone id="${id}"><meta_attributes id="${id}-m"><nvpair id="${id}-i" name="interleave" value="true"/><nvpair id="${id}-x" name="clone-max" value="${max}"/></meta_attributes>${dummy(inside)}</clone>`;
    const ordered = explanationOf(
      clusterOf(
        '',
        clone('stores', 'store') + clone('apps', 'app'),
        '<rsc_order id="stores-then-apps" first="stores" then="apps"/>' + prefers('no-store', 'stores', 'ace', '-INFINITY'),
        bothOnline,
      ),
    );
    expect(ordered.placements.find(({ rule }) => rule === 'no-partner')?.text).toBe(
      'there is no instance of stores for it (ordered after stores, interleaved)',
    );
    const none = explanationOf(
      clusterOf(
        '',
        clone('stores', 'store', '0') + clone('apps', 'app', '1'),
        '<rsc_colocation id="apps-with-stores" rsc="apps" with-rsc="stores" score="INFINITY"/>',
        online('1', 'ace', history('1', 'store', { operation: 'start' })) + online('2', 'king'),
      ),
    );
    expect(none.placements.map(({ resource, text }) => [resource, text])).toEqual([
      ['app:0', 'there is no instance of stores for it (colocation apps-with-stores with stores)'],
      ['store:0', 'clone-max of stores is 0, and this instance is surplus'],
    ]);
    expect(why(none, 'stop of store:0 on ace')).toEqual(['clone-max of stores is 0, and this instance is surplus']);
  });

  it('gives every action of the graph at least one reason', () => {
    const clone = `<clone id="dbs"><meta_attributes id="dbs-m"><nvpair id="dbs-n" name="notify" value="true"/><nvpair id="dbs-p" name="promotable" value="true"/></meta_attributes>${dummy('server')}</clone>`;
    const cib = readCib(clusterOf('', `${clone}<group id="g">${dummy('ip')}${dummy('web')}</group>`, '', bothOnline));
    const { explanation, graph } = schedule(cib, { now: 1, explain: true });
    const reasons = new Map(explanation?.actions.map(({ id, because }) => [id, because]));
    expect(graph.synapses.length).toBeGreaterThan(10);
    for (const { action } of graph.synapses) expect(reasons.get(action.id)?.length ?? 0, action.operationKey).toBeGreaterThan(0);
  });
});
