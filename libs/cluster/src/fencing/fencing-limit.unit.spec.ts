import { describe, expect, it } from 'vitest';
import { initialState, memberOf, type ClusterState } from '../state/cluster-state.js';
import { evolve } from '../state/evolve.js';
import { append, EPOCH, execute, option, planned } from '../testing/stream.js';
import { countedFencing, fencingHold, fencingLimit, heldFencing, isRequested } from './fencing-limit.js';

const JOIN = { node: 'n2', nodeId: '2', leaseMs: 5_000, agentVersion: '1' };
const NODES = ['n1', 'n2', 'n3', 'n4', 'n5'];

/** Five joined nodes of which the named ones were fenced and have not joined again, and when, ms after the beginning. */
function fiveNodes(fencedAt: Readonly<Record<string, number>> = {}, options = ''): ClusterState {
  const cib =
    '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration>' +
    `<crm_config><cluster_property_set id="o">${options}</cluster_property_set></crm_config>` +
    `<nodes>${NODES.map((name, index) => `<node id="${String(index + 1)}" uname="${name}"/>`).join('')}</nodes><resources/><constraints/></configuration><status/></cib>`;
  const state = execute(
    initialState(),
    { type: 'create-cluster', name: 'c', cib },
    ...NODES.map((node) => ({ type: 'join-node', node, agentVersion: '1', leaseMs: 5000 }) as const),
  );
  const nodes = Object.fromEntries(
    Object.entries(state.nodes).map(([name, member]) => [
      name,
      Object.hasOwn(fencedAt, name) ? { ...member, membership: 'down' as const } : member,
    ]),
  );
  return {
    ...state,
    nodes,
    fencedAt: Object.fromEntries(Object.entries(fencedAt).map(([node, ms]) => [node, new Date(EPOCH + ms).toISOString()])),
  };
}

/** The same after the node has joined again, that many ms after the beginning. */
function rejoined(state: ClusterState, node: string, ms: number): ClusterState {
  const { nodes } = execute(state, { type: 'join-node', node, agentVersion: '1', leaseMs: 5000 });
  const member = nodes[node];
  if (member === undefined) throw new Error(`no ${node}`);
  return { ...state, nodes: { ...state.nodes, [node]: { ...member, since: new Date(EPOCH + ms).toISOString() } } };
}

/** As somebody measures it whose clock is right, that many ms after the beginning. */
const at =
  (ms: number) =>
  (_: string, moment: number): number =>
    EPOCH + ms - moment;
const lost = (state: ClusterState, ...nodes: readonly string[]): ClusterState =>
  nodes.reduce(
    (folded, node) => execute(folded, { type: 'lose-lease', node, incarnation: memberOf(folded, node)?.incarnation ?? 0, expiredAt: 'x' }),
    state,
  );
const hold = (state: ClusterState, target = 'n5', ms = 200_000) => fencingHold(state, { target, action: 'off' }, at(ms), EPOCH);

