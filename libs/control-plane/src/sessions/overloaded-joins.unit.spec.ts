import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryDatabase } from '../memory/memory-database.js';
import { ServerOverloaded } from '../ports/admission.js';
import type { Clock } from '../ports/clock.js';
import { ServerOfDatabase, type ShownSession } from '../testing/server-of-database.js';
import type { CallingNode } from './session.js';

const CLUSTER = '6a6a8dcd-0000-4000-8000-000000000000';
const CIB =
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/><nodes/>' +
  '<resources/><constraints/></configuration><status/></cib>';
const agent = (node: string): CallingNode => ({ clusterId: CLUSTER, node, tokenId: `t-${node}`, actor: `agent:${node}` });
const N1 = agent('n1');

describe('a join at a server that keeps agents waiting', () => {
  let isOverloaded: boolean;
  let server: ServerOfDatabase;
  let first: ShownSession;

  /** As an agent that was started anew. */
  const join = (of: CallingNode, lastIncarnation: number | undefined, processStartedMs: number): Promise<ShownSession> =>
    server.join(of, { attempt: { processStartedMs, number: 1 }, ...(lastIncarnation === undefined ? {} : { lastIncarnation }) });

  beforeEach(async () => {
    isOverloaded = false;
    const clock: Clock = { timeOfDay: () => 1_800_000_000_000, monotonic: () => 0, after: () => () => undefined };
    const admit = (): void => {
      if (isOverloaded) throw new ServerOverloaded('agents are kept waiting', 4_000);
    };
    server = new ServerOfDatabase(new MemoryDatabase(clock), clock, { admit, admitNew: admit, polled: () => undefined });
    const by = { actor: 'test', correlationId: 'test' };
    const created = await server.commands.execute(CLUSTER, { type: 'create-cluster', name: 'c', cib: CIB }, by);
    expect(created.ok).toBe(true);
    first = await join(N1, undefined, 1);
    isOverloaded = true;
  });

  it('is taken of a node that was told to join anew, and may hold a lease', async () => {
    expect((await join(N1, first.incarnation, 2)).incarnation).toBe(first.incarnation + 1);
  });

  it('is refused of one that has none to save, before anything is read', async () => {
    const { reads } = server;
    await expect(join(N1, undefined, 2)).rejects.toBeInstanceOf(ServerOverloaded);
    await expect(join(agent('n2'), undefined, 2)).rejects.toBeInstanceOf(ServerOverloaded);
    expect(server.reads).toBe(reads);
  });

  it('is refused of one whose life is over, or that the cluster does not know', async () => {
    await expect(join(N1, first.incarnation + 7, 2)).rejects.toBeInstanceOf(ServerOverloaded);
    await expect(join(agent('n2'), 3, 2)).rejects.toBeInstanceOf(ServerOverloaded);
    isOverloaded = false;
    await server.sessions.leave(N1, { incarnation: first.incarnation, active: [] }, 'test');
    isOverloaded = true;
    await expect(join(N1, first.incarnation, 2)).rejects.toBeInstanceOf(ServerOverloaded);
  });
});
