import { randomUUID } from 'node:crypto';
import { connectionHosts, type AgentAction } from '@systole/cluster';
import { describe, expect, it } from 'vitest';
import { SimulatedNode } from './testing/simulated-node.js';
import { CIB, workerBench } from './testing/worker-bench.js';

const REMOTES = Array.from({ length: 100 }, (_, index) => `r${String(index + 1)}`);
const LEASE_MS = 60_000;
const PATIENCE_MS = 90_000;

describe('a hundred remote nodes (simulated agents)', () => {
  const bench = workerBench({});

  it('are connected to and run a service each; nothing there is touched when the host of some connections goes away', async () => {
    const { desk, clusterId, nodes } = bench.now();
    const resources = REMOTES.map(
      (name) => `<primitive id="${name}" class="ocf" provider="pacemaker" type="remote"/><primitive id="s-${name}" class="ocf" provider="systole" type="Dummy"/>`,
    ).join('');
    const constraints = REMOTES.map((name) => `<rsc_location id="l-${name}" rsc="s-${name}" node="${name}" score="INFINITY" resource-discovery="exclusive"/>`).join('');
    const cib = CIB.replace('</resources>', `${resources}</resources>`).replace('<constraints/>', `<constraints>${constraints}</constraints>`);
    await desk.commands.execute(clusterId, { type: 'replace-configuration', cib }, { actor: 'test', correlationId: randomUUID() });
    await bench.startWorker();
    await bench.startNodes({ pauseMs: 100 });
    const asked: AgentAction[] = [];
    for (const name of REMOTES) {
      const node = new SimulatedNode(
        desk,
        clusterId,
        name,
        {
          pauseMs: 1_000,
          rcOf: (action) => {
            asked.push(action);
            return undefined;
          },
        },
        LEASE_MS,
      );
      nodes.push(node);
      await node.join();
    }
    const state = await bench.until(
      'each runs its service',
      (at) => bench.settled(at) && REMOTES.every((name) => bench.activeNodes(`s-${name}`).join() === name),
      PATIENCE_MS,
    );
    const hosts = REMOTES.map((name) => connectionHosts(state, name));
    expect(hosts.every((on) => on.length === 1)).toBe(true);
    expect(new Set(hosts.flat()).size, 'the cluster nodes share them').toBe(3);
    expect(state.quorum).toEqual(expect.objectContaining({ votes: 3, expectedVotes: 3 }));

    const before = asked.length;
    await nodes.find(({ name }) => name === 'n1')?.powerOff();
    const after = await bench.until(
      'all connections are held by the others',
      (at) => bench.settled(at) && at.nodes['n1']?.membership === 'down' && REMOTES.every((name) => connectionHosts(at, name).length === 1),
      PATIENCE_MS,
    );
    expect(REMOTES.flatMap((name) => connectionHosts(after, name))).not.toContain('n1');
    // What ran on n1 may have gone to a remote node.
    expect(asked.slice(before).filter(({ resource }) => resource.id.startsWith('s-'))).toEqual([]);
    for (const name of REMOTES) expect(bench.activeNodes(`s-${name}`)).toEqual([name]);
  }, 240_000);
});