describe('the limit on fencing', () => {
  it('is a minority of the nodes, or what the option says, at least one', () => {
    const limit = (text?: string): number =>
      fencingLimit(fiveNodes({}, text === undefined ? '' : option('systole-fencing-limit', text)), EPOCH);
    expect([limit(), limit('3'), limit('60%'), limit('1%'), limit('100%')]).toEqual([2, 3, 3, 1, 5]);
  });

  it('lets so many be fenced within ten minutes, and says how long the next one waits', () => {
    expect(hold(fiveNodes({ n1: 0 }))).toBeUndefined();
    const held = hold(fiveNodes({ n1: 100_000, n2: 0 }));
    expect(held?.forMs).toBe(400_000);
    expect(held?.reason).toBe(
      'n2, n1 fenced within ten minutes, and systole-fencing-limit is 2: n5 is fenced in 400 s, or at once when somebody allows it (systole node allow-fencing n5) or has switched it off (systole node confirm-down n5)',
    );
    expect(hold(fiveNodes({ n1: 100_000, n2: 0 }), 'n5', 599_999)?.forMs).toBe(1);
    expect(hold(fiveNodes({ n1: 100_000, n2: 0 }), 'n5', 600_000)).toBeUndefined();
  });

  it('waits until so many are forgotten that one more may be fenced', () => {
    expect(hold(fiveNodes({ n1: 0, n2: 50_000, n3: 100_000 }))?.forMs).toBe(450_000);
  });

  it.each([
    [
      'its agent was started again',
      (incarnation: number) => ({ type: 'NodeJoined', data: { ...JOIN, incarnation: incarnation + 1 } }) as const,
    ],
    ['it left in order', (incarnation: number) => ({ type: 'NodeLeft', data: { node: 'n2', incarnation } }) as const],
    ['it was lost', (incarnation: number) => ({ type: 'NodeLeaseLost', data: { node: 'n2', incarnation, expiredAt: 'x' } }) as const],
    ['the log went back', () => ({ type: 'EpochBegan', data: { epoch: 'e2', previous: 'e1', reason: 'r', by: 'n1' } }) as const],
  ])('does not count again who was back when %s, and does when that was too soon', (_, event) => {
    const back = rejoined(fiveNodes({ n1: 0, n2: 0 }), 'n2', 100_000);
    const after = (ms: number): ClusterState => {
      const recorded = { version: back.version + 1, occurredAt: new Date(EPOCH + ms).toISOString(), actor: 'test', correlationId: 'c' };
      return evolve(back, { ...recorded, event: event(memberOf(back, 'n2')?.incarnation ?? 0) });
    };
    expect(Object.keys(after(160_000).fencedAt)).toEqual(['n1']);
    expect(hold(after(160_000), 'n5', 161_000)).toBeUndefined();
    expect(Object.keys(after(159_000).fencedAt)).toEqual(['n1', 'n2']);
  });

  it('counts who was lost too soon, however late that is told', () => {
    const back = rejoined(fiveNodes({ n1: 0, n2: 0 }), 'n2', 100_000);
    const data = { node: 'n2', incarnation: memberOf(back, 'n2')?.incarnation ?? 0, expiredAt: new Date(EPOCH + 110_000).toISOString() };
    const recorded = { version: back.version + 1, occurredAt: new Date(EPOCH + 300_000).toISOString(), actor: 'test', correlationId: 'c' };
    expect(Object.keys(evolve(back, { ...recorded, event: { type: 'NodeLeaseLost', data } }).fencedAt)).toEqual(['n1', 'n2']);
  });

  it('does not count who has joined again and held its lease for a minute since, and says when that will be', () => {
    const back = rejoined(fiveNodes({ n1: 0, n2: 0 }), 'n2', 100_000);
    expect(hold(back, 'n5', 130_000)?.forMs).toBe(30_000);
    expect(hold(back, 'n5', 159_999)?.forMs).toBe(1);
    expect(hold(back, 'n5', 160_000)).toBeUndefined();
    expect(hold(lost(back, 'n2'), 'n5', 160_000)?.forMs).toBe(440_000);
    expect(hold(rejoined(back, 'n2', 150_000), 'n5', 160_000)?.forMs).toBe(50_000);
  });

  it('holds who was back and is lost again, when so many others were fenced meanwhile; but no further try', () => {
    const gone = lost(rejoined(fiveNodes({ n1: 100_000, n2: 0, n3: 100_000 }), 'n2', 0), 'n2');
    expect(hold(gone, 'n2')?.reason).toContain('n1, n3 fenced');
    const last = { fencingId: 'f', target: 'n2', action: 'off', device: 'd', executor: 'n4', outcome: 'failed' } as const;
    expect(hold({ ...gone, fencingFailures: { n2: { count: 1, at: 'x', last } } }, 'n2')).toBeUndefined();
    expect(hold({ ...gone, fencingFailures: { n5: { count: 1, at: 'x', last } } }, 'n5')).toBeDefined();
  });

  it('counts who is back anew when it is fenced again, and holds it when so many others are down', () => {
    const back = rejoined(fiveNodes({ n1: 0, n2: 0, n3: 0 }), 'n3', 0);
    expect(hold(back, 'n3')?.reason).toContain('n1, n2 fenced');
    expect(hold(rejoined(fiveNodes({ n1: 0, n2: 190_000 }), 'n2', 0))?.forMs).toBe(50_000);
  });

  it('counts a node that holds its lease as long as a fencing of it is open', () => {
    const request = {
      fencingId: 'f1',
      target: 'n2',
      action: 'off',
      device: 'f',
      executor: 'n3',
      attempt: 1,
      transition: 1,
      graphActionId: 9,
    } as const;
    const state = rejoined(fiveNodes({ n1: 0, n2: 0 }), 'n2', 0);
    expect(hold(state)).toBeUndefined();
    expect(hold({ ...execute(planned(state), { type: 'request-fencing', request }), fencedAt: state.fencedAt })?.forMs).toBe(400_000);
  });

  it('is measured by the causes that it tells: each join is one of its own', () => {
    const state = fiveNodes({ n1: 0, n2: 0, 'never-joined': 0 });
    const causes = (told: ClusterState) => countedFencing(told).map(({ cause }) => cause);
    expect(causes(state)).toEqual(['fencing of n1', 'fencing of n2', 'fencing of never-joined']);
    const back = rejoined(state, 'n2', 100_000);
    expect(countedFencing(back)).toContainEqual({ cause: 'join of n2, incarnation 2', momentMs: EPOCH + 100_000 });
    // Whatever the dates say: who saw the join a moment ago waits for a minute.
    const sinceSeen = (cause: string): number => (cause === 'join of n2, incarnation 2' ? 1_000 : 200_000);
    expect(fencingHold(back, { target: 'n5', action: 'off' }, sinceSeen, EPOCH)?.forMs).toBe(59_000);
  });

  it('does not count who is no node of the configuration, and holds nobody who is none', () => {
    const state = fiveNodes({ n1: 0, gone: 0, other: 0 });
    expect(hold(state)).toBeUndefined();
    expect(hold(fiveNodes({ n1: 0, n2: 0 }), 'remote-1')).toBeUndefined();
  });

  it('does not hold a node that is fenced again, was asked for, or was allowed; nor unfencing', () => {
    const state = fiveNodes({ n1: 0, n2: 0 });
    expect(hold(state, 'n2')).toBeUndefined();
    const asked = append(state, { type: 'NodeAttributeSet', data: { node: 'n5', name: 'terminate', value: 'true', lifetime: 'reboot' } });
    expect(hold({ ...asked, fencedAt: state.fencedAt })).toBeUndefined();
    expect(hold({ ...execute(state, { type: 'allow-fencing', node: 'n5' }), fencedAt: state.fencedAt })).toBeUndefined();
    expect(fencingHold(state, { target: 'n5', action: 'on' }, at(1_000), EPOCH)).toBeUndefined();
    expect(hold(state)).toBeDefined();
  });

  it.each([
    ['true', true],
    ['1', true],
    ['1795271100', true],
    ['0', false],
    ['false', false],
    ['-5', false],
    ['soon', false],
  ])('takes terminate=%s for a request: %s', (value, requested) => {
    const state = append(fiveNodes(), { type: 'NodeAttributeSet', data: { node: 'n5', name: 'terminate', value, lifetime: 'reboot' } });
    expect(isRequested(state, 'n5', EPOCH)).toBe(requested);
    expect(isRequested(state, 'n4', EPOCH)).toBe(false);
  });
});

