import { decide, evolve, initialState, type ClusterCommand, type ClusterState } from '@systole/cluster';
import { describe, expect, it } from 'vitest';
import { LINGERS_MS } from '../time/lingering-map.js';
import { Silences } from './silences.js';

const EPOCH = Date.UTC(2026, 0, 1);
const CALLER = { clusterId: 'c', node: 'n1', tokenId: 't', actor: 'agent:n1' };

/** Each event is a second later than the one before. */
function execute(state: ClusterState, ...commands: readonly ClusterCommand[]): ClusterState {
  return commands.reduce((folded, command) => {
    const decision = decide(command, folded);
    if (!decision.ok) throw new Error(decision.rejection.message);
    return decision.events.reduce((before, event) => {
      const version = before.version + 1;
      return evolve(before, {
        version,
        occurredAt: new Date(EPOCH + version * 1_000).toISOString(),
        actor: 'test',
        correlationId: 'c',
        event,
      });
    }, folded);
  }, state);
}

const nodes = ['n1', 'n2', 'n3', 'n4', 'n5'];
const join = (node: string): ClusterCommand => ({ type: 'join-node', node, agentVersion: '1', leaseMs: 5_000 });
const lose = (node: string, incarnation = 1): ClusterCommand => ({ type: 'lose-lease', node, incarnation, expiredAt: 'x' });
const five = execute(
  initialState(),
  {
    type: 'create-cluster',
    name: 'c',
    cib:
      '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>' +
      `<nodes>${nodes.map((name, index) => `<node id="${String(index + 1)}" uname="${name}"/>`).join('')}</nodes><resources/><constraints/></configuration><status/></cib>`,
  },
  ...nodes.map(join),
  { type: 'change-quorum', quorate: true, votes: 5, expectedVotes: 5 },
);

/** A process whose clocks are the test's. */
function process(): { readonly silences: Silences; pass: (ms: number, timeOfDay?: number) => void } {
  const now = { monotonic: 0, timeOfDay: EPOCH + five.version * 1_000 };
  return {
    silences: new Silences({ monotonic: () => now.monotonic, timeOfDay: () => now.timeOfDay }),
    pass: (ms, timeOfDay = ms) => {
      now.monotonic += ms;
      now.timeOfDay += timeOfDay;
    },
  };
}

describe('what a server knows of a node that is silent', () => {
  it('is since when it heard nothing itself', () => {
    const { silences, pass } = process();
    silences.heard(CALLER, five, 1);
    pass(4_000);
    expect(silences.of(CALLER, five).silentMs).toBe(4_000);
    expect(process().silences.of(CALLER, five).silentMs).toBeUndefined();
  });

  it.each([
    ['was frozen', 85_000, 85_000],
    ['was suspended, with its monotonic clock', 100, 85_000],
  ])('is nothing after it %s: what it is told next may be as old', (_, monotonic, timeOfDay) => {
    const { silences, pass } = process();
    silences.heard(CALLER, five, 1);
    pass(monotonic, timeOfDay);
    silences.heard(CALLER, five, 1);
    pass(2_000);
    expect(silences.of(CALLER, five).silentMs).toBeUndefined();
    pass(9_000);
    silences.heard(CALLER, five, 1);
    pass(500);
    expect(silences.of(CALLER, five).silentMs).toBe(500);
  });

  it('is forgotten after hours, while others are heard: then it is what a server that has just started knows', () => {
    const { silences, pass } = process();
    const lost = execute(five, lose('n1'));
    silences.heard(CALLER, five, 1);
    silences.of(CALLER, lost);
    for (let passed = 0; passed < 2 * LINGERS_MS; passed += 20_000) {
      pass(20_000);
      silences.heard({ ...CALLER, node: 'n2' }, five, 1);
    }
    expect(silences.of({ ...CALLER, node: 'n2' }, five).silentMs).toBe(0);
    expect([silences.of(CALLER, five), silences.of(CALLER, lost)]).toEqual([process().silences.of(CALLER, five), { lostMs: 0 }]);
  });

  it('is not that nobody is fenced, where two were lost at once and the others had quorum all the time', () => {
    const { silences } = process();
    expect(silences.of(CALLER, execute(five, lose('n1'), lose('n2'))).fencingHeld).toBeUndefined();
  });

  it('is that nobody is fenced for a while after quorum was regained; not for whoever hears of it late', () => {
    const without = execute(five, lose('n1'), lose('n2'), lose('n3'), {
      type: 'change-quorum',
      quorate: false,
      votes: 2,
      expectedVotes: 5,
    });
    const regained = execute(without, join('n3'), { type: 'change-quorum', quorate: true, votes: 3, expectedVotes: 5 });
    const present = process();
    present.pass((regained.version - five.version) * 1_000);
    expect(present.silences.of(CALLER, regained).fencingHeld).toBe(true);
    const late = process();
    late.pass((regained.version - five.version) * 1_000 + 60_000);
    expect(late.silences.of(CALLER, regained).fencingHeld).toBeUndefined();
  });
});
