import { describe, expect, it } from 'vitest';
import type { ClusterCommand } from '../commands/cluster-command.js';
import { decide } from '../commands/decide.js';
import { engineLimits } from '../engine/limits.js';
import { isHeld } from '../engine/making-way.js';
import { graphOf } from '../engine/testing/scenario.js';
import type { ClusterState } from '../state/cluster-state.js';
import { evolve } from '../state/evolve.js';
import { EPOCH, execute, planned, threeNodes } from '../testing/stream.js';
import { activationHold } from './activation-hold.js';
import { untoldAttributes } from './attributes-of-before.js';

const DB =
  '<clone id="c"><meta_attributes id="m"><nvpair id="p" name="promotable" value="true"/></meta_attributes><primitive id="db" class="ocf" provider="heartbeat" type="pgsql"/></clone>';
const epoch = (id: string): ClusterCommand => ({
  ...{ type: 'begin-epoch', clusterId: 'cluster-1', epoch: id, reason: 'yesterday’s copy was put back', by: 'a person' },
});
const joins = ['n1', 'n2', 'n3'].map((node): ClusterCommand => ({ type: 'join-node', node, agentVersion: '1', leaseMs: 5000 }));
const set = (value: string, more: object = {}): ClusterCommand => ({
  ...{ type: 'set-node-attribute', node: 'n1', name: 'db-data-status', value, lifetime: 'forever' },
  ...more,
});
const clear: ClusterCommand = { type: 'clear-node-attribute', node: 'n1', name: 'db-data-status', lifetime: 'forever' };

/** The command, by the agent of n1. */
function byAgent(state: ClusterState, command: ClusterCommand): ClusterState {
  const decision = decide({ ...command, agent: 'n1' } as ClusterCommand, state);
  if (!decision.ok) throw new Error(decision.rejection.message);
  return decision.events.reduce((folded, event) => {
    const version = folded.version + 1;
    const occurredAt = new Date(EPOCH + version * 1000).toISOString();
    return evolve(folded, { version, occurredAt, actor: 'agent:n1', correlationId: 'c', event });
  }, state);
}

const graph = graphOf(['1 start db n2', '2 promote db n2', '3 demote db n3']);
const heldOf = (state: ClusterState): readonly string[] => {
  const limits = engineLimits(graph, state);
  return graph.synapses.flatMap(({ action }) => (isHeld(action, limits) ? [action.operation] : []));
};

describe('a permanent attribute that an agent wrote before the log went back', () => {
  const before = byAgent(threeNodes({ resources: DB }), set('LATEST'));
  const restored = execute(before, epoch('e2'), ...joins);

  it('may be of yesterday: nothing is promoted by it until it is written again, but all else is done', () => {
    expect(heldOf(before)).toEqual([]);
    expect(untoldAttributes(restored)).toEqual([{ node: 'n1', name: 'db-data-status', value: 'LATEST' }]);
    expect(activationHold(restored, 0)).toBeUndefined();
    expect(heldOf(restored)).toEqual(['promote']);
  });

  it.each([
    ['a person, as it was', (state: ClusterState) => execute(state, set('LATEST'))],
    ['a person, otherwise', (state: ClusterState) => execute(state, set('DISCONNECT'))],
    ['an agent', (state: ClusterState) => byAgent(state, set('LATEST'))],
  ])('holds nothing once it was written again by %s', (_, write) => {
    expect(heldOf(write(restored))).toEqual([]);
    // The transition whose promotion waits is planned anew at once.
    expect(write(planned(restored)).transition?.status).toBe('aborting');
  });

  it('holds nothing once it was cleared, or its node was taken out of the configuration', () => {
    expect(heldOf(execute(restored, clear))).toEqual([]);
    const cib =
      '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>' +
      `<nodes><node id="1" uname="n1"/><node id="2" uname="n2"/><node id="3" uname="n3"/></nodes><resources>${DB}</resources><constraints/></configuration><status/></cib>`;
    expect(untoldAttributes(execute(restored, { type: 'replace-configuration', cib }))).toEqual([]);
  });

  it('is asked for anew by each further epoch, unless a person wrote it last', () => {
    expect(heldOf(execute(byAgent(restored, set('LATEST')), epoch('e3'), ...joins))).toEqual(['promote']);
    expect(heldOf(execute(restored, set('LATEST'), epoch('e3'), ...joins))).toEqual([]);
    expect(heldOf(execute(restored, epoch('e3'), ...joins))).toEqual(['promote']);
  });

  it('holds nothing by the mere word of a node, which takes nothing back either; nor where it lasts until the reboot', () => {
    const word = { ...epoch('e3'), witness: { epoch: 'lost', version: 99, hash: 'aa' }, by: 'n1' } as ClusterCommand;
    expect(heldOf(execute(before, word, ...joins))).toEqual([]);
    expect(heldOf(execute(restored, word, ...joins))).toEqual(['promote']);
    const transient = byAgent(threeNodes({ resources: DB }), set('LATEST', { lifetime: 'reboot' }));
    expect(heldOf(execute(transient, epoch('e2'), ...joins))).toEqual([]);
  });
});
