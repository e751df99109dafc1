import { describe, expect, it } from 'vitest';
import { planningHold } from '../lease/planning-hold.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { activationHold } from '../epoch/activation-hold.js';
import { fencingHold } from '../fencing/fencing-limit.js';
import { requestedFencing } from '../fencing/requested-fencing.js';
import { append, execute, option, planned, threeNodes } from '../testing/stream.js';
import type { JoinNode } from './agent-command.js';
import { decide } from './decide.js';
import { secondBootOf } from './second-machine.js';

const join = (bootId: string, machineId?: string): JoinNode => ({
  type: 'join-node',
  node: 'n1',
  agentVersion: '1',
  leaseMs: 5000,
  bootId,
  ...(machineId === undefined ? {} : { machineId }),
});
const lose = { type: 'lose-lease', node: 'n1', incarnation: 2, expiredAt: 'x' } as const;
const joined = execute(threeNodes(), join('boot-1', 'machine-1'));
const codeOf = (command: JoinNode, state: ClusterState): string => {
  const decision = decide(command, state);
  return decision.ok ? 'let in' : decision.rejection.code;
};

describe('a join for a node whose lease lives', () => {
  it('is let in from the same boot: its agent was started again', () => {
    expect(codeOf(join('boot-1', 'machine-1'), joined)).toBe('let in');
  });

  it('is refused from another boot, which says since when and what to do', () => {
    expect(decide(join('boot-2', 'machine-1'), joined)).toMatchObject({
      ok: false,
      rejection: {
        status: 409,
        code: 'node-joined-elsewhere',
        message: expect.stringMatching(/since .*NodeJoined.*token of its own/) as string,
      },
    });
  });

  it.each([
    ['joined', joined],
    ['lost', execute(joined, lose)],
  ])('is not told the ids by which it could pass for the machine that is %s', (_, state) => {
    const decision = JSON.stringify(decide(join('another', 'elsewhere'), state));
    expect(decision).toContain('node-joined-elsewhere');
    for (const id of ['boot-1', 'machine-1']) expect(decision).not.toContain(id);
  });

  it('is let in where nothing is known of the boot that joined', () => {
    expect(codeOf(join('boot-2'), threeNodes())).toBe('let in');
  });
});

describe('a join from another boot', () => {
  it('is let in when the node left, was fenced or was confirmed down', () => {
    expect(codeOf(join('boot-2', 'machine-2'), execute(joined, { type: 'leave-node', node: 'n1', incarnation: 2 }))).toBe('let in');
    expect(codeOf(join('boot-2', 'machine-2'), execute(joined, lose, { type: 'confirm-node-down', node: 'n1' }))).toBe('let in');
  });

  it('is let in after the loss of the lease when it may be the same machine that was restarted, and not when it is another one', () => {
    const lost = execute(joined, lose);
    expect(codeOf(join('boot-2', 'machine-1'), lost)).toBe('let in');
    expect(codeOf(join('boot-2'), lost)).toBe('let in');
    expect(codeOf(join('boot-2', 'machine-2'), lost)).toBe('node-joined-elsewhere');
    expect(codeOf(join('boot-1', 'machine-1'), lost)).toBe('let in');
  });
});

describe('after the log went back in time', () => {
  const epoch = execute(joined, { type: 'begin-epoch', clusterId: 'c', epoch: 'e2', reason: 'restored', by: 'a person' });

  it('the machine that the log knows for the node is let in, restarted or not, and another one only when a person confirms the node down', () => {
    expect(codeOf(join('boot-1', 'machine-1'), epoch)).toBe('let in');
    expect(codeOf(join('boot-2', 'machine-1'), epoch)).toBe('let in');
    expect(codeOf(join('boot-2', 'machine-2'), epoch)).toBe('node-joined-elsewhere');
    expect(codeOf(join('boot-2', 'machine-2'), execute(epoch, { type: 'confirm-node-down', node: 'n1' }))).toBe('let in');
  });
});

