import { type Cib, readCib } from '@systole/cib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { schedule } from '../schedule.js';

/** A cluster of three nodes on which nothing has run. */
function cibOf(resources: readonly string[], constraints: readonly string[]): Cib {
  const ids = [1, 2, 3];
  const states = ids.map((id) => `<node_state id="${id}" uname="n${id}" in_ccm="true" crmd="online" join="member" expected="member"/>`);
  return readCib(`<cib validate-with="pacemaker-4.0" have-quorum="1">
    <configuration>
      <crm_config><cluster_property_set id="o"><nvpair id="o1" name="fencing-enabled" value="false"/></cluster_property_set></crm_config>
      <nodes>${ids.map((id) => `<node id="${id}" uname="n${id}"/>`).join('')}</nodes>
      <resources>${resources.join('')}</resources>
      <constraints>${constraints.join('')}</constraints>
    </configuration>
    <status>${states.join('')}</status>
  </cib>`);
}

const primitive = (id: string): string => `<primitive id="${id}" class="ocf" provider="acme" type="Service"/>`;
const group = (id: string, members: readonly string[]): string => `<group id="${id}">${members.map(primitive).join('')}</group>`;
const colocation = (rsc: string, withRsc: string, score: string, influence = true): string =>
  `<rsc_colocation id="${rsc}-with-${withRsc}" rsc="${rsc}" with-rsc="${withRsc}" score="${score}" influence="${influence}"/>`;
const location = (rsc: string, node: string, score: string): string =>
  `<rsc_location id="${rsc}-on-${node}" rsc="${rsc}" node="${node}" score="${score}"/>`;

describe('the merging of scores', () => {
  it('ends, and says so, when thousands of colocations tie a group to its own member', { timeout: 30_000 }, () => {
    const colocations = Array.from({ length: 8_000 }, (_, index) => `<rsc_colocation id="k${index}" rsc="g" with-rsc="a" score="-1"/>`);
    const { messages, resources } = schedule(cibOf([group('g', ['a', 'b', 'c'])], colocations), { now: 1 });
    expect(messages.map(({ text }) => text).join('\n')).toContain('so entangled that not every chain of them was followed');
    expect(resources[0]).toMatchObject({ id: 'g', assignedTo: 'n1' });
  });

  describe('along a chain of thousands', () => {
    const ids = Array.from({ length: 8_000 }, (_, index) => `p${index}`);
    const chain = (score: string): string[] => ids.slice(1).map((id, index) => colocation(id, `p${index}`, score));
    const lastLikes = location('p7999', 'n2', '100');

    // Step by step, the merges of all together would be more than are made at most, which a warning would tell.
    it.each([
      ['colocations', ids.map(primitive), chain('INFINITY')],
      ['members', [group('g', ids)], []],
    ])('goes to the end from each of its %s', { timeout: 60_000 }, (_, resources, constraints) => {
      const { messages, graph } = schedule(cibOf(resources, [...constraints, lastLikes]), { now: 1, scores: false });
      const starts = graph.synapses.filter(({ action }) => action.operation === 'start' && action.kind === 'rsc_op');
      expect(messages).toEqual([]);
      expect(starts).toHaveLength(ids.length);
      expect(new Set(starts.map(({ action }) => action.node?.name))).toEqual(new Set(['n2']));
    });

    it('ends where so little is left of a score that it counts for nothing', { timeout: 60_000 }, () => {
      const { messages } = schedule(cibOf(ids.map(primitive), [...chain('1000'), lastLikes]), { now: 1, scores: false });
      expect(messages).toEqual([]);
    });
  });

  it('comes to the same all at once as step by step, which is how it is explained', { timeout: 30_000 }, () => {
    const score = fc.oneof({ weight: 5, arbitrary: fc.constant('INFINITY') }, fc.constantFrom('-INFINITY', '500000', '999999', '-100'));
    const link = fc.record({
      size: fc.integer({ min: 1, max: 4 }),
      back: fc.oneof({ weight: 8, arbitrary: fc.constant(1) }, fc.integer({ min: -3, max: 20 })),
      score,
      influence: fc.oneof({ weight: 8, arbitrary: fc.constant(true) }, fc.constant(false)),
      node: fc.constantFrom('n1', 'n2', 'n3'),
      likes: fc.constantFrom(undefined, undefined, '100', '-100', '999999', '-999999', 'INFINITY', '-INFINITY'),
    });
    fc.assert(
      fc.property(fc.array(link, { minLength: 12, maxLength: 30 }), (links) => {
        const resources = links.map(({ size }, at) => {
          const members = Array.from({ length: size }, (_, index) => `r${at}m${index}`);
          return size === 1 ? primitive(`r${at}`) : group(`r${at}`, members);
        });
        const constraints = links.flatMap(({ back, score: wanted, influence, node, likes }, at) => [
          ...(back !== 0 && at - back in links ? [colocation(`r${at}`, `r${at - back}`, wanted, influence)] : []),
          ...(likes === undefined ? [] : [location(`r${at}`, node, likes)]),
        ]);
        const cib = cibOf(resources, constraints);
        const merged = schedule(cib, { now: 1 });
        const explained = schedule(cib, { now: 1, explain: true });
        expect(merged.graph).toEqual(explained.graph);
        expect(explained.scores).toMatchObject(merged.scores);
      }),
      { numRuns: 100 },
    );
  });
});
