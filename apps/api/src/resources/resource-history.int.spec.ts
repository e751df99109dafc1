import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type ApiUnderTest } from '../testing/api-under-test.js';
import { RunningCluster } from '../testing/running-cluster.js';

describe('the history of a resource', () => {
  let under: ApiUnderTest;
  let running: RunningCluster;
  beforeAll(async () => {
    under = await apiUnderTest();
    running = new RunningCluster(under, await under.cluster('history', CIB));
    await running.join('n1');
  });
  afterAll(async () => {
    await running.close();
    await under.close();
  });

  it('tells what was run, what failed, and what a probe found, which is no failure', async () => {
    await running.operation('n1', 'web', 'monitor', { rc: 0, expectedRc: 7 });
    await running.operation('n1', 'web', 'monitor', { rc: 7, expectedRc: 7 });
    await running.operation('n1', 'web', 'start');
    await running.operation('n1', 'web', 'monitor', { rc: 1, intervalMs: 10_000 });
    await running.operation('n1', 'web', 'monitor', { rc: 1, expectedRc: 7 });
    await under.call('POST', '/v1/clusters/history/resources/web/commands/disable', { body: { reason: 'to mend it' } });
    const { json } = await under.call('GET', '/v1/clusters/history/resources/web/history');
    const { items } = json as { items: readonly { kind: string; event: { type: string } }[] };
    expect(items.map(({ kind }) => kind)).toEqual([
      'configuration',
      'operation',
      'operation',
      'operation',
      'failure',
      'failure',
      'configuration',
    ]);
  });
});
