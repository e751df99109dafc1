import type { components } from '@systole/api-client';
import { describe, expect, it } from 'vitest';
import { headlineOf, healthOf } from './activity.js';
import { placementRows } from './placement-table.js';

type Status = components['schemas']['StatusDto'];
type Resource = components['schemas']['ResourceSummaryDto'];

const node = (name: string, online = true): Status['nodes'][number] => ({
  name,
  id: name,
  kind: 'cluster',
  membership: online ? 'joined' : 'down',
  online,
  unclean: false,
  standby: false,
  maintenance: false,
  pending: false,
  shutdown: false,
});

const resource = (id: string, given: Partial<Resource> = {}): Resource => ({
  id,
  kind: 'primitive',
  managed: true,
  failed: false,
  blocked: false,
  removed: false,
  role: 'Started',
  nextRole: 'Started',
  activeOn: ['a'],
  assignedTo: 'a',
  children: [],
  ...given,
});

const status = (given: Partial<Status> = {}): Status => ({
  clusterId: 'c',
  name: 'demo',
  version: 1,
  settled: true,
  health: 'good',
  counts: {
    nodes: { total: 0, online: 0, unclean: 0, pending: 0, offline: 0, standby: 0, maintenance: 0, shutdown: 0 },
    resources: { total: 0, started: 0, stopped: 0, unknown: 0, promoted: 0, disabled: 0, failed: 0, blocked: 0, unmanaged: 0 },
  },
  troubles: [],
  quorum: { quorate: true, votes: 2, expectedVotes: 2 },
  nodes: [node('a'), node('b')],
  resources: [],
  failures: [],
  degraded: [],
  failCounts: [],
  fencing: [],
  safety: [],
  messages: [],
  tickets: [],
  findings: { count: 0, items: [] },
  ...given,
});

describe('placementRows', () => {
  it('has a cell for each node, with the role where the resource is active', () => {
    const [row] = placementRows(status({ resources: [resource('db')] }));
    expect(row?.cells).toEqual([
      { node: 'a', role: 'Started', failed: false, uncertain: false },
      { node: 'b', failed: false, uncertain: false },
    ]);
  });

  it('shows a move as a plan at both ends', () => {
    const [row] = placementRows(status({ resources: [resource('db', { assignedTo: 'b' })] }));
    expect(row?.cells).toEqual([
      { node: 'a', role: 'Started', failed: false, uncertain: false, planned: 'Stopped' },
      { node: 'b', failed: false, uncertain: false, planned: 'Started' },
    ]);
  });

  it('shows a promotion where the resource is', () => {
    const promoted = resource('db', { role: 'Unpromoted', nextRole: 'Promoted' });
    expect(placementRows(status({ resources: [promoted] }))[0]?.cells[0]).toMatchObject({ role: 'Unpromoted', planned: 'Promoted' });
  });

  it('does not vouch for what an unclean node runs', () => {
    const nodes = [{ ...node('a', false), unclean: true }];
    expect(placementRows(status({ nodes, resources: [resource('db')] }))[0]?.cells[0]).toMatchObject({ role: 'Started', uncertain: true });
  });

  it('does not call inactive what nobody has looked for', () => {
    const unknown = resource('db', { role: 'Unknown', nextRole: 'Unknown', activeOn: [], unknownOn: ['b'] });
    expect(placementRows(status({ resources: [unknown] }))[0]?.cells).toEqual([
      { node: 'a', failed: false, uncertain: false },
      { node: 'b', failed: false, uncertain: false, unknown: true },
    ]);
  });

  it('puts the members of a group below it', () => {
    const group = resource('g', { kind: 'group', activeOn: [], children: [resource('ip'), resource('web')] });
    const rows = placementRows(status({ resources: [group] }));
    expect(rows.map(({ id, depth, cells }) => [id, depth, cells.length])).toEqual([
      ['g', 0, 0],
      ['ip', 1, 2],
      ['web', 1, 2],
    ]);
  });

  it('does not promise a start that is held', () => {
    const held = resource('db', { role: 'Unknown', activeOn: [], assignedTo: 'b', held: 'it may still run on a' });
    const [row] = placementRows(status({ resources: [held] }));
    expect(row?.cells[1]).toEqual({ node: 'b', failed: false, uncertain: false });
    expect(row?.notes).toEqual(['waits to be Started on b, because it may still run on a']);
  });

  it('keeps instances of a clone apart that have the same id', () => {
    const clone = resource('c', {
      kind: 'clone',
      activeOn: [],
      children: [resource('x'), resource('x', { activeOn: ['b'], assignedTo: 'b' })],
    });
    const keys = placementRows(status({ resources: [clone] })).map(({ key }) => key);
    expect(new Set(keys).size).toBe(3);
  });

  it('shows failures and what is out of the ordinary', () => {
    const failed = resource('db', { failed: true, managed: false, blocked: true });
    const failCounts = [{ resource: 'db', node: 'b', operation: 'monitor', intervalMs: 0, count: '2' }];
    const [row] = placementRows(status({ resources: [failed], failCounts }));
    expect(row?.notes).toEqual(['unmanaged', 'blocked']);
    expect(row?.cells).toEqual([
      { node: 'a', role: 'Started', failed: true, uncertain: false },
      { node: 'b', failed: false, uncertain: false, failCount: '2' },
    ]);
  });
});

const NO_QUORUM = { code: 'no-quorum', level: 'bad', text: 'no quorum: 0 of 2 votes' } as const;
const OFFLINE = { code: 'nodes-offline', level: 'warn', text: 'offline: b' } as const;

describe('healthOf', () => {
  it('says the worst, which the server puts first', () => {
    expect(healthOf(status())).toEqual({ mood: 'good', text: 'healthy' });
    expect(healthOf(status({ troubles: [OFFLINE] }))).toEqual({ mood: 'warn', text: 'offline: b' });
    expect(healthOf(status({ troubles: [NO_QUORUM, OFFLINE] }))).toEqual({ mood: 'bad', text: 'no quorum: 0 of 2 votes' });
  });
});

describe('headlineOf', () => {
  it('tells what runs, what is waited for, or that nothing is going on', () => {
    expect(headlineOf(status())).toEqual({ mood: 'calm', text: 'Settled' });
    expect(headlineOf(status({ troubles: [NO_QUORUM, OFFLINE] }))).toEqual({
      mood: 'bad',
      text: 'Nothing in progress; no quorum: 0 of 2 votes; offline: b',
    });
    const transition = { number: 3, status: 'aborting' as const, abortReason: 'db failed', ended: 1, failed: 1 };
    expect(headlineOf(status({ settled: false, transition }))).toEqual({
      mood: 'busy',
      text: 'Transition 3 aborting (db failed): 1 ended, 1 not as expected',
    });
    expect(headlineOf(status({ settled: false, transition, troubles: [OFFLINE] })).text).toBe(
      'Transition 3 aborting (db failed): 1 ended, 1 not as expected; offline: b',
    );
    expect(headlineOf(status({ settled: false, hold: 'nodes may still join' })).mood).toBe('waiting');
    const maintenance = { code: 'maintenance-mode', level: 'warn', text: 'maintenance: nothing is started' } as const;
    expect(headlineOf(status({ troubles: [maintenance, OFFLINE] }))).toEqual({
      mood: 'warn',
      text: 'Maintenance: nothing is started; offline: b',
    });
  });
});
