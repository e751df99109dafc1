import { decide, evolve, initialState, type ClusterCommand, type ClusterState } from '@systole/cluster';
import { describe, expect, it } from 'vitest';
import { LINGERS_MS } from '../time/lingering-map.js';
import { LeaseLossTellings } from './lease-loss-tellings.js';

const CALLER = { clusterId: 'c', node: 'n1', tokenId: 't', actor: 'agent:n1' };
const CIB =
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>' +
  '<nodes/><resources/><constraints/></configuration><status/></cib>';
const head = (version: number) => ({ epoch: 'c', version, hash: String(version) });

function execute(...commands: readonly ClusterCommand[]): ClusterState {
  return commands.reduce((folded, command) => {
    const decision = decide(command, folded);
    if (!decision.ok) throw new Error(decision.rejection.message);
    return decision.events.reduce(
      (before, event) =>
        evolve(before, { version: before.version + 1, occurredAt: new Date(0).toISOString(), actor: 'test', correlationId: 'c', event }),
      folded,
    );
  }, initialState());
}

/** The server reckons with `keep`, and the agent is told `stop` by now. */
const lowering = execute(
  { type: 'create-cluster', name: 'c', cib: CIB },
  { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5_000, onLeaseLoss: 'keep' },
);

describe('what an agent was told of the loss of its lease', () => {
  const begin = () => {
    let now = 0;
    const tellings = new LeaseLossTellings({ monotonic: () => now });
    const lowers = (shown: number, of = tellings): boolean | undefined =>
      of.next(CALLER, lowering, { incarnation: 1, watchdog: false, shown: head(shown), follows: 'stop' }, 0)?.lowers;
    return { tellings, lowers, pass: (ms: number) => (now += ms) };
  };

  it('is known to have arrived from the head that it shows', () => {
    const { tellings, lowers } = begin();
    expect(lowers(5)).toBeUndefined();
    tellings.answered(CALLER, 1, 'stop', head(5));
    expect([lowers(4), lowers(5)]).toEqual([undefined, true]);
  });

  it('is not proven by a head that an answer of something else named, be that answer the newer one', () => {
    const { tellings, lowers } = begin();
    tellings.answered(CALLER, 1, 'keep', head(6));
    tellings.answered(CALLER, 1, 'stop', head(5));
    expect([lowers(5), lowers(6), lowers(7)]).toEqual([undefined, undefined, true]);
  });

  it('is forgotten when it says nothing for long, as after a restart: it is told again before anything rests on it', () => {
    const { tellings, lowers, pass } = begin();
    tellings.answered(CALLER, 1, 'stop', head(5));
    pass(2 * LINGERS_MS);
    expect(lowers(5)).toBe(lowers(5, begin().tellings));
    tellings.answered(CALLER, 1, 'stop', head(5));
    expect(lowers(5)).toBe(true);
  });
});
