import type { ClusterCommand } from '@systole/cluster';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryDatabase } from '../memory/memory-database.js';
import type { Clock } from '../ports/clock.js';
import type { UnansweredDispatch } from '../ports/dispatches.js';
import { ServerOfDatabase } from '../testing/server-of-database.js';
import { GuestTokens } from './guest-tokens.js';
import type { CallingNode } from './session.js';

const CLUSTER = '6a6a8dcd-0000-4000-8000-000000000000';
const CIB =
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/><nodes/><resources>' +
  '<bundle id="db"><podman image="i" replicas="2"/><network control-port="3121"/><primitive id="p" class="ocf" provider="heartbeat" type="Dummy"/></bundle>' +
  '</resources><constraints/></configuration><status/></cib>';
const META = { actor: 'test', correlationId: 'test' };
const clock: Clock = { timeOfDay: () => 1_800_000_000_000, monotonic: () => 0, after: () => () => undefined };

const agent = (node: string): CallingNode => ({ clusterId: CLUSTER, node, tokenId: `t-${node}`, actor: `agent:${node}` });

const start = (node: string, resource: string, more: Partial<UnansweredDispatch> = {}): UnansweredDispatch => ({
  ...{ graphActionId: 1, node, what: '', delivered: true, incarnation: 1, forMs: 1 },
  operation: { resource, operation: 'start', intervalMs: 0 },
  ...more,
});

describe('a token for the agent inside of a container', () => {
  let waiting: readonly UnansweredDispatch[];
  let made: string[];
  let tokens: GuestTokens;
  let whileMaking: () => void;

  beforeEach(async () => {
    const database = new MemoryDatabase(clock);
    const server = new ServerOfDatabase(database, clock);
    const does = async (command: ClusterCommand): Promise<number> => {
      const result = await server.commands.execute(CLUSTER, command, META);
      if (!result.ok) throw new Error(result.rejection.message);
      return result.version;
    };
    await does({ type: 'create-cluster', name: 'c', cib: CIB });
    const { version: inputVersion } = await server.join(agent('n1'), { bootId: 'b' }).then(() => database.openLog(clock).load(CLUSTER));
    const counts = { actions: 1, pseudo: 0, fencing: 0 };
    await does({
      type: 'plan-transition',
      plan: { inputVersion, now: 1, schedulerVersion: '1', digest: 'd', counts, trigger: 't', summary: [] },
    });
    waiting = [];
    made = [];
    whileMaking = () => undefined;
    tokens = new GuestTokens({
      log: database.openLog(clock),
      dispatches: { unanswered: () => Promise.resolve(waiting) },
      makeToken: ({ host, guest, container }) => {
        made.push(`${guest} in ${container} for ${host.actor}`);
        whileMaking();
        return Promise.resolve({ id: 'its-id', secret: 'secret' });
      },
      withdrawBefore: (id) => {
        made.push(`those before ${id} withdrawn`);
        return Promise.resolve();
      },
      withdraw: (id) => {
        made.push(`withdrawn ${id}`);
        return Promise.resolve();
      },
    });
  });

  const ask = async (node: string, guest: string, incarnation = 1): Promise<string> => {
    const given = await tokens.give(agent(node), { incarnation, guest }, 'test');
    return given.ok ? given.answer.secret : given.rejection.code;
  };

  it('is given to the host that was told to start that container', async () => {
    waiting = [start('n1', 'db-podman-1')];
    expect(await ask('n1', 'db-1')).toBe('secret');
    expect(made).toEqual(['db-1 in db-podman-1 for agent:n1', 'those before its-id withdrawn']);
  });

  it('is given to nobody else, for no other node, and in no earlier life of the host', async () => {
    waiting = [start('n1', 'db-podman-1')];
    expect(await ask('n1', 'db-0')).toBe('not-for-this-agent');
    expect(await ask('n1', 'n1')).toBe('not-for-this-agent');
    expect(await ask('n1', 'db-podman-1')).toBe('not-for-this-agent');
    expect(await ask('n1', 'db-1', 7)).not.toBe('secret');
    waiting = [start('n1', 'db-podman-1', { incarnation: 2 })];
    expect(await ask('n1', 'db-1')).toBe('not-for-this-agent');
    waiting = [start('n1', 'db-podman-1')];
    expect(await ask('n2', 'db-1')).not.toBe('secret');
    waiting = [start('n2', 'db-podman-1')];
    expect(await ask('n1', 'db-1')).toBe('not-for-this-agent');
    expect(made).toEqual([]);
  });

  it('is withdrawn again when the start is over before it was given', async () => {
    waiting = [start('n1', 'db-podman-1')];
    whileMaking = () => {
      waiting = [];
    };
    expect(await ask('n1', 'db-1')).toBe('not-for-this-agent');
    expect(made).toEqual(['db-1 in db-podman-1 for agent:n1', 'withdrawn its-id']);
  });

  it('is not given for what was not delivered yet, or is no start', async () => {
    waiting = [start('n1', 'db-podman-1', { delivered: false })];
    expect(await ask('n1', 'db-1')).toBe('not-for-this-agent');
    waiting = [start('n1', 'db-podman-1', { operation: { resource: 'db-podman-1', operation: 'monitor', intervalMs: 0 } })];
    expect(await ask('n1', 'db-1')).toBe('not-for-this-agent');
    waiting = [];
    expect(await ask('n1', 'db-1')).toBe('not-for-this-agent');
  });
});
