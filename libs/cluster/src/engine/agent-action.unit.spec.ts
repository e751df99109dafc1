import { describe, expect, it } from 'vitest';
import { threeNodes } from '../testing/stream.js';
import type { GraphAction } from '@systole/scheduler';
import { actionIdOf, isOfTransition, toAgentAction, type ActionContext, type AgentAction } from './agent-action.js';
import { crmEventOf } from './engine.js';
import type { KnownTraits } from './known-traits.js';
import { graphOf } from './testing/scenario.js';

const primitive = (id: string, operations: string): string =>
  `<primitive id="${id}" class="ocf" provider="systole" type="Dummy"><operations>${operations}</operations></primitive>`;

/** The time-outs that come with a start of `db`, for stopping it without the server. */
function stoppingTimes(resources: string, more = ''): Pick<AgentAction, 'stopTimeoutMs' | 'demoteTimeoutMs'> {
  const [synapse] = graphOf(['1 start db n1']).synapses;
  if (synapse === undefined) throw new Error('the graph is empty');
  const { stopTimeoutMs, demoteTimeoutMs } = toAgentAction(synapse.action, {
    epoch: 'c',
    transition: 1,
    cib: threeNodes({ resources, more }).cib,
    now: 0,
  });
  return { ...(stopTimeoutMs === undefined ? {} : { stopTimeoutMs }), ...(demoteTimeoutMs === undefined ? {} : { demoteTimeoutMs }) };
}

function stopTimeout(resources: string, more = ''): number | undefined {
  return stoppingTimes(resources, more).stopTimeoutMs;
}

describe('what an agent is asked to do', () => {
  it('tells how long a stop of the resource may take, as it is configured at this moment', () => {
    const stop = '<op id="s" name="stop" interval="0s" timeout="2min"/>';
    expect(stopTimeout(primitive('db', stop))).toBe(120_000);
    expect(stopTimeout(primitive('db', ''))).toBe(20_000);
    expect(stopTimeout('')).toBe(20_000);
    const defaults = '<op_defaults><meta_attributes id="od"><nvpair id="od-t" name="timeout" value="40s"/></meta_attributes></op_defaults>';
    expect(stopTimeout(primitive('db', ''), defaults)).toBe(40_000);
    expect(stopTimeout(primitive('db', stop), defaults)).toBe(120_000);
    const template = `<template id="t" class="ocf" provider="systole" type="Dummy"><operations>${stop}</operations></template>`;
    expect(stopTimeout(`${template}<primitive id="db" template="t"/>`)).toBe(120_000);
  });

  it('tells how long a demote may take, of what can be promoted', () => {
    const db = primitive('db', '<op id="d" name="demote" interval="0s" timeout="90s"/>');
    const clone = (promotable: string): string =>
      `<clone id="c"><meta_attributes id="m"><nvpair id="p" name="promotable" value="${promotable}"/></meta_attributes>${db}</clone>`;
    expect(stoppingTimes(clone('true'))).toEqual({ stopTimeoutMs: 20_000, demoteTimeoutMs: 90_000 });
    for (const resources of [clone('false'), db]) expect(stoppingTimes(resources)).toEqual({ stopTimeoutMs: 20_000 });
  });

  const asked = (line: string, change: Partial<GraphAction> = {}, more: Pick<ActionContext, 'traits'> = {}) => {
    const [synapse] = graphOf([line]).synapses;
    if (synapse === undefined) throw new Error('the graph is empty');
    return toAgentAction({ ...synapse.action, ...change }, { epoch: 'c', transition: 7, cib: threeNodes().cib, now: 0, ...more });
  };

  it('names the action, the transition, what is expected and the log', () => {
    expect(asked('3 monitor db n1 op_target_rc=7')).toMatchObject({
      actionId: 'c:7:3',
      kind: 'operation',
      operation: 'monitor',
      transitionKey: '3:7:7:c',
      expectedRc: 7,
    });
    expect(asked('3 cancel db n1').kind).toBe('cancel');
  });

  it('parts what is for the agent from what is about the operation', () => {
    const { parameters, meta } = asked('1 start db n1', {
      attributes: { CRM_meta_timeout: '20000', crm_feature_set: '3.20.5', ip: '10.0.0.1', my_CRM_meta_x: 'own' },
      params: [{ name: '2nd', value: 'digit' }],
    });
    expect(meta).toEqual({ CRM_meta_timeout: '20000', crm_feature_set: '3.20.5' });
    expect(parameters).toEqual({ ip: '10.0.0.1', my_CRM_meta_x: 'own', '2nd': 'digit' });
  });

  it('asks for what the meta-data say where nobody has described the agent, of what a later plan compares by it', () => {
    const isAsked = (line: string, traits: KnownTraits | undefined, change: Partial<GraphAction> = {}): boolean => {
      const { undescribed } = asked(line, change, traits === undefined ? {} : { traits });
      return undescribed === true;
    };
    const unknown: KnownTraits = () => undefined;
    for (const operation of ['start', 'promote', 'migrate_from', 'reload-agent', 'monitor'])
      expect(isAsked(`1 ${operation} db n1`, unknown), operation).toBe(true);
    for (const operation of ['stop', 'demote', 'notify', 'migrate_to', 'cancel'])
      expect(isAsked(`1 ${operation} db n1`, unknown), operation).toBe(false);
    expect(isAsked('1 monitor db n1 interval=10000', unknown)).toBe(false);
    expect(isAsked('1 start db n1', () => ({ secret: [] }))).toBe(false);
    expect(isAsked('1 start web n1', unknown, { primitive: { id: 'web', class: 'systemd', type: 'nginx' } })).toBe(false);
    expect(isAsked('1 start db n1', undefined), 'where no agent is asked anything').toBe(false);
  });

  it('says where a migration comes from and goes to, and a delay, only where there is one', () => {
    expect(asked('1 migrate_to db n1 migrate_source=n1 migrate_target=n2 start_delay=3000')).toMatchObject({
      migrateSource: 'n1',
      migrateTarget: 'n2',
      startDelayMs: 3_000,
    });
    for (const key of ['migrateSource', 'migrateTarget', 'startDelayMs']) expect(asked('1 start db n1')).not.toHaveProperty(key);
  });

  it('names the provider where the agent has one', () => {
    expect(asked('1 start db n1').resource).toMatchObject({ class: 'ocf', provider: expect.any(String) as string });
    expect(asked('1 start web n1', { primitive: { id: 'web', class: 'systemd', type: 'nginx' } }).resource).toEqual({
      id: 'web',
      historyId: 'web',
      class: 'systemd',
      type: 'nginx',
    });
  });
});

