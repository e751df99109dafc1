import { describe, expect, it } from 'vitest';
import { clusterSeries, type CountedStatus } from './cluster-series.js';

const NODES = { total: 0, online: 0, unclean: 0, pending: 0, offline: 0, standby: 0, maintenance: 0, shutdown: 0 };
const RESOURCES = { total: 0, started: 0, stopped: 0, unknown: 0, promoted: 0, disabled: 0, failed: 0, blocked: 0, unmanaged: 0 };
const DB: CountedStatus['resources'][number] = {
  ...{
    id: 'db',
    kind: 'primitive',
    role: 'Stopped',
    nextRole: 'Stopped',
    managed: true,
    failed: false,
    blocked: false,
    removed: false,
    activeOn: [],
    children: [],
  },
};
const STATUS: CountedStatus = {
  ...{ clusterId: 'id', name: 'prod', version: 7, settled: true, health: 'good', troubles: [] },
  ...{ counts: { nodes: NODES, resources: RESOURCES }, nodes: [], resources: [DB] },
  ...{ failures: [], failCounts: [], fencing: [], tickets: [] },
};
const failCount = (node: string, operation: string, count: string, resource = 'db'): CountedStatus['failCounts'][number] => ({
  ...{ resource, node, operation, intervalMs: 0, count },
});

describe('the series of a cluster', () => {
  it('add up the fail counts of a resource on a node', async () => {
    const failCounts = [failCount('n1', 'monitor', '1'), failCount('n1', 'start', '2'), failCount('n2', 'stop', 'INFINITY')];
    const text = await clusterSeries({ ...STATUS, failCounts }, { named: false });
    expect(text).toContain('systole_cluster_fail_count{cluster="prod",resource="db",node="n1"} 3\n');
    expect(text).toContain('systole_cluster_fail_count{cluster="prod",resource="db",node="n2"} +Inf\n');
  });

  it.each(['+INFINITY', '1000000'])('show %s as what it is, and nothing of what is no resource or no number', async (count) => {
    const failCounts = [failCount('n1', 'start', count), failCount('n1', 'stop', 'x'), failCount('n1', 'start', '1', 'made-up')];
    const text = await clusterSeries({ ...STATUS, failCounts }, { named: false });
    expect(text).toContain('systole_cluster_fail_count{cluster="prod",resource="db",node="n1"} +Inf\n');
    expect(text).not.toContain('made-up');
  });

  it('are so many and no more, and say how many are left off', async () => {
    const failCounts = Array.from({ length: 10_005 }, (_, index) => failCount(`n${String(index)}`, 'start', '1'));
    const text = await clusterSeries({ ...STATUS, failCounts }, { named: false });
    expect(text.split('\n').filter((line) => line.startsWith('systole_cluster_fail_count{'))).toHaveLength(10_000);
    expect(text).toContain('systole_cluster_series_left_off{cluster="prod",metric="systole_cluster_fail_count"} 5\n');
    const { length } = text.split('\n').filter((line) => !/^(#|$)|fail_count\{/.test(line));
    expect(length).toBeLessThan(60);
  });

  it('say nothing of a quorum that nobody counted yet', async () => {
    expect(await clusterSeries(STATUS, { named: true })).not.toMatch(/quorate|votes/);
    const quorum = { quorate: false, votes: 1, expectedVotes: 3 };
    expect(await clusterSeries({ ...STATUS, quorum }, { named: true })).toContain('systole_cluster_quorate{cluster="prod"} 0\n');
  });
});
