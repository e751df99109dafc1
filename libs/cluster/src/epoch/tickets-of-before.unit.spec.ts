import { describe, expect, it } from 'vitest';
import type { ChangeTicket, ClusterCommand } from '../commands/cluster-command.js';
import { decide } from '../commands/decide.js';
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
