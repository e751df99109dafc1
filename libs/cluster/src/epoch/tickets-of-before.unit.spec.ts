import { describe, expect, it } from 'vitest';
import type { ChangeTicket, ClusterCommand } from '../commands/cluster-command.js';
import { decide } from '../commands/decide.js';
import { fencingHold } from '../fencing/fencing-limit.js';
import type { ClusterState } from '../state/cluster-state.js';
import { execute, threeNodes } from '../testing/stream.js';
import { activationHold, untoldTickets } from './activation-hold.js';

const DB = '<primitive id="db" class="ocf" provider="systole" type="Dummy"/>';
const NEEDS = '<rsc_ticket id="t" rsc="db" ticket="siteA"/>';
const epoch = (id: string): ClusterCommand => ({
  ...{ type: 'begin-epoch', clusterId: 'cluster-1', epoch: id, reason: 'yesterday’s copy was put back', by: 'a person' },
});
const joins = ['n1', 'n2', 'n3'].map((node): ClusterCommand => ({ type: 'join-node', node, agentVersion: '1', leaseMs: 5000 }));
const change = (changes: Partial<ChangeTicket>): ClusterCommand => ({ type: 'change-ticket', ticket: 'siteA', ...changes });
const grant = change({ granted: true });

describe('a ticket that was granted when the log went back', () => {
  const before = execute(threeNodes({ resources: DB, constraints: NEEDS }), grant);
  const restored = execute(before, epoch('e2'), ...joins);

  it('holds everything that would be started once all nodes are back, as another site may have it by now', () => {
    expect(activationHold(before, 0)).toBeUndefined();
    expect(activationHold(restored, 0)).toMatchObject({
      nodes: [],
      tickets: ['siteA'],
      reason: expect.stringContaining('systole ticket grant siteA') as string,
    });
  });

  it.each([
    ['granted again', grant],
    ['revoked', change({ granted: false })],
    ['granted again, in standby', change({ granted: true, standby: true })],
  ])('holds nothing once it was %s', (_, command) => {
    expect(activationHold(execute(restored, command), 0)).toBeUndefined();
  });

  it('holds on while somebody only writes attributes of it, puts it in standby or changes another one', () => {
    const told = execute(restored, change({ attributes: { owner: 'a' } }), change({ standby: true }), {
      ...grant,
      ticket: 'siteB',
    } as ClusterCommand);
    expect(untoldTickets(told)).toEqual(['siteA']);
  });

  it('granted again is an event, once', () => {
    const decision = decide(grant, restored);
    expect(decision).toMatchObject({ ok: true, events: [{ type: 'TicketChanged', data: { ticket: 'siteA', granted: true } }] });
    expect(decide(grant, execute(restored, grant))).toMatchObject({ ok: true, events: [] });
  });

  it('is asked for anew by each further epoch', () => {
    expect(untoldTickets(execute(restored, grant, epoch('e3')))).toEqual(['siteA']);
    expect(untoldTickets(execute(restored, epoch('e3')))).toEqual(['siteA']);
  });

  it('is not asked for because of what a node merely says, which it may say again and again', () => {
    const word = { ...epoch('e3'), witness: { epoch: 'lost', version: 99, hash: 'aa' }, by: 'n1' } as ClusterCommand;
    expect(untoldTickets(execute(before, word))).toEqual([]);
    expect(untoldTickets(execute(restored, word))).toEqual(['siteA']);
    expect(untoldTickets(execute(before, { ...word, proven: true } as ClusterCommand))).toEqual(['siteA']);
  });

  it('holds nothing where no constraint needs it, or it was not granted', () => {
    expect(activationHold(execute(threeNodes({ resources: DB }), grant, epoch('e2'), ...joins), 0)).toBeUndefined();
    expect(activationHold(execute(before, change({ granted: false }), epoch('e2'), ...joins), 0)).toBeUndefined();
  });
});

