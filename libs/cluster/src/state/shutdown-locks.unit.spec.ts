import { describe, expect, it } from 'vitest';
import { memberOf, type ClusterState } from './cluster-state.js';
import { execute, EPOCH, option, threeNodes } from '../testing/stream.js';
import { untilRest, type Rest } from '../testing/until-rest.js';
import { historyOf } from './history.js';
import { nodeStateOf } from './node-state.js';

const dummy = (id: string): string =>
  `<primitive id="${id}" class="ocf" provider="pacemaker" type="Dummy"><operations><op id="${id}-m" name="monitor" interval="10s"/></operations></primitive>`;
const prefers = (id: string, node: string): string => `<rsc_location id="${id}-l" rsc="${id}" node="${node}" score="100"/>`;
const OPTIONS = option('stonith-enabled', 'false') + option('shutdown-lock', 'true');

/** Resources that run, db on n1. */
function running(options = OPTIONS, resources = dummy('db'), constraints = prefers('db', 'n1')): ClusterState {
  const cluster = threeNodes({ resources, constraints, options });
  return untilRest(execute(cluster, { type: 'change-quorum', quorate: true, votes: 3, expectedVotes: 3 })).state;
}

const shutDown = (state: ClusterState, node = 'n1'): Rest =>
  untilRest(execute(state, { type: 'request-shutdown', node, incarnation: memberOf(state, node)?.incarnation ?? 0 }));
const joined = (state: ClusterState, node = 'n1'): ClusterState =>
  execute(state, { type: 'join-node', node, agentVersion: '1', leaseMs: 5000, bootId: 'another' });
const lockOn = (state: ClusterState, node: string, id = 'db'): string | undefined => {
  const member = memberOf(state, node);
  return member === undefined ? undefined : historyOf(nodeStateOf(state.cib, member), id)?.attributes['shutdown-lock'];
};
const startsIn = ({ happened }: Rest, id = 'db'): readonly string[] => happened.filter((one) => one.startsWith(`start of ${id} `));
const requestedAt = (state: ClusterState): number => EPOCH / 1000 + state.version + 1;

describe('a resource of a node that is shut down, with shutdown-lock', () => {
  it('waits for the node: it starts nowhere else', () => {
    const state = running();
    const after = shutDown(state);
    expect(memberOf(after.state, 'n1')?.membership).toBe('left');
    expect(after.happened).toContain('stop of db on n1');
    expect(startsIn(after)).toEqual([]);
    expect(lockOn(after.state, 'n1')).toBe(String(requestedAt(state)));
  });

  it('starts there when the node is back, and waits for nothing any more', () => {
    const back = untilRest(joined(shutDown(running()).state));
    expect(startsIn(back)).toEqual(['start of db on n1']);
    expect(lockOn(back.state, 'n1')).toBeUndefined();
    expect(back.happened.filter((one) => one.startsWith('stop') || one.startsWith('lrm_delete'))).toEqual([]);
  });

  it('starts elsewhere after shutdown-lock-limit, to which the plan wakes', () => {
    const state = running(OPTIONS + option('shutdown-lock-limit', '10min'));
    const away = shutDown(state).state;
    expect(away.recheckBy).toBe(requestedAt(state) + 601);
    const later = untilRest(away, { now: requestedAt(state) + 601 });
    expect(later.happened).toContain('lrm_delete of db on n1');
    expect(startsIn(later)).toHaveLength(1);
    expect(lockOn(later.state, 'n1')).toBeUndefined();
  });

  it('starts elsewhere when it is refreshed on the node that is away', () => {
    const refreshed = execute(shutDown(running()).state, { type: 'refresh-resource', resource: 'db', node: 'n1' });
    expect(startsIn(untilRest(refreshed))).toHaveLength(1);
  });

  it('starts elsewhere when the node is back, and then lost and down', () => {
    const back = joined(shutDown(running()).state);
    expect(lockOn(back, 'n1')).toBeDefined();
    const lost = execute(back, { type: 'lose-lease', node: 'n1', incarnation: 2, expiredAt: '2026-01-01T01:00:00.000Z' });
    const down = execute(lost, { type: 'confirm-node-down', node: 'n1' });
    expect(lockOn(down, 'n1')).toBeUndefined();
    expect(startsIn(untilRest(down))).toHaveLength(1);
  });

  it('keeps waiting whatever is planned while the node is away', () => {
    const changed = execute(shutDown(running()).state, {
      type: 'set-node-attribute',
      node: 'n2',
      name: 'x',
      value: '1',
      lifetime: 'forever',
    });
    expect(startsIn(untilRest(changed))).toEqual([]);
  });

  it('is one of a group, too, but never an instance of a clone, or what was stopped for another reason', () => {
    const resources = `<group id="g">${dummy('one')}${dummy('two')}</group><clone id="c">${dummy('db')}</clone>`;
    const away = shutDown(running(OPTIONS, resources, prefers('g', 'n1'))).state;
    expect(['one', 'two', 'db'].map((id) => lockOn(away, 'n1', id) !== undefined)).toEqual([true, true, false]);

    const standby = untilRest(execute(running(), { type: 'set-standby', node: 'n1', standby: true }));
    expect(startsIn(standby)).toHaveLength(1);
    expect(lockOn(standby.state, 'n1')).toBeUndefined();
  });

  it('moves at once where the option is not set', () => {
    expect(startsIn(shutDown(running(option('stonith-enabled', 'false'))))).toHaveLength(1);
  });
});