describe('a refused join', () => {
  const knocked = execute(joined, { type: 'note-refused-join', node: 'n1', bootId: 'boot-2', machineId: 'machine-1' });

  it('is noted once for each boot', () => {
    expect(memberOf(knocked, 'n1')?.refusedJoin).toMatchObject({ bootId: 'boot-2', machineId: 'machine-1' });
    expect(decide({ type: 'note-refused-join', node: 'n1', bootId: 'boot-2' }, knocked)).toEqual({ ok: true, events: [] });
    expect(memberOf(execute(knocked, join('boot-1', 'machine-1')), 'n1')?.refusedJoin).toBeUndefined();
  });

  it('is waited for when the lease is over: a machine that was restarted quickly is not fenced for it', () => {
    const lost = execute(knocked, lose);
    const lostAt = Date.parse(memberOf(lost, 'n1')?.since ?? '');
    const hold = (after: number) => planningHold(lost, (_cause, moment) => lostAt + after - moment, 0);
    expect(hold(1_000)).toEqual({ forMs: 9_000, reason: 'waiting for n1 to join: it was started again' });
    expect(hold(10_000)).toBeUndefined();
    expect(planningHold(execute(lost, join('boot-2', 'machine-1')), () => 0, 0)).toBeUndefined();
  });
});

describe('a second machine with the same disk', () => {
  const knocked = execute(joined, { type: 'note-refused-join', node: 'n1', bootId: 'boot-2', machineId: 'machine-1' });
  const shown = (version: number) => secondBootOf(knocked, 'c', 'n1', { epoch: 'c', version, hash: 'x' });

  it('is one when the boot that holds the lease shows that it lived after the other one had asked, and not by what was sent before', () => {
    expect(shown(knocked.version - 1)).toBeUndefined();
    expect(shown(knocked.version)).toBe('boot-2');
    expect(secondBootOf(knocked, 'c', 'n1', undefined)).toBeUndefined();
    expect(secondBootOf(joined, 'c', 'n1', { epoch: 'c', version: 99, hash: 'x' })).toBeUndefined();
  });

  const proven = execute(knocked, { type: 'note-second-machine', node: 'n1', incarnation: 2, bootId: 'boot-2' });

  it('is noted once, and stays known when the agent of the first one is started again', () => {
    expect(memberOf(proven, 'n1')?.secondBoots).toEqual(['boot-2']);
    expect(decide({ type: 'note-second-machine', node: 'n1', incarnation: 2, bootId: 'boot-2' }, proven)).toEqual({ ok: true, events: [] });
    expect(memberOf(execute(proven, join('boot-1', 'machine-1')), 'n1')?.secondBoots).toEqual(['boot-2']);
  });

  it('is refused whatever the first one was told, until that was fenced, has left or is confirmed down', () => {
    const lost = execute(proven, lose);
    expect(codeOf(join('boot-2', 'machine-1'), lost)).toBe('node-joined-elsewhere');
    expect(codeOf(join('boot-3', 'machine-1'), lost)).toBe('let in');
    expect(codeOf(join('boot-2', 'machine-1'), execute(lost, { type: 'confirm-node-down', node: 'n1' }))).toBe('let in');
    expect(codeOf(join('boot-2', 'machine-1'), execute(proven, { type: 'leave-node', node: 'n1', incarnation: 2 }))).toBe('let in');
  });

  it('is not proven to be a second one by how long a kernel is up that both have in common', () => {
    const first = execute(threeNodes({ options: option('stonith-enabled', 'false') }), {
      ...join('kernel.run-1', 'machine-1'),
      onLeaseLoss: 'stop',
    });
    const lost = execute(first, lose);
    expect(codeOf({ ...join('kernel.run-2', 'machine-1'), uptimeMs: 900_000, silentMs: 5_000 }, lost)).toBe('let in');
    expect(codeOf({ ...join('other.run-2', 'machine-1'), uptimeMs: 900_000, silentMs: 5_000 }, lost)).toBe('node-joined-elsewhere');
    const asked = { type: 'note-refused-join', node: 'n1', uptimeMs: 900_000, silentMs: 500 } as const;
    expect(memberOf(execute(first, { ...asked, bootId: 'kernel.run-2' }), 'n1')?.secondBoots).toBeUndefined();
    expect(memberOf(execute(first, { ...asked, bootId: 'other.run-2' }), 'n1')?.secondBoots).toEqual(['other.run-2']);
  });

  it('is one when it was up clearly before the first one was last heard of', () => {
    const lost = execute(joined, lose);
    const asked = (uptimeMs: number, silentMs?: number) =>
      codeOf({ ...join('boot-2', 'machine-1'), uptimeMs, ...(silentMs === undefined ? {} : { silentMs }) }, lost);
    expect(asked(200_000, 100_000)).toBe('node-joined-elsewhere');
    expect(asked(155_000, 100_000)).toBe('let in');
    expect(asked(200_000)).toBe('let in');
    // The other servers are told, also while the first one holds its lease.
    const noted = execute(joined, { type: 'note-refused-join', node: 'n1', bootId: 'boot-2', uptimeMs: 200_000, silentMs: 500 });
    expect(memberOf(noted, 'n1')).toMatchObject({ refusedJoin: { bootId: 'boot-2' }, secondBoots: ['boot-2'] });
    expect(codeOf(join('boot-2', 'machine-1'), execute(noted, lose))).toBe('node-joined-elsewhere');
  });
});

