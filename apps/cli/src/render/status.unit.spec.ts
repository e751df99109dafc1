import type { components } from '@systole/api-client';
import { describe, expect, it } from 'vitest';
import { uncoloured } from './paint.js';
import { renderStatus } from './status.js';

type Status = components['schemas']['StatusDto'];
type Node = components['schemas']['NodeDto'];
type Resource = components['schemas']['ResourceSummaryDto'];

const node = (name: string, given: Partial<Node> = {}): Node => ({
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
  ...given,
});

const resource = (id: string, given: Partial<Resource> = {}): Resource => ({
  id,
  kind: 'primitive',
  agent: { class: 'ocf', provider: 'heartbeat', type: 'IPaddr2' },
  managed: true,
  failed: false,
  blocked: false,
  removed: false,
  role: 'Stopped',
  nextRole: 'Stopped',
  activeOn: [],
  children: [],
  ...given,
});

const started = (id: string, on: string): Resource =>
  resource(id, { role: 'Started', nextRole: 'Started', activeOn: [on], assignedTo: on });

const status = (given: Partial<Status>): Status => ({
  clusterId: '0f6c2d3e-0000-4000-8000-000000000000',
  name: 'prod',
  version: 7,
  settled: true,
  health: 'good',
  counts: {
    nodes: { total: 0, online: 0, unclean: 0, pending: 0, offline: 0, standby: 0, maintenance: 0, shutdown: 0 },
    resources: { total: 0, started: 0, stopped: 0, unknown: 0, promoted: 0, disabled: 0, failed: 0, blocked: 0, unmanaged: 0 },
  },
  troubles: [],
  quorum: { quorate: true, votes: 2, expectedVotes: 3 },
  nodes: [],
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

const text = (given: Partial<Status>): string => renderStatus(status(given), uncoloured).join('\n');

describe('renderStatus', () => {
  it('shows nodes and the tree of resources with role and place', () => {
    const service = resource('service', { kind: 'group', children: [started('ip', 'n1'), started('web', 'n1')] });
    delete (service as { agent?: unknown }).agent;
    expect(text({ nodes: [node('n1'), node('node2', { standby: true })], resources: [started('db', 'node2'), service] })).toBe(
      [
        'prod  version 7, settled',
        'Quorum: yes, 2 of 3 votes',
        '',
        'Nodes',
        '  n1     online',
        '  node2  standby',
        '',
        'Resources',
        '  db       ocf:heartbeat:IPaddr2  Started  node2',
        '  service  group',
        '    ip     ocf:heartbeat:IPaddr2  Started  n1',
        '    web    ocf:heartbeat:IPaddr2  Started  n1',
      ].join('\n'),
    );
  });

  it('shows who put a node in standby, when and why', () => {
    const modes = [{ mode: 'standby', by: 'user:alice', at: '2026-01-01T08:00:00.000Z', reason: 'new disks' } as const];
    expect(text({ nodes: [node('n1', { standby: true, modes })] })).toMatch(/n1 {2}standby {2}standby by user:alice at .*: new disks$/m);
  });

  it('shows how many actions the agent of a node carries out at a time, where it told that', () => {
    const nodes = [
      node('n1', { actionLimit: 32 }),
      node('n2', { actionLimit: 1 }),
      node('n3', { actionLimit: 8, membership: 'left', online: false }),
    ];
    const shown = text({ nodes });
    expect(shown).toMatch(/n1 {2}online +at most 32 actions at a time$/m);
    expect(shown).toMatch(/n2 {2}online +at most 1 action at a time$/m);
    expect(shown).toMatch(/n3 {2}offline {2}left in good order$/m);
  });

  it('says how far a transition is, out of how much', () => {
    const past = { number: 4, status: 'running', ended: 104, failed: 0, actions: 9_000 } as const;
    const transition = { ...past, inFlight: 96 };
    expect(text({ settled: false, transition })).toContain(
      'transition 4 running: 104 of 9000 actions ended, 0 not as expected, 96 in flight, 8800 to come',
    );
    const aborting = { ...transition, status: 'aborting', abortReason: 'n2 was lost', failed: 1 } as const;
    expect(text({ settled: false, transition: aborting })).toContain(
      'transition 4 aborting (n2 was lost): 104 of 9000 actions ended, 1 not as expected, 96 in flight, 8800 not begun',
    );
    const awaited = { node: 'n2', count: 3, undelivered: 0, actions: ['db_start_0'], text: 'n2 (db_start_0 and 2 more, 45 s)' };
    const slow = { ...transition, waitsFor: [{ ...awaited, forSeconds: 45 }] };
    expect(text({ settled: false, transition: slow })).toContain('8800 to come, waits for n2 (db_start_0 and 2 more, 45 s)');
    expect(text({ settled: false, transition: { ...slow, waitsFor: [{ ...awaited, forSeconds: 9 }] } })).not.toContain('waits for');
    // Of the past it is not known what was in flight.
    expect(text({ settled: false, transition: past })).toContain('104 of 9000 actions ended, 0 not as expected\n');
  });

  it('shows whether a node was fenced or confirmed down, by whom and why', () => {
    const at = '2026-01-01T08:00:00.000Z';
    const down = (modes?: Node['modes']): string => {
      const more = modes === undefined ? {} : { modes };
      return text({ nodes: [node('n1', { online: false, membership: 'down', since: at, ...more })] });
    };
    expect(down([{ mode: 'confirmed-down', by: 'user:alice', at, reason: 'no power' }])).toMatch(
      /n1 {2}offline {2}confirmed down by user:alice at [^,]*: no power$/m,
    );
    expect(down([{ mode: 'fenced', by: 'agent:n2', at }])).toMatch(/n1 {2}offline {2}fenced by agent:n2 at [^,:]*[^,]*$/m);
    expect(down()).toContain('fenced or confirmed down at');
  });

  it('shows where the scheduler wants a resource that is elsewhere', () => {
    const moving = resource('db', { role: 'Started', nextRole: 'Started', activeOn: ['n1'], assignedTo: 'n2' });
    const stopping = resource('ip', { role: 'Started', nextRole: 'Stopped', activeOn: ['n1'] });
    const stopped = resource('off');
    const shown = text({ resources: [moving, stopping, stopped] });
    expect(shown).toMatch(/db .* n1 +→ Started on n2$/m);
    expect(shown).toMatch(/ip .* n1 +→ Stopped$/m);
    expect(shown).toMatch(/off .* Stopped$/m);
  });

  it('does not call stopped what nobody has looked for', () => {
    const unknown = (id: string, unknownOn: string[]): Resource => resource(id, { role: 'Unknown', nextRole: 'Unknown', unknownOn });
    const probed = resource('ip', { role: 'Unknown', nextRole: 'Started', assignedTo: 'n1', unknownOn: ['n1', 'n2'] });
    const shown = text({ resources: [unknown('db', ['n1']), unknown('web', ['a', 'b', 'c', 'd']), probed] });
    expect(shown).toMatch(/db .* Unknown +not known yet whether it runs on n1$/m);
    expect(shown).toMatch(/web .* not known yet whether it runs on 4 nodes$/m);
    expect(shown).toMatch(/ip .* not known yet whether it runs on n1, n2, → Started on n1$/m);
  });

  it('says what is wrong: lost quorum, unclean nodes, failures, fencing, reduced safety', () => {
    const shown = text({
      settled: false,
      quorum: { quorate: false, votes: 1, expectedVotes: 3 },
      transition: { number: 4, status: 'running', ended: 2, failed: 1 },
      nodes: [node('n1', { online: false, unclean: true, membership: 'lost' })],
      resources: [
        resource('db', { failed: true, managed: false, role: 'Started', nextRole: 'Started', activeOn: ['n1'], assignedTo: 'n1' }),
      ],
      failures: [{ resource: 'db', node: 'n1', operation: 'monitor', intervalMs: 10_000, rc: 7, exitReason: 'no process' }],
      failCounts: [{ resource: 'db', node: 'n1', operation: 'monitor', intervalMs: 10_000, count: '2' }],
      fencing: [{ target: 'n1', action: 'reboot', device: 'ipmi', executor: 'n2', attempt: 1 }],
      safety: [{ code: 'fencing-disabled', text: 'fencing is off' }],
    });
    expect(shown).toContain('transition 4 running: 2 ended, 1 not as expected');
    expect(shown).toContain('Quorum: NO, 1 of 3 votes');
    expect(shown).toContain('n1  UNCLEAN  its lease ran out');
    expect(shown).toMatch(/db .*FAILED, unmanaged/);
    expect(shown).toContain('db  monitor every 10 s on n1  rc 7  no process');
    expect(shown).toContain('db  monitor every 10 s on n1  2');
    expect(shown).toContain('n1: reboot with ipmi, executed by n2, attempt 1');
    expect(shown).toContain('fencing is off');
  });

  it('never calls busy or settled what nobody moves', () => {
    const noWorker = { code: 'no-worker', level: 'bad', text: 'no worker was heard of for 61 s' } as const;
    const lapsed = { code: 'lease-unjudged', level: 'bad', text: 'the lease of n1 ran out 62 s ago' } as const;
    expect(text({ settled: false, recompute: 'configuration', troubles: [noWorker] })).toContain('version 7, STANDS STILL: NO WORKER');
    expect(text({ settled: false, troubles: [lapsed] })).toContain('version 7, STANDS STILL\n');
    const unplanned = { code: 'planning-failed', level: 'bad', text: 'nothing is planned since 08:00' } as const;
    expect(text({ settled: false, recompute: 'configuration', troubles: [unplanned] })).toContain('version 7, CAN NOT BE PLANNED\n');
  });

  it('begins with maintenance of the cluster, and with that nothing is managed, and says neither twice', () => {
    const maintenance = { code: 'maintenance-mode', level: 'warn', text: 'maintenance: nothing is started, stopped or monitored' } as const;
    const offline = { code: 'nodes-offline', level: 'warn', text: 'offline: n2' } as const;
    expect(text({ troubles: [maintenance] })).toMatch(/^prod {2}version 7, maintenance: nothing is started, stopped or monitored\nQuorum/);
    const transition = { number: 4, status: 'running', ended: 2, failed: 0 } as const;
    expect(text({ settled: false, transition, troubles: [maintenance, offline] })).toMatch(
      /^prod .* monitored; transition 4 running: 2 ended, 0 not as expected\nLOOK AT: offline: n2\n/,
    );
    const unmanaged = { code: 'nothing-managed', level: 'bad', text: 'nothing is managed: no device' } as const;
    expect(text({ troubles: [unmanaged] })).toMatch(/^prod {2}version 7, NOTHING IS MANAGED: NO DEVICE\nQuorum/);
  });

  it('does not promise a start that is held', () => {
    const held = resource('db', {
      role: 'Unknown',
      nextRole: 'Started',
      assignedTo: 'n2',
      unknownOn: ['n1'],
      held: 'it may still run on n1',
    });
    const transition = { number: 15, status: 'running', ended: 0, failed: 0 } as const;
    const shown = text({ settled: false, transition, hold: 'db is not started elsewhere', resources: [held] });
    expect(shown).toMatch(/^prod .* transition 15 running: 0 ended, 0 not as expected; waiting: db is not started elsewhere\n/);
    expect(shown).toMatch(/db .* whether it runs on n1, waits to be Started on n2, because it may still run on n1$/m);
    expect(shown).not.toContain('→');
  });

  it('says first what is wrong, and calls nothing settled above that', () => {
    const troubles = [
      { code: 'no-quorum', level: 'bad', text: 'no quorum: 0 of 1 votes' },
      { code: 'no-node-online', level: 'bad', text: 'no node is online' },
    ] as const;
    const lines = text({ troubles: [...troubles] }).split('\n');
    expect(lines.slice(0, 2)).toEqual(['prod  version 7, NOTHING IN PROGRESS', 'WRONG: no quorum: 0 of 1 votes; no node is online']);
    const offline = { code: 'nodes-offline', level: 'warn', text: 'offline: n2' } as const;
    expect(text({ troubles: [offline] })).toMatch(/^prod {2}version 7, nothing in progress\nLOOK AT: offline: n2\n/);
    expect(text({ troubles: [...troubles, offline] })).toContain('no node is online\nLOOK AT: offline: n2\n');
  });

  it('says that it is of the past, and what nobody knows of then', () => {
    const past = { at: '2026-01-01T08:00:00.000Z', unknown: ['leases', 'actions-in-flight'] } as const;
    expect(text({ past: { ...past, unknown: [...past.unknown] } }).split('\n')[1]).toMatch(
      /^AS OF .*, not now\. Nobody knows of then: leases, actions in flight$/,
    );
  });

  it('sums up what is ordinary of many nodes and resources, and names the rest', () => {
    const nodes = Array.from({ length: 1_000 }, (_, index) =>
      node(`n${index}`, index % 400 === 7 ? { online: false, membership: 'lost', wrong: ['offline'] } : {}),
    );
    const resources = Array.from({ length: 2_000 }, (_, index) => started(`r${index}`, 'n1'));
    const group = resource('g', {
      kind: 'group',
      children: [started('fine', 'n1'), resource('ill', { failed: true, wrong: ['failed'], role: 'Started', nextRole: 'Started' })],
    });
    const base = status({}).counts;
    const counts = {
      nodes: { ...base.nodes, total: 1_000, online: 997, offline: 3 },
      resources: { ...base.resources, total: 2_002, started: 2_002, failed: 1 },
    };
    const large = { nodes, resources: [...resources, group], counts };
    const lines = text(large).split('\n');
    expect(lines.length).toBeLessThan(20);
    expect(lines).toContain('Nodes: 1000, 997 online, 3 offline');
    expect(lines.filter((line) => /^ {2}n\d+ +offline/.test(line)).map((line) => line.trim().split(' ')[0])).toEqual([
      'n7',
      'n407',
      'n807',
    ]);
    expect(lines).toContain('Resources: 2002, 2002 started, 1 failed');
    expect(lines.slice(-2)).toEqual(['  g      group', expect.stringMatching(/^ {4}ill .*FAILED/)]);
    expect(renderStatus(status(large), uncoloured, { all: true }).length).toBeGreaterThan(3_000);
    const lost = nodes.map((one) => ({ ...one, online: false, wrong: ['offline' as const] }));
    expect(text({ nodes: lost, counts }).split('\n').slice(-2)).toEqual([expect.stringMatching(/^ {2}n29 /), '  … and 970 more (--all)']);
  });

  it('shows a bundle by replica, with what each consists of', () => {
    const part = (id: string): Resource => started(id, 'n1');
    const replica = (number: number, more: object = {}): NonNullable<Resource['replicas']>[number] => ({
      number,
      role: 'Started',
      activeOn: ['n1'],
      failed: false,
      parts: { container: `b-podman-${number}`, resource: `app:${number}` },
      ...more,
    });
    const bundle = resource('b', {
      kind: 'bundle',
      replicas: [replica(0, { ipAddress: '192.0.2.10' }), replica(1, { role: 'Stopped', activeOn: [], failed: true })],
      children: [resource('b-clone', { kind: 'clone', children: [part('app:0'), part('app:1')] }), part('b-podman-0'), part('b-podman-1')],
    });
    expect(
      text({ resources: [bundle] })
        .split('\n')
        .slice(-7)
        .map((line) => line.replace(/ +/g, ' ')),
    ).toEqual([
      ' b bundle',
      ' replica 0 192.0.2.10 Started n1',
      ' b-podman-0 ocf:heartbeat:IPaddr2 Started n1',
      ' app:0 ocf:heartbeat:IPaddr2 Started n1',
      ' replica 1 Stopped FAILED',
      ' b-podman-1 ocf:heartbeat:IPaddr2 Started n1',
      ' app:1 ocf:heartbeat:IPaddr2 Started n1',
    ]);
  });

  it('says of what is down whether it should run', () => {
    const shown = text({ resources: [resource('off', { disabled: true }), resource('down', { wrong: ['stopped'] })] });
    expect(shown).toMatch(/off .* Stopped +disabled$/m);
    expect(shown).toMatch(/down .* Stopped +should run, and does not$/m);
  });

  it('shows tickets, and what waits for one', () => {
    const tickets = [
      { id: 'here', granted: true, standby: false, lastGranted: '2026-01-02T03:04:05.000Z', constraints: ['t'] },
      { id: 'there', granted: false, standby: false, constraints: [] },
    ];
    const shown = text({ tickets, resources: [resource('db', { waitsFor: 'ticket there' })] });
    expect(shown).toMatch(/db .* Stopped +waits for ticket there$/m);
    expect(shown).toMatch(/^Tickets\n {2}here +granted +last granted .*\n {2}there +not granted +never granted$/m);
    expect(text({})).not.toContain('Tickets');
  });
});
