import { describe, expect, it } from 'vitest';
import type { ClusterCommand } from '../commands/cluster-command.js';
import { decide } from '../commands/decide.js';
import { actsForAll } from '../lease/doubtful-boots.js';
import { memberOf } from '../state/cluster-state.js';
import { execute, option, threeNodes } from '../testing/stream.js';
import { activationHold } from './activation-hold.js';

const DB = '<primitive id="db" class="ocf" provider="systole" type="Dummy"/>';
const REMOTE = (id: string): string => `<primitive id="${id}" class="ocf" provider="pacemaker" type="remote"/>`;
const GUEST =
  '<primitive id="vm" class="ocf" provider="systole" type="Dummy"><meta_attributes id="m"><nvpair id="g" name="remote-node" value="r4"/></meta_attributes></primitive>';
const epoch: ClusterCommand = {
  type: 'begin-epoch',
  clusterId: 'cluster-1',
  epoch: 'e2',
  reason: 'yesterday’s copy was put back',
  by: 'a person',
};
const joins = ['n1', 'n2', 'n3'].map((node): ClusterCommand => ({ type: 'join-node', node, agentVersion: '1', leaseMs: 5000 }));
const joinOfRemote = {
  type: 'join-node',
  node: 'r4',
  agentVersion: '1',
  leaseMs: 5000,
  bootId: 'boot-r4',
  remote: true,
  active: ['db'],
} as const;
const noted = (active?: readonly string[]): ClusterCommand => ({
  ...{ type: 'note-unconfigured', node: 'r4', bootId: 'boot-r4' },
  ...(active === undefined ? {} : { active }),
});
const hold = (state: Parameters<typeof activationHold>[0]) => activationHold(state, 0)?.nodes;

describe('a remote node that was configured in the lost tail of the log', () => {
  const restored = execute(threeNodes({ resources: DB }), epoch, ...joins);
  const asked = execute(restored, noted(['db']));

  it('is refused, and waited for, as it may run what would be started elsewhere', () => {
    expect(decide(joinOfRemote, restored)).toMatchObject({ ok: false, rejection: { code: 'node-not-found' } });
    expect(hold(restored)).toBeUndefined();
    expect(hold(asked)).toEqual(['r4']);
    expect(hold(execute(restored, noted()))).toEqual(['r4']);
  });

  it('is noted once, and not at all where it says that nothing runs, or the log never went back', () => {
    expect(decide(noted(['db']), asked)).toEqual({ ok: true, events: [] });
    expect(decide(noted([]), restored)).toEqual({ ok: true, events: [] });
    expect(decide(noted(['nothing that is configured']), restored)).toEqual({ ok: true, events: [] });
    expect(decide(noted(['db']), threeNodes({ resources: DB }))).toEqual({ ok: true, events: [] });
  });

  it('is not waited for any more once somebody confirmed that it is down, whoever asks then', () => {
    const down = execute(asked, { type: 'confirm-node-down', node: 'r4' });
    expect(hold(down)).toBeUndefined();
    expect(hold(execute(down, noted(['db'])))).toBeUndefined();
  });

  it.each([
    ['remote', REMOTE('r4')],
    ['guest', GUEST],
  ])('joins as a %s node once it is configured again, with a number that no life of the lost tail had', (kind, resource) => {
    const configured = execute(threeNodes({ resources: DB + resource }), epoch, ...joins);
    const waiting = { ...asked, cib: configured.cib };
    expect(hold(waiting)).toEqual(['r4']);
    const back = execute(waiting, joinOfRemote);
    expect(memberOf(back, 'r4')).toMatchObject({ membership: 'joined', kind });
    expect(memberOf(back, 'r4')?.incarnation).toBeGreaterThan(1_000);
    expect(hold(back)).toBeUndefined();
  });
});

describe('a remote node that was noted before it was configured, and was restarted since', () => {
  const device = '<primitive id="f" class="stonith" type="fence_x"/>';
  const both = DB + device;
  const alone = option('no-quorum-policy', 'ignore');
  const configured = execute(threeNodes({ options: alone, resources: both + REMOTE('r4') }), epoch, ...joins);
  const waiting = { ...execute(threeNodes({ options: alone, resources: both }), epoch, ...joins, noted(['db'])), cib: configured.cib };
  const restarted = { ...joinOfRemote, bootId: 'another boot', active: [], uptimeMs: 30_000, silentMs: 60_000 };

  it('joins, as nothing would ever fence what its agent alone has told of, and what it ran stays in doubt', () => {
    expect(actsForAll(waiting)).toBe(true);
    const back = execute(waiting, restarted);
    expect(memberOf(back, 'r4')).toMatchObject({
      membership: 'joined',
      earlierBoots: ['boot-r4'],
      doubtfulSince: expect.any(Number) as number,
    });
  });

  it('is a second machine where it had begun before, or says that it is another one', () => {
    const code = (command: ClusterCommand, state = waiting) => {
      const decision = decide(command, state);
      return decision.ok ? 'let in' : decision.rejection.code;
    };
    expect(code({ ...restarted, uptimeMs: 600_000 })).toBe('node-joined-elsewhere');
    const known = { ...waiting, nodes: { ...waiting.nodes, r4: { ...waiting.nodes['r4'], machineId: 'm1' } } } as typeof waiting;
    expect(code({ ...restarted, machineId: 'm2' }, known)).toBe('node-joined-elsewhere');
    expect(code({ ...restarted, machineId: 'm1' }, known)).toBe('let in');
  });
});

describe('a deletion that was asked for before the log went back', () => {
  const stopping = execute(threeNodes({ resources: DB }), { type: 'stop-cluster' });
  const restored = execute(stopping, epoch, ...joins);

  it('is of before, until it is asked for again or called off', () => {
    expect(stopping.stopping?.ofBefore).toBeUndefined();
    expect(restored.stopping?.ofBefore).toBe(true);
    const again = execute(restored, { type: 'stop-cluster' });
    expect(again.stopping).toMatchObject({ restore: {} });
    expect(again.stopping?.ofBefore).toBeUndefined();
    expect(execute(restored, { type: 'cancel-stop' }).stopping).toBeUndefined();
  });

  it('asked for again and called off then brings back the option that was there before the first time', () => {
    const off = execute(
      threeNodes({ resources: DB, options: option('stop-all-resources', 'false') }),
      ...([{ type: 'stop-cluster' }, epoch, ...joins, { type: 'stop-cluster' }, { type: 'cancel-stop' }] as const),
    );
    expect(JSON.stringify(off.cib)).not.toContain('"stop-all-resources","value":"true"');
  });
});