describe('a join from another boot where the first one may run on', () => {
  const device = '<primitive id="f" class="stonith" type="fence_x"/>';
  const quorate = { type: 'change-quorum', quorate: true, votes: 3, expectedVotes: 3 } as const;
  const told = (policy: 'keep' | 'stop' | 'watchdog', config: Parameters<typeof threeNodes>[0] = { resources: device }): ClusterState =>
    execute(threeNodes(config), quorate, { ...join('boot-1', 'machine-1'), onLeaseLoss: policy });
  const again: JoinNode = { ...join('boot-2', 'machine-1'), uptimeMs: 4_000, silentMs: 10_000 };
  const late: JoinNode = { ...again, uptimeMs: 12_000 };
  const second: JoinNode = { ...again, uptimeMs: 80_000 };
  const lost = (state: ClusterState): ClusterState => execute(state, lose);
  /** The others are lost, too, and come back as other boots. */
  const rebooted = (state: ClusterState): ClusterState =>
    ['n2', 'n3'].reduce((next, node) => execute(next, { ...lose, node, incarnation: 1 }, { ...join(`${node}-boot-2`), node }), state);

  it('waits for the fencing of a node that keeps what it runs, however fast it was', () => {
    const kept = lost(told('keep'));
    expect(codeOf(again, kept)).toBe('node-joined-elsewhere');
    expect(codeOf(again, execute(kept, { type: 'confirm-node-down', node: 'n1' }))).toBe('let in');
    expect(codeOf(join('boot-1', 'machine-1'), kept)).toBe('let in');
  });

  it('does not wait for a node that stops what it runs', () => {
    expect(codeOf(late, lost(told('stop')))).toBe('let in');
  });

  it('waits for a watchdog, unless it began after the first one was last heard of', () => {
    const starved = lost(told('watchdog'));
    expect(codeOf(late, starved)).toBe('node-joined-elsewhere');
    expect(codeOf({ ...late, lostMs: 59_000 }, starved)).toBe('node-joined-elsewhere');
    expect(codeOf({ ...late, lostMs: 60_000 }, starved)).toBe('let in');
    expect(codeOf(again, starved)).toBe('let in');
    expect(codeOf(late, lost(told('watchdog', { options: option('stonith-enabled', 'false') })))).toBe('let in');
  });

  it.each([
    [
      'nobody else is there',
      (state: ClusterState) => execute(state, { ...lose, node: 'n2', incarnation: 1 }, { ...lose, node: 'n3', incarnation: 1 }),
      {},
    ],
    ['there is no quorum without it', (state: ClusterState) => execute(state, { ...quorate, quorate: false, votes: 1 }), {}],
    [
      'all have come back from a power cut, and those that are missing are waited for',
      (state: ClusterState) => rebooted(state),
      { fencingHeld: true },
    ],
  ] as const)('where %s it is let in unless it is known to be a second one', (_, change, more) => {
    const state = change(lost(told('keep')));
    expect(codeOf({ ...again, ...more }, state)).toBe('let in');
    expect(codeOf({ ...second, ...more }, state)).toBe('node-joined-elsewhere');
    // An agent that does not tell.
    expect(codeOf({ ...join('boot-2', 'machine-1'), silentMs: 1, ...more }, state)).toBe('let in');
  });

  it('those that are missing being waited for is no reason where another machine ran on: it is fenced after that', () => {
    expect(codeOf({ ...again, fencingHeld: true }, lost(told('keep')))).toBe('node-joined-elsewhere');
  });

  it('the same where no device can fence it, or fencing is switched off', () => {
    for (const state of [lost(told('keep', {})), lost(told('keep', { options: option('stonith-enabled', 'false'), resources: device }))]) {
      expect(codeOf(again, state)).toBe('let in');
      expect(codeOf(second, state)).toBe('node-joined-elsewhere');
    }
  });

  it('after the log went back waits where there is fencing, unless the lost tail had let it in, or the node was off', () => {
    const begin = { type: 'begin-epoch', clusterId: 'c', epoch: 'e2', reason: 'restored', by: 'a person' } as const;
    const rejoin = (node: string): JoinNode => ({ ...join('other'), node });
    const others = (state: ClusterState): ClusterState => execute(state, begin, rejoin('n2'), rejoin('n3'));
    const state = others(told('keep'));
    expect(codeOf(again, state)).toBe('node-joined-elsewhere');
    expect(codeOf({ ...again, bootIncarnation: 3 }, state)).toBe('let in');
    expect(codeOf({ ...again, bootIncarnation: 2 }, state)).toBe('node-joined-elsewhere');
    expect(codeOf(again, others(execute(told('keep'), { type: 'leave-node', node: 'n1', incarnation: 2 })))).toBe('let in');
    expect(codeOf(late, others(told('stop', { options: option('stonith-enabled', 'false') })))).toBe('let in');
  });

  it('is not waited for, and its fencing does not wait for the limit: what it takes down is down already', () => {
    const refused = execute(lost(told('keep')), { type: 'note-refused-join', node: 'n1', bootId: 'boot-2' });
    expect(planningHold(refused, () => 0, 0)).toBeUndefined();
    const limited = { ...refused, fencedAt: { n2: new Date(0).toISOString() } };
    const hold = (state: ClusterState) => fencingHold(state, { target: 'n1', action: 'off' }, () => 0, 0);
    expect(hold(limited)).toBeUndefined();
    expect(hold({ ...lost(told('keep')), fencedAt: limited.fencedAt })?.target).toBe('n1');
    const second = { ...memberOf(limited, 'n1'), secondBoots: ['boot-2'] } as NonNullable<ReturnType<typeof memberOf>>;
    expect(hold({ ...limited, nodes: { ...limited.nodes, n1: second } })?.target).toBe('n1');
  });
});

