import type { ElementChange } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import type { ClusterEvent, FencingCompleted, OperationRecorded } from './cluster-event.js';
import { describeEvent } from './describe-event.js';

const operation = (data: Partial<OperationRecorded['data']>): OperationRecorded => ({
  type: 'OperationRecorded',
  data: {
    node: 'alpha',
    incarnation: 1,
    resource: 'db',
    class: 'ocf',
    provider: 'systole',
    agentType: 'Dummy',
    operation: 'monitor',
    intervalMs: 10_000,
    status: 'done',
    rc: 0,
    callId: 4,
    transitionKey: '7:3:0:0f6c2d3e-0000-4000-8000-000000000000',
    lastRcChange: 1,
    execMs: 1,
    queueMs: 0,
    late: false,
    ...data,
  },
});

describe('describeEvent', () => {
  it('tells an operation that went as expected', () => {
    expect(describeEvent(operation({}), 'agent:alpha')).toMatchObject({ text: 'monitor db every 10 s on alpha: ok', mood: 'good' });
  });

  it('tells a failure with its reason', () => {
    expect(describeEvent(operation({ rc: 7, exitReason: 'no process' }), 'agent:alpha')).toMatchObject({
      text: 'monitor db every 10 s on alpha: not running (no process)',
      mood: 'bad',
    });
  });

  it('calls a probe that found what it should routine, and one that found something else news', () => {
    const transitionKey = '7:3:7:0f6c2d3e-0000-4000-8000-000000000000';
    expect(describeEvent(operation({ intervalMs: 0, rc: 7, transitionKey }), 'agent:alpha').routine).toBe(true);
    expect(describeEvent(operation({ intervalMs: 0, rc: 0, transitionKey }), 'agent:alpha')).toMatchObject({
      routine: false,
      mood: 'plain',
    });
  });

  it('names what a change of the configuration touched, the first of it', () => {
    const changed = (...changes: readonly ElementChange[]): string =>
      describeEvent({ type: 'ConfigurationChanged', data: { command: 'edit-configuration', arguments: {}, changes } }, 'user:admin').text;
    const RESOURCES = 'configuration/resources';
    const meta = `${RESOURCES}/group[@id='g']/primitive[@id='db']/meta_attributes[@id='db-meta']`;
    const location = { kind: 'rsc_location', path: 'configuration/constraints' };
    expect(changed()).toBe('configuration changed by user:admin: edit-configuration');
    expect(
      changed({ kind: 'nvpair', id: 'db-meta-x', path: meta, after: '<nvpair/>' }, { ...location, id: 'l1', after: '<rsc_location/>' }),
    ).toBe('configuration changed by user:admin: edit-configuration: ~ primitive db, + location l1');
    const nvpair = { kind: 'nvpair', id: 'opt-x', path: "configuration/crm_config/cluster_property_set[@id='opt']", before: '<nvpair/>' };
    expect(changed(nvpair)).toMatch(/: - nvpair opt-x$/);
    const primitives = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ kind: 'primitive', id, path: RESOURCES, before: '<primitive/>' }));
    expect(changed(...primitives)).toMatch(/: - primitive a, - primitive b, - primitive c, 2 more$/);
    expect(changed({ kind: 'lifetime', id: '', path: "configuration/constraints/rsc_location[@id='l1']", after: '<lifetime/>' })).toMatch(
      /: ~ location l1$/,
    );
  });

  it('tells of a node that left what runs on there, if anything does', () => {
    const left = (active?: readonly string[]): string =>
      describeEvent({ type: 'NodeLeft', data: { node: 'n1', incarnation: 1, ...(active === undefined ? {} : { active }) } }, 'agent:n1')
        .text;
    expect([left(), left([])]).toEqual(['node n1 left', 'node n1 left']);
    expect(left(['db'])).toBe('node n1 left; it runs on there, unmanaged: db');
  });

  describe('of what came of fencing', () => {
    const data = { fencingId: 'f', target: 'n2', action: 'off', device: 'd', executor: 'n1', outcome: 'succeeded' } as const;
    const told = (more: Partial<FencingCompleted['data']>, actor: string) =>
      describeEvent({ type: 'FencingCompleted', data: { ...data, ...more } }, actor);

    it('tells a success of who was asked, and of the server', () => {
      const succeeded = { text: 'fencing of n2 succeeded', mood: 'good' };
      expect(told({}, 'agent:n1')).toMatchObject(succeeded);
      expect(told({ confirmed: true }, 'agent:n1')).toMatchObject(succeeded);
      expect(told({ confirmed: true }, 'worker')).toMatchObject(succeeded);
    });

    it('calls a success of one device of several not done yet', () => {
      expect(told({ confirmed: false }, 'agent:n1')).toMatchObject({
        text: 'fencing of n2 with d, executed by n1, succeeded: not done yet, for another device is left',
        mood: 'plain',
      });
    });

    it.each(['succeeded', 'failed'] as const)('says of whom it counts for nothing that it %s', (outcome) => {
      expect(told({ outcome }, 'agent:n3')).toMatchObject({
        text: `n3 says of the fencing of n2: ${outcome}; n1 was asked, so it counts for nothing`,
        mood: 'bad',
      });
      expect(told({ outcome, executor: 'n3', confirmed: false, unasked: true }, 'agent:n3')).toMatchObject({
        text: `n3 says of the fencing of n2: ${outcome}; it was not asked, or not any more, so it counts for nothing`,
        mood: 'bad',
      });
    });
  });

  it('tells what a transition will do', () => {
    const planned: ClusterEvent = {
      type: 'TransitionPlanned',
      data: {
        number: 4,
        inputVersion: 11,
        now: 1,
        schedulerVersion: '1',
        digest: 'd',
        counts: { actions: 2, pseudo: 0, fencing: 0 },
        trigger: 'alpha joined',
        summary: ['start db on alpha', 'monitor db every 10s on alpha'],
      },
    };
    expect(describeEvent(planned, 'worker')).toEqual({
      text: 'transition 4 planned, because alpha joined',
      details: ['start db on alpha', 'monitor db every 10s on alpha'],
      mood: 'plain',
      routine: false,
    });
  });

  it('names an event that it does not know', () => {
    const unknown = JSON.parse('{"type": "SomethingNew", "data": {}}') as ClusterEvent;
    expect(describeEvent(unknown, 'worker').text).toBe('SomethingNew');
  });
});
