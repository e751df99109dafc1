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

  it('says that a tie is broken by load, then by name', () => {
    const { placements } = explanationOf(clusterOf('', dummy('a') + dummy('b'), '', bothOnline));
    expect(placements.map(({ resource, node, rule }) => [resource, node, rule])).toEqual([
      ['a', 'ace', 'tie-name'],
      ['b', 'king', 'tie-emptier'],
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
    expect(why(explanation, 'stop of db on ace')).toEqual(['it failed on ace: monitor ended with 7']);
    expect(why(explanation, 'stop of web on king')).toEqual([
      'needed because of start of web on king',
      'needed because of start of db on ace (ordering db-then-web)',
      'it failed on ace: monitor ended with 7; ace is the first by name of the nodes with the highest score, 0',
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
    expect(why(explanation, 'start of web on ace')).toEqual(['ace has the highest score, 0 (king with 1 is unclean: it has to be fenced)']);
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
