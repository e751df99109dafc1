import { heldReference, type HeldSecret } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { secretIdsIn, withSecrets } from './action-secrets.js';
import type { AgentAction } from './agent-action.js';

const ID = '0f343b0931126a20f133d67c2b018a3b';
const REFERENCE = heldReference(ID);
const start: AgentAction = {
  actionId: 'e:1:1',
  kind: 'operation',
  transitionKey: '1:1:0:e',
  operation: 'start',
  intervalMs: 0,
  timeoutMs: 1_000,
  expectedRc: 0,
  resource: { id: 'db:0', historyId: 'db', class: 'OCF', provider: 'heartbeat', type: 'pgsql' },
  parameters: { password: REFERENCE, user: 'dba' },
  meta: {},
};
const locked: HeldSecret = { owner: 'db', parameter: 'password', agents: ['ocf:heartbeat:pgsql'] };
const held: HeldSecret = { ...locked, value: 'geheim' };

describe('the secrets of an action', () => {
  it('are given to the agent that they were given for', () => {
    expect(secretIdsIn([start, start])).toEqual([ID]);
    const given = withSecrets(start, { [ID]: held });
    expect(given).toEqual({ ...start, secrets: { [REFERENCE]: 'geheim' } });
    expect(withSecrets({ ...start, parameters: {} }, { [ID]: held })).toEqual({ ...start, parameters: {} });
  });

  it('are given to no other agent and in no other parameter, however the reference came there', () => {
    const printer = { ...start, resource: { ...start.resource, type: 'printer' } };
    expect(withSecrets(printer, { [ID]: held }).withheld?.[REFERENCE]).toMatch(/not told to ocf:heartbeat:printer/);
    const other = { ...start, parameters: { motd: REFERENCE } };
    expect(withSecrets(other, { [ID]: held })).toMatchObject({
      withheld: { [REFERENCE]: expect.stringMatching(/given for password/) as string },
    });
    expect(withSecrets(other, { [ID]: held }).secrets).toBeUndefined();
  });

  it('are withheld when they were erased or are not there, and neither given nor withheld when no key opens them', () => {
    expect(withSecrets(start, { [ID]: { ...locked, erased: true } }).withheld?.[REFERENCE]).toMatch(/erased/);
    expect(withSecrets(start, {}).withheld?.[REFERENCE]).toMatch(/does not have/);
    expect(withSecrets(start, { [ID]: locked })).toEqual(start);
  });

  it('go to a fence agent by its name', () => {
    const fence = {
      fencingId: 'f',
      target: 'n2',
      action: 'off' as const,
      deviceId: 'power',
      agent: 'fence_ipmilan',
      parameters: { password: REFERENCE },
    };
    const order: AgentAction = { ...start, kind: 'fence', parameters: {}, fence };
    expect(withSecrets(order, { [ID]: { ...held, agents: ['stonith:fence_ipmilan'] } }).secrets).toEqual({ [REFERENCE]: 'geheim' });
    expect(withSecrets(order, { [ID]: held }).withheld).toBeDefined();
  });
});
