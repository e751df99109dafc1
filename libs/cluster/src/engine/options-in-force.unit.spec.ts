import { readCib } from '@systole/cib';
import { schedule } from '@systole/scheduler';
import { describe, expect, it } from 'vitest';
import type { ClusterState } from '../state/cluster-state.js';
import { execute, option, threeNodes } from '../testing/stream.js';
import { untilRest } from '../testing/until-rest.js';
import { createEngine } from './engine.js';
import { fenceReaction } from '../fencing/fence-reaction.js';
import { shutdownEscalation } from '../lease/shutdown-escalation.js';
import type { EngineEffect } from './engine-types.js';
import { engineLimits } from './limits.js';

const IDS = ['a', 'b', 'c', 'd', 'e', 'f'];
const MIGRATES = '<meta_attributes id="@-m"><nvpair id="@-m-a" name="allow-migrate" value="true"/></meta_attributes>';
const RESOURCES = IDS.map(
  (id) => `<primitive id="${id}" class="ocf" provider="pacemaker" type="Dummy">${MIGRATES.replaceAll('@', id)}</primitive>`,
).join('');
const ON_N1 = IDS.map((id) => `<rsc_location id="${id}-l" rsc="${id}" node="n1" score="100"/>`).join('');

function cluster(options: string): ClusterState {
  const made = threeNodes({ resources: RESOURCES, constraints: ON_N1, options: option('stonith-enabled', 'false') + options });
  return execute(made, { type: 'change-quorum', quorate: true, votes: 3, expectedVotes: 3 });
}

/** What is handed out at first, as the options in the configuration have it: from the plan on. */
function handedOut(state: ClusterState): readonly Extract<EngineEffect, { readonly type: 'dispatch' }>[] {
  const { graph } = schedule(readCib(state.cib), { now: 1_767_225_600, scores: false });
  const effects = createEngine(graph, engineLimits(graph, state)).step({ type: 'start', now: 0 });
  return effects.filter((effect) => effect.type === 'dispatch');
}

describe('cluster options, from the configuration to what agents are given', () => {
  it('batch-limit: so many actions at a time in the whole cluster', () => {
    expect(handedOut(cluster(''))).toHaveLength(18);
    expect(handedOut(cluster(option('batch-limit', '4')))).toHaveLength(4);
  });

  it('node-action-limit: so many on a node', () => {
    expect(handedOut(cluster(option('node-action-limit', '2')))).toHaveLength(6);
  });

  it('migration-limit: so many live migrations at a time from or to a node', () => {
    const leaving = (options: string): number => {
      const running = untilRest(cluster(options)).state;
      const standby = execute(running, { type: 'set-standby', node: 'n1', standby: true });
      return handedOut(standby).filter(({ action }) => action.operation === 'migrate_to').length;
    };
    expect(leaving('')).toBe(6);
    expect(leaving(option('migration-limit', '2'))).toBe(2);
  });

  it('fence-reaction: what agents do that hear that they count as down', () => {
    expect(fenceReaction(cluster(''))).toBe('stop');
    expect(fenceReaction(cluster(option('fence-reaction', 'panic')))).toBe('panic');
    expect(fenceReaction(cluster(option('fencing-reaction', 'Panic')))).toBe('panic');
  });

  it('shutdown-escalation: how long agents wait that are to end; 0 is for ever', () => {
    expect(shutdownEscalation(cluster(''))).toEqual({ shutdownEscalationMs: 1_200_000 });
    expect(shutdownEscalation(cluster(option('shutdown-escalation', '90s')))).toEqual({ shutdownEscalationMs: 90_000 });
    expect(shutdownEscalation(cluster(option('shutdown-escalation', '0')))).toEqual({});
  });

  it('last-lrm-refresh: whoever writes it has the cluster planned anew', () => {
    const rested = untilRest(cluster('')).state;
    expect(rested.recompute).toBeUndefined();
    const written = execute(rested, { type: 'set-section-value', section: 'crm_config', name: 'last-lrm-refresh', value: '1700000000' });
    expect(written.recompute).toBeDefined();
  });

  it('cluster-delay: so much longer than its time-out an agent is waited for', () => {
    const until = (options: string) => new Set(handedOut(cluster(options)).map(({ expiresAt }) => expiresAt));
    expect(until('')).toEqual(new Set([80_000]));
    expect(until(option('cluster-delay', '5s'))).toEqual(new Set([25_000]));
  });
});