describe('another boot that is let in without quorum, while the machine of another node ran on', () => {
  const quorum = (quorate: boolean) => ({ type: 'change-quorum', quorate, votes: quorate ? 3 : 1, expectedVotes: 3 }) as const;
  const first: JoinNode = { ...join('boot-1', 'machine-1'), onLeaseLoss: 'keep' };
  const again: JoinNode = { ...join('boot-2', 'machine-1'), onLeaseLoss: 'keep' };
  const alone = execute(
    threeNodes({ resources: '<primitive id="f" class="stonith" type="fence_x"/><primitive id="db" class="ocf" provider="p" type="T"/>' }),
    quorum(true),
    first,
    { ...lose, node: 'n2', incarnation: 1 },
    { type: 'confirm-node-down', node: 'n2' },
    lose,
    quorum(false),
  );
  const letIn = execute(alone, again, quorum(true));

  it('votes, and is to be fenced before anything is started', () => {
    expect(memberOf(letIn, 'n1')).toMatchObject({ membership: 'joined', unproven: true });
    expect(activationHold(letIn, 0)?.nodes).toEqual(['n1']);
    expect(requestedFencing(letIn, 0)).toEqual(['n1']);
  });

  it('stays so when its agent is started again, when it leaves, when it is lost and after the log went back', () => {
    const begin = { type: 'begin-epoch', clusterId: 'c', epoch: 'e2', reason: 'restored', by: 'a person' } as const;
    for (const state of [
      execute(letIn, again),
      execute(letIn, { type: 'leave-node', node: 'n1', incarnation: 3 }),
      execute(letIn, { ...lose, incarnation: 3 }),
      execute(letIn, begin, { ...join('n3-boot'), node: 'n3' }, { ...again, bootIncarnation: 9_999_999 }),
    ])
      expect(activationHold(state, 0)?.nodes).toContain('n1');
  });

  it('is said not to be fenced once it has left: when its agent is started again it is', () => {
    const away = execute(letIn, { type: 'leave-node', node: 'n1', incarnation: 3 });
    expect(requestedFencing(away, 0)).toEqual([]);
    expect(activationHold(away, 0)?.reason).toContain('it is not fenced before its agent is started again');
    const back = execute(away, again);
    expect(requestedFencing(back, 0)).toEqual(['n1']);
    expect(activationHold(back, 0)?.reason).toContain('it is fenced as soon as that can be done');
  });

  it('is like any other when it was fenced', () => {
    const request = {
      fencingId: 'x',
      target: 'n1',
      action: 'off',
      device: 'f',
      executor: 'n3',
      attempt: 1,
      transition: 1,
      graphActionId: 1,
    } as const;
    const fenced = append(
      planned(letIn),
      { type: 'FencingRequested', data: request },
      { type: 'FencingCompleted', data: { ...request, incarnation: 1, outcome: 'succeeded', resultId: 'r', confirmed: true } },
    );
    expect(memberOf(fenced, 'n1')).toMatchObject({ membership: 'down' });
    expect(memberOf(execute(fenced, { ...again, bootId: 'boot-3' }), 'n1')?.unproven).toBeUndefined();
    expect(activationHold(fenced, 0)).toBeUndefined();
  });

  it('is like any other when a person confirms that the earlier boot is down, also while it holds its lease or after it left', () => {
    const confirm = { type: 'confirm-node-down', node: 'n1' } as const;
    const confirmed = execute(letIn, confirm);
    expect(memberOf(confirmed, 'n1')?.membership).toBe('joined');
    expect(activationHold(confirmed, 0)).toBeUndefined();
    expect(requestedFencing(confirmed, 0)).toEqual([]);
    expect(activationHold(execute(letIn, { type: 'leave-node', node: 'n1', incarnation: 3 }, confirm), 0)).toBeUndefined();
  });

  it('is like any other after a power cut, when the machines of all others are restarted, too', () => {
    const others = execute(alone, { ...lose, node: 'n3', incarnation: 1 }, { ...join('n3-boot-2'), node: 'n3' });
    expect(memberOf(execute(others, again), 'n1')?.unproven).toBeUndefined();
  });

  it('is not where the agents of others were started again on machines that ran on', () => {
    const others = execute(threeNodes({ resources: '<primitive id="f" class="stonith" type="fence_x"/>' }), first, {
      ...join('n3-boot'),
      node: 'n3',
    });
    const cutOff = execute(others, lose, { ...lose, node: 'n3', incarnation: 2 }, { ...join('n3-boot'), node: 'n3' }, again);
    expect(memberOf(cutOff, 'n1')?.unproven).toBe(true);
  });

  describe('when nobody else is there', () => {
    const n3 = (boot: string): JoinNode => ({ ...join(boot), node: 'n3', onLeaseLoss: 'keep' });
    const before = execute(
      threeNodes({ resources: '<primitive id="f" class="stonith" type="fence_x"/>' }),
      quorum(true),
      first,
      n3('n3-boot'),
    );
    const dark = execute(before, lose, { ...lose, node: 'n3', incarnation: 2 }, { ...lose, node: 'n2', incarnation: 1 }, quorum(false));
    const doubtful = execute(dark, again);

    it('is in doubt, and believed when the first plan is made with quorum and all others are restarted, too', () => {
      expect(memberOf(doubtful, 'n1')?.doubtfulSince).toBe(memberOf(dark, 'n1')?.lostVersion);
      expect(activationHold(doubtful, 0)).toBeUndefined();
      expect(memberOf(planned(execute(doubtful)), 'n1')?.doubtfulSince).toBeDefined();
      const back = planned(execute(doubtful, n3('n3-boot-2'), quorum(true)));
      expect(memberOf(back, 'n1')).not.toHaveProperty('doubtfulSince');
      expect(memberOf(back, 'n3')).not.toHaveProperty('doubtfulSince');
      expect(activationHold(back, 0)).toBeUndefined();
    });

    it('is to be fenced when another one comes back that ran on', () => {
      const back = execute(doubtful, n3('n3-boot'));
      expect(memberOf(back, 'n1')?.unproven).toBe(true);
      expect(memberOf(back, 'n3')?.unproven).toBeUndefined();
    });

    it('is believed by then for ever: what was started may run', () => {
      const late = execute(planned(execute(doubtful, { ...join('n2-boot'), node: 'n2' }, quorum(true))), n3('n3-boot'));
      expect(memberOf(late, 'n1')?.unproven).toBeUndefined();
    });
  });
});

