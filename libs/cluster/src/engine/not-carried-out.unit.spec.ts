import { describe, expect, it } from 'vitest';
import type { GraphAction } from '@systole/scheduler';
import { execute, option, threeNodes } from '../testing/stream.js';
import { untilRest } from '../testing/until-rest.js';
import type { ClusterState } from '../state/cluster-state.js';
import { createEngine } from './engine.js';
import type { EngineLimits } from './engine-types.js';
import { graphOf } from './testing/scenario.js';
import { refusalOf } from './not-carried-out.js';

const REMOTE = '<primitive id="far" class="ocf" provider="pacemaker" type="remote"/>';
const FENCING = '<primitive id="f" class="stonith" type="fence_x"/>';
const dummy = (id: string, meta = ''): string => `<primitive id="${id}" class="ocf" provider="pacemaker" type="Dummy">${meta}</primitive>`;
const NONE_HELD: EngineLimits = { batch: 10, actionsPerNode: 10, networkAllowanceMs: 0, activationHeld: false };

const quorate = (state: ClusterState): ClusterState => execute(state, { type: 'change-quorum', quorate: true, votes: 3, expectedVotes: 3 });

/** Of an action that is routed through n1. */
const onRemote = (line: string): GraphAction => {
  const action = graphOf([line]).synapses[0]?.action;
  if (action === undefined) throw new Error('the graph is empty');
  return { ...action, node: { id: 'far', name: 'far', router: 'n1' } };
};

describe('what is to happen on a remote node', () => {
  it('is given to nobody, least of all to the host of its connection; what waits for it waits', () => {
    const graph = graphOf(['1 start db n1', '2 monitor db n1 interval=10000 < 1']);
    const [start] = graph.synapses;
    if (start === undefined) throw new Error('the graph is empty');
    const routed = { ...graph, synapses: [{ ...start, action: onRemote('1 start db n1') }, ...graph.synapses.slice(1)] };
    expect(createEngine(routed, NONE_HELD).step({ type: 'start', now: 0 })).toEqual([
      { type: 'finished', outcome: 'complete', completed: 0, skipped: 2, failed: 0 },
    ]);
    for (const operation of ['stop', 'promote', 'monitor interval=10000', 'cancel']) {
      const [task, more = ''] = operation.split(' ');
      expect(refusalOf(onRemote(`1 ${task ?? ''} db n1 ${more}`))).toEqual({ type: 'withhold' });
    }
  });
});

describe('the connection to a remote node', () => {
  it('is not begun, and has nobody fenced: neither the remote node nor one that could not stop it', () => {
    const { state, happened } = untilRest(
      quorate(
        threeNodes({
          resources: REMOTE + FENCING + dummy('db'),
          constraints: '<rsc_location id="l" rsc="db" node="far" score="-INFINITY"/>',
        }),
      ),
    );
    expect(happened.filter((one) => one.startsWith('start of db'))).toHaveLength(1);
    expect(happened.filter((one) => one.includes(' of far '))).toEqual([
      'refused: monitor of far on n3',
      'refused: monitor of far on n2',
      'refused: monitor of far on n1',
    ]);
    expect(state.transition).toBeUndefined();
    expect(state.recompute).toBeUndefined();
  });

  it('of a guest node leaves its machine running', () => {
    const meta = '<meta_attributes id="m"><nvpair id="m-r" name="remote-node" value="guest"/></meta_attributes>';
    const { happened } = untilRest(quorate(threeNodes({ resources: dummy('vm', meta) + FENCING })));
    expect(happened.filter((one) => /(start|stop) of (vm|guest)/.test(one))).toEqual(['start of vm on n1']);
  });

  it('that an earlier life of this server has had failed is not stopped by a program that fails', () => {
    const failed = execute(quorate(threeNodes({ resources: REMOTE, options: option('stonith-enabled', 'false') })), {
      type: 'record-results',
      node: 'n1',
      incarnation: 1,
      results: [
        {
          ...{ resultId: 'r', actionId: 'c:0:1', transitionKey: '1:0:0:c', operation: 'start', intervalMs: 0, status: 'done', rc: 1 },
          ...{ callId: 1, startedAt: 1, execMs: 1, queueMs: 0, recurring: false },
          resource: { id: 'far', historyId: 'far', class: 'ocf', provider: 'pacemaker', type: 'remote' },
        },
      ],
    });
    const { asked, happened } = untilRest(failed);
    expect(happened).toContain('refused: stop of far on n1');
    expect(asked).toEqual([]);
  });
});