describe('what the cluster itself does about fencing', () => {
  const event = (attributes: Readonly<Record<string, string>>) => {
    const [synapse] = graphOf(['1 fence n3']).synapses;
    if (synapse === undefined) throw new Error('the graph is empty');
    return crmEventOf({ ...synapse.action, attributes });
  };

  it('is a reboot, unless it is off or on', () => {
    const actions = ['off', 'on', 'reboot', 'poweroff'].map((action) => event({ CRM_meta_stonith_action: action }));
    expect(actions.map((one) => one.type === 'fence' && one.action)).toEqual(['off', 'on', 'reboot', 'reboot']);
    expect(event({})).toEqual({ type: 'fence', target: 'n3', targetId: 'n3', action: 'reboot' });
  });

  it('waits for the delay by priority, in seconds', () => {
    expect(event({ CRM_meta_priority_fencing_delay: '15' })).toMatchObject({ delayMs: 15_000 });
    expect(event({ CRM_meta_priority_fencing_delay: '0' })).not.toHaveProperty('delayMs');
  });

  it('carries the digests of what is unfenced, and of nothing else', () => {
    const digests = { CRM_meta_digests_all: 'a', CRM_meta_digests_secure: 's' };
    expect(event({ CRM_meta_stonith_action: 'on', ...digests })).toMatchObject({ digests: { all: 'a', secure: 's' } });
    expect(event({ CRM_meta_stonith_action: 'on', CRM_meta_digests_all: 'a' })).toMatchObject({ digests: { all: 'a', secure: '' } });
    expect(event({ CRM_meta_stonith_action: 'on' })).not.toHaveProperty('digests');
    expect(event({ CRM_meta_stonith_action: 'off', ...digests })).not.toHaveProperty('digests');
  });
});

describe('an id of the present transition', () => {
  it('is made of the epoch, the number and digits', () => {
    expect(isOfTransition(actionIdOf('c', 7, 3), 'c', 7)).toBe(true);
    expect(isOfTransition('c:7:1234567890', 'c', 7)).toBe(true);
  });

  it.each(['c:7:', 'c:7:1e3', 'c:7:-1', 'c:7:zzz', 'c:7:12345678901', 'c:7:1 ', 'c:7:1\n', 'c:7:1:1', 'c:70:1', 'd:7:1', ''])(
    'is not %j',
    (actionId) => {
      expect(isOfTransition(actionId, 'c', 7)).toBe(false);
    },
  );
});
