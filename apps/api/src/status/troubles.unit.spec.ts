import { describe, expect, it } from 'vitest';
import type { NodeDto, StatusDto } from './status.dto.js';
import { troublesOf } from './troubles.js';

const node = (name: string, changes: Partial<NodeDto> = {}): NodeDto => ({
  name,
  id: name,
  kind: 'cluster',
  membership: 'joined',
  online: true,
  unclean: false,
  standby: false,
  maintenance: false,
  pending: false,
  shutdown: false,
  ...changes,
});
type Resource = StatusDto['resources'][number];
const resource = (id: string, failed: boolean, children: readonly Resource[] = []): Resource =>
  ({ id, kind: children.length === 0 ? 'primitive' : 'group', failed, children }) as unknown as Resource;
const nodes = (count: number, changes: Partial<NodeDto> = {}) =>
  Array.from({ length: count }, (_, index) => node(`n${index + 1}`, changes));
const failure = { resource: 'db', node: 'n1', operation: 'monitor', intervalMs: 0, rc: 1 };

describe('what is wrong', () => {
  it('is that this server could not look, and why where it knows', () => {
    const blind = { nodes: nodes(1), resources: [], failures: [], blindForMs: 7_000 };
    expect(troublesOf(blind)[0]?.text).toMatch(
      /^this server could not look for 7 s .*: the database does not answer, or it has too much to do$/,
    );
    const missing = { ...blind, blindBecause: 'the database lacks the table worker_heartbeats' };
    expect(troublesOf(missing)[0]?.text).toMatch(/leases are judged: the database lacks the table worker_heartbeats$/);
  });

  it('is nothing in a cluster that is well, or that has nothing yet', () => {
    expect(troublesOf({ nodes: nodes(3), resources: [resource('db', false)], failures: [] })).toEqual([]);
    expect(troublesOf({ nodes: [], resources: [], failures: [] })).toEqual([]);
  });

  it('is that services are down: after what failed, before what somebody should look at', () => {
    const down = [
      { code: 'resources-down', level: 'bad', text: '1 resource should run, and does not: db' },
      { code: 'devices-down', level: 'warn', text: '1 fence device should run, and does not: f' },
    ] as const;
    const given = { nodes: nodes(3), resources: [resource('web', true)], failures: [failure], down };
    expect(troublesOf(given).map(({ code }) => code)).toEqual(['failed-resources', 'resources-down', 'devices-down', 'failed-operations']);
  });

  it('tells of events that the state does not show in full', () => {
    const problems = [
      { version: 3, text: 'there is no op x' },
      { version: 9, text: 'there is no op y' },
    ];
    expect(troublesOf({ nodes: nodes(3), resources: [], failures: [], problems })).toEqual([
      { code: 'unapplied-events', level: 'warn', text: '2 events could not be applied in full; the newest is version 9: there is no op y' },
    ]);
  });

  it('names a node that keeps the cluster from completing anything', () => {
    const disturbances = { n1: { count: 4, reason: 'n1 joined' }, n2: { count: 5, reason: 'attribute a of n2 changed' } };
    expect(troublesOf({ nodes: nodes(3), resources: [], failures: [], disturbances })).toEqual([
      {
        code: 'kept-busy',
        level: 'warn',
        text: 'what n2 reports has called off 5 transitions since one was last completed, the last time: attribute a of n2 changed',
      },
    ]);
  });

  it('begins with that nobody moves the cluster', () => {
    const lapsed = [{ node: 'n1', forMs: 62_900 }];
    const told = troublesOf({ nodes: nodes(3), resources: [], failures: [failure], workersSilentForMs: 61_000, lapsed });
    expect(told.map(({ code, level }) => [code, level])).toEqual([
      ['no-worker', 'bad'],
      ['lease-unjudged', 'bad'],
      ['failed-operations', 'warn'],
    ]);
    expect(told[0]?.text).toBe('no worker was heard of for 61 s: nothing is planned, fenced or recovered until one is started');
    expect(told[1]?.text).toBe('the lease of n1 ran out 62 s ago and nobody has acted');
  });

  it('is listed with the worst first, by names while they are few', () => {
    const status = {
      nodes: [node('n1'), node('n2', { online: false, unclean: true }), node('n3', { online: false })],
      quorum: { quorate: false, votes: 1, expectedVotes: 3 },
      resources: [resource('g', true, [resource('ip', false), resource('db', true)])],
      failures: [failure],
    };
    expect(troublesOf(status)).toEqual([
      { code: 'unclean-nodes', level: 'bad', text: 'unclean: n2' },
      { code: 'no-quorum', level: 'bad', text: 'no quorum: 1 of 3 votes' },
      { code: 'failed-resources', level: 'bad', text: 'failed: db' },
      { code: 'nodes-offline', level: 'warn', text: 'offline: n2, n3' },
      { code: 'failed-operations', level: 'warn', text: '1 failed operation' },
    ]);
  });

  it('does not call stopped what goes on, as long as nothing is planned', () => {
    const quorum = { quorate: false, votes: 1, expectedVotes: 3, policy: 'stop' } as const;
    const text = (planningHeld?: string) => troublesOf({ nodes: nodes(3), quorum, resources: [], failures: [], planningHeld })[0]?.text;
    expect(text()).toBe('no quorum: 1 of 3 votes; no-quorum-policy is stop: what runs is stopped, and nothing is started');
    expect(text('waiting for n2, n3 to join')).toBe(
      'no quorum: 1 of 3 votes; no-quorum-policy is stop, but nothing is planned yet, and nothing changed: waiting for n2, n3 to join',
    );
  });

  it('names nodes in maintenance', () => {
    const status = { nodes: [node('n1', { maintenance: true }), node('n2')], resources: [], failures: [] };
    expect(troublesOf(status)).toEqual([{ code: 'nodes-maintenance', level: 'warn', text: 'in maintenance: n1' }]);
  });

  it('is counted when it is much', () => {
    const status = { nodes: [...nodes(4, { online: false }), ...nodes(28)], resources: [], failures: [failure, failure] };
    expect(troublesOf(status).map(({ text }) => text)).toEqual(['offline: 4 of 32 nodes', '2 failed operations']);
  });

  it('is not that the agents of a new cluster are not started yet', () => {
    const never = { online: false, unclean: true, membership: 'unknown' } as const;
    expect(troublesOf({ nodes: nodes(3, never), resources: [], failures: [] })).toEqual([
      { code: 'nobody-joined', level: 'warn', text: 'n1, n2, n3 never joined: nothing is done before the first agent is started' },
    ]);
    const started = [node('n1'), node('n2', never)];
    expect(troublesOf({ nodes: started, resources: [], failures: [] }).map(({ code }) => code)).toEqual(['unclean-nodes', 'nodes-offline']);
  });

  it('is at its worst where no node is online', () => {
    const troubles = troublesOf({ nodes: nodes(2, { online: false }), resources: [], failures: [] });
    expect(troubles).toEqual([{ code: 'no-node-online', level: 'bad', text: 'no node is online' }]);
  });
});