describe('a loss that a node told of first, by its word alone', () => {
  const before = execute(threeNodes({ resources: DB, constraints: NEEDS }), grant);
  const lost = { epoch: 'cluster-1', version: 99, hash: 'aa' };
  const word = { ...epoch('e2'), witness: lost, by: 'n1' } as ClusterCommand;
  const proof = { ...epoch('e3'), witness: lost, by: 'n2', proven: true } as ClusterCommand;
  const told = execute(before, word, ...joins);

  it('asks for the tickets as soon as a sealed head, or what a server had read, proves it; once', () => {
    expect(untoldTickets(told)).toEqual([]);
    const proven = execute(told, proof);
    expect(untoldTickets(proven)).toEqual(['siteA']);
    expect(proven.epoch?.id).toBe('e3');
    expect(decide({ ...proof, epoch: 'e4' } as ClusterCommand, proven)).toEqual({ ok: true, events: [] });
    expect(decide({ ...proof, epoch: 'e4' } as ClusterCommand, execute(proven, grant))).toEqual({ ok: true, events: [] });
  });

  it('is proven as well when further epochs began by mere words meanwhile', () => {
    const again = execute(told, { ...epoch('e4'), witness: { epoch: 'e2', version: 120, hash: 'bb' }, by: 'n3' } as ClusterCommand);
    expect(untoldTickets(execute(again, proof))).toEqual(['siteA']);
  });

  it('is not proven by another word, nor a loss that was certain proven anew', () => {
    expect(decide({ ...word, epoch: 'e4', by: 'n2' } as ClusterCommand, told)).toEqual({ ok: true, events: [] });
    expect(decide({ ...proof, epoch: 'e4' } as ClusterCommand, execute(before, epoch('e2')))).toEqual({ ok: true, events: [] });
    expect(decide({ ...proof, epoch: 'e4' } as ClusterCommand, execute(told, epoch('e5')))).toEqual({ ok: true, events: [] });
  });
});

describe('a ticket that is not granted by a log that went back, where its loss fences nodes', () => {
  const FENCES = '<rsc_ticket id="t" rsc="db" ticket="siteA" loss-policy="fence"/>';
  const before = threeNodes({ resources: DB, constraints: FENCES });
  const restored = execute(before, epoch('e2'), ...joins);
  const hold = (state: ClusterState, target = 'n1') => fencingHold(state, { target, action: 'reboot' }, (_cause, moment) => -moment, 0);

  it('holds the fencing of nodes that hold their lease, until somebody says what it is: it may have been granted in the lost tail', () => {
    expect(hold(before)).toBeUndefined();
    expect(hold(restored)).toMatchObject({
      target: 'n1',
      forMs: Number.POSITIVE_INFINITY,
      reason: expect.stringContaining('systole ticket revoke siteA') as string,
    });
    expect(activationHold(restored, 0)).toBeUndefined();
  });

  it.each([
    ['granted', grant],
    ['revoked, though it is not granted anyhow', change({ granted: false })],
    ['granted, in standby', change({ granted: true, standby: true })],
  ])('holds nothing once it was %s', (_, command) => {
    expect(decide(command, restored)).toMatchObject({ ok: true, events: [{ type: 'TicketChanged' }] });
    expect(hold(execute(restored, command))).toBeUndefined();
  });

  it('is asked for anew by each further epoch', () => {
    const revoked = execute(restored, change({ granted: false }), epoch('e3'), ...joins);
    expect(hold(revoked)).toBeDefined();
    const granted = execute(restored, grant, epoch('e3'), ...joins);
    expect([hold(granted), untoldTickets(granted)]).toEqual([undefined, ['siteA']]);
  });

  it('holds no fencing of a node that is lost, or which a person allowed or asked for', () => {
    const member = restored.nodes['n1'];
    const lost = execute(restored, { type: 'lose-lease', node: 'n1', incarnation: member?.incarnation ?? 0, expiredAt: 'x' });
    expect(hold(lost)).toBeUndefined();
    expect(hold(lost, 'n2')).toBeDefined();
    expect(hold({ ...restored, fencingAllowed: ['n1'] })).toBeUndefined();
    const asked = execute(restored, { type: 'fence-node', node: 'n1' });
    expect(hold(asked)).toBeUndefined();
  });

  it('holds none by the mere word of a node, nor where its loss does something else than to fence', () => {
    const word = { ...epoch('e2'), witness: { epoch: 'lost', version: 99, hash: 'aa' }, by: 'n1' } as ClusterCommand;
    expect(hold(execute(before, word, ...joins))).toBeUndefined();
    expect(hold(execute(threeNodes({ resources: DB, constraints: NEEDS }), epoch('e2'), ...joins))).toBeUndefined();
  });
});