describe('the log went back in time, with fencing', () => {
  const begin = { type: 'begin-epoch', clusterId: 'c', epoch: 'e2', reason: 'restored', by: 'a person' } as const;
  const of = (node: string, bootId: string): JoinNode => ({ ...join(bootId, `machine-${node}`), node, onLeaseLoss: 'keep' });
  const quorum = (quorate: boolean) => ({ type: 'change-quorum', quorate, votes: quorate ? 2 : 1, expectedVotes: 3 }) as const;
  const before = execute(
    threeNodes({ resources: '<primitive id="f" class="stonith" type="fence_x"/>' }),
    quorum(true),
    ...['n1', 'n2', 'n3'].map((node) => of(node, 'boot-1')),
  );
  const others = [of('n2', 'boot-1'), of('n3', 'boot-1'), quorum(true)];
  /** Another boot, while nodes are given time to join. */
  const waitedFor = (node: string): JoinNode => ({ ...of(node, 'boot-2'), fencingHeld: true });

  it('a boot that was proven to be a second machine stays one, unless the lost tail had let it in', () => {
    const proven = execute(
      before,
      { type: 'note-refused-join', node: 'n1', bootId: 'boot-2', machineId: 'machine-n1' },
      { type: 'note-second-machine', node: 'n1', incarnation: 2, bootId: 'boot-2' },
      begin,
    );
    expect(codeOf(of('n1', 'boot-2'), proven)).toBe('node-joined-elsewhere');
    expect(codeOf({ ...of('n1', 'boot-2'), bootIncarnation: 3 }, proven)).toBe('let in');
  });

  it('another boot that is let in first is to be fenced when machines come back that ran on', () => {
    expect(activationHold(execute(before, begin, of('n1', 'boot-2'), ...others), 0)?.nodes).toEqual(['n1']);
  });

  it('another boot is not let in while others are given time to join, when some are there that ran on', () => {
    expect(codeOf(waitedFor('n1'), execute(before, begin, ...others))).toBe('node-joined-elsewhere');
    const restarted = execute(before, begin, waitedFor('n2'), waitedFor('n3'), quorum(true));
    expect(codeOf(waitedFor('n1'), restarted)).toBe('let in');
  });

  it('a boot that was in doubt before stays so', () => {
    const lost = ['n2', 'n3', 'n1'].map((node) => ({ ...lose, node, incarnation: 2 }));
    const doubtful = execute(before, ...lost, quorum(false), of('n1', 'boot-2'));
    expect(memberOf(doubtful, 'n1')?.doubtfulSince).toBeDefined();
    expect(activationHold(execute(doubtful, begin, of('n1', 'boot-2'), ...others), 0)?.nodes).toEqual(['n1']);
  });

  it('an earlier boot that is heard of beside the one that was let in shows that this one is to be fenced', () => {
    const restarted = execute(before, begin, ...['n1', 'n2', 'n3'].map(waitedFor), quorum(true));
    expect(activationHold(restarted, 0)).toBeUndefined();
    const incarnation = memberOf(restarted, 'n1')?.incarnation ?? 0;
    const heard = (bootId: string): ClusterState =>
      execute(
        restarted,
        { type: 'note-refused-join', node: 'n1', bootId, machineId: 'machine-n1' },
        { type: 'note-second-machine', node: 'n1', incarnation, bootId },
      );
    expect(activationHold(heard('boot-3'), 0)).toBeUndefined();
    expect(activationHold(heard('boot-1'), 0)?.nodes).toEqual(['n1']);
    const confirmed = execute(heard('boot-1'), { type: 'confirm-node-down', node: 'n1' });
    expect(activationHold(confirmed, 0)).toBeUndefined();
    expect(memberOf(confirmed, 'n1')?.earlierBoots).toBeUndefined();
  });
});
