import type { ClusterCommand } from '@systole/cluster';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryDatabase } from '../memory/memory-database.js';
import type { Clock } from '../ports/clock.js';
import { ServerOfDatabase } from '../testing/server-of-database.js';
import type { CallingNode } from './session.js';

const CLUSTER = '6a6a8dcd-0000-4000-8000-000000000000';
const CIB =
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/><nodes/>' +
  '<resources><primitive id="f" class="stonith" type="fence_x"/></resources><constraints/></configuration><status/></cib>';
const META = { actor: 'test', correlationId: 'test' };
const ATTEMPT = { fencingId: 'x', target: 'n1', action: 'reboot', device: 'f', executor: 'n2' } as const;

const agent = (node: string): CallingNode => ({ clusterId: CLUSTER, node, tokenId: `t-${node}`, actor: `agent:${node}` });

/** A server at which fencing is asked for. */
class Server extends ServerOfDatabase {
  private joins = 1;

  joinNode = (node: string, bootId = 'boot') => this.join(agent(node), { bootId, attempt: { processStartedMs: 1, number: this.joins++ } });

  async ask(command: ClusterCommand): Promise<number> {
    const result = await this.commands.execute(CLUSTER, command, META);
    if (!result.ok) throw new Error(result.rejection.message);
    return result.version;
  }

  async requestFencing(inputVersion: number): Promise<void> {
    const plan = {
      inputVersion,
      now: 1,
      schedulerVersion: '1',
      digest: 'd',
      counts: { actions: 1, pseudo: 0, fencing: 1 },
      trigger: 't',
      summary: [],
    };
    await this.ask({ type: 'plan-transition', plan });
    await this.ask({ type: 'request-fencing', request: { ...ATTEMPT, attempt: 1, transition: 1, graphActionId: 1 } });
  }

  completeFencing = (outcome: 'succeeded' | 'failed') => this.ask({ type: 'complete-fencing', result: { ...ATTEMPT, outcome } });

  leases = async () => (await this.database.leases.ofCluster(CLUSTER)).map(({ node, incarnation }) => `${node} ${String(incarnation)}`);
}

describe.each(['the server that ended it', 'another server'])('the session of a node that was fenced, at %s', (whose) => {
  let passedMs = 0;
  let one: Server;
  let asked: Server;

  beforeEach(async () => {
    passedMs = 0;
    const clock: Clock = { timeOfDay: () => 1_800_000_000_000 + passedMs, monotonic: () => passedMs, after: () => () => undefined };
    const database = new MemoryDatabase(clock);
    one = new Server(database, clock);
    asked = whose === 'another server' ? new Server(database, clock) : one;
    await one.ask({ type: 'create-cluster', name: 'c', cib: CIB });
  });

  const fencedAfterPoll = async (outcome: 'succeeded' | 'failed') => {
    const joined = await one.joinNode('n1');
    await one.joinNode('n2');
    const version = await one.ask({ type: 'set-node-attribute', node: 'n1', name: 'rack', value: 'z', lifetime: 'forever' });
    await one.requestFencing(version);
    expect(await asked.poll(agent('n1'), joined)).toMatchObject({ ok: true });
    await one.completeFencing(outcome);
    passedMs += 500;
    return joined;
  };

  it('is over with the fencing, though what the server last read says that it is not', async () => {
    const joined = await fencedAfterPoll('succeeded');
    expect(await one.leases()).toEqual(['n2 1']);
    expect(await asked.poll(agent('n1'), joined)).toMatchObject({ ok: false, rejection: { code: 'declared-down' } });
  });

  it('goes on when the fencing failed', async () => {
    const joined = await fencedAfterPoll('failed');
    expect(await asked.poll(agent('n1'), joined)).toMatchObject({ ok: true });
  });

  const fencedAfterRejoin = async (bootId: string) => {
    await one.joinNode('n1');
    await one.joinNode('n2');
    await one.requestFencing(await one.ask({ type: 'set-node-attribute', node: 'n1', name: 'rack', value: 'z', lifetime: 'forever' }));
    if (bootId !== 'boot') await one.ask({ type: 'lose-lease', node: 'n1', incarnation: 1, expiredAt: '2027-01-15T08:00:00.000Z' });
    const rejoined = await one.joinNode('n1', bootId);
    await one.completeFencing('succeeded');
    return rejoined;
  };

  it('that its next boot has begun since the fencing was requested goes on', async () => {
    const rejoined = await fencedAfterRejoin('next boot');
    expect(await one.leases()).toEqual([`n1 ${String(rejoined.incarnation)}`, 'n2 1']);
    expect(await asked.poll(agent('n1'), rejoined)).toMatchObject({ ok: true });
  });

  it('that the same boot has begun since the fencing was requested is over with that', async () => {
    const rejoined = await fencedAfterRejoin('boot');
    expect(await one.leases()).toEqual(['n2 1']);
    expect(await asked.poll(agent('n1'), rejoined)).toMatchObject({ ok: false });
  });
});
