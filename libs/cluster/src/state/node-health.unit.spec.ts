import { describe, expect, it } from 'vitest';
import { execute, option, threeNodes } from '../testing/stream.js';
import { untilRest } from '../testing/until-rest.js';
import type { ClusterState } from './cluster-state.js';

const DB =
  '<primitive id="db" class="ocf" provider="pacemaker" type="Dummy"><operations><op id="m" name="monitor" interval="10s"/></operations></primitive>';
const ON_N1 = '<rsc_location id="l" rsc="db" node="n1" score="100"/>';

function running(strategy?: string): ClusterState {
  const options = option('stonith-enabled', 'false') + (strategy === undefined ? '' : option('node-health-strategy', strategy));
  const cluster = threeNodes({ resources: DB, constraints: ON_N1, options });
  return untilRest(execute(cluster, { type: 'change-quorum', quorate: true, votes: 3, expectedVotes: 3 })).state;
}

const told = (state: ClusterState, value: string): ClusterState =>
  execute(state, { type: 'set-node-attribute', node: 'n1', name: '#health-cpu', value, lifetime: 'reboot' });
const startsAfter = (state: ClusterState): readonly string[] => untilRest(state).happened.filter((one) => one.startsWith('start of'));

describe('what an agent tells of the health of its node', () => {
  it('moves resources away by node-health-strategy, and back when it is well again', () => {
    const away = untilRest(told(running('migrate-on-red'), 'red'));
    expect(away.happened.filter((one) => one.startsWith('stop of'))).toEqual(['stop of db on n1']);
    expect(away.happened.some((one) => /^start of db on n[23]$/.test(one))).toBe(true);
    expect(startsAfter(told(away.state, 'green'))).toEqual(['start of db on n1']);
  });

  it('leaves them by a strategy that does not mind, and moves nothing without one', () => {
    expect(startsAfter(told(running('migrate-on-red'), 'yellow'))).toEqual([]);
    expect(startsAfter(told(running('only-green'), 'yellow'))).toHaveLength(1);
    expect(startsAfter(told(running(), 'red'))).toEqual([]);
  });

  it('is worth a plan as soon as it is told', () => {
    const state = running('migrate-on-red');
    expect(state.recompute).toBeUndefined();
    expect(told(state, 'red').recompute?.reason).toBe('attribute #health-cpu of n1 changed');
  });
});