describe('fencing that waits for the limit', () => {
  const fenced = { n1: 0, n2: 0 };
  const targets = (state: ClusterState, wanted: readonly string[] = []): readonly string[] =>
    heldFencing({ ...state, fencedAt: fiveNodes(fenced).fencedAt }, wanted, at(1_000), EPOCH).map(({ target }) => target);

  it('is that of lost nodes and of those that the scheduler wants fenced, each once', () => {
    expect(targets(fiveNodes())).toEqual([]);
    expect(targets(lost(fiveNodes(), 'n4'), ['n5', 'n4'])).toEqual(['n4', 'n5']);
  });

  it('is not what is under way already', () => {
    const request = {
      fencingId: 'f1',
      target: 'n4',
      action: 'off',
      device: 'f',
      executor: 'n3',
      attempt: 1,
      transition: 1,
      graphActionId: 9,
    } as const;
    expect(targets(execute(planned(lost(fiveNodes(), 'n4', 'n5')), { type: 'request-fencing', request }))).toEqual(['n5']);
  });

  it('is that of nodes that are unheard since the log went back, unless they had gone before', () => {
    const state = fiveNodes();
    const unheard = (overBefore: object): ClusterState => {
      const member = state.nodes['n4'];
      if (member === undefined) throw new Error('no n4');
      return { ...state, nodes: { ...state.nodes, n4: { ...member, membership: 'unheard', ...overBefore } } };
    };
    expect(targets(unheard({}))).toEqual(['n4']);
    expect(targets(unheard({ overBefore: 'left' }))).toEqual([]);
  });
});
