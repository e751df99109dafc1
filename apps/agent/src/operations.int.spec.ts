import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processStat } from '@systole/ocf';
import { describe, expect, it } from 'vitest';
import { numberIn, operation, until } from './testing/agent-process.js';
import { agentUnderTest, testResource } from './testing/agent-under-test.js';

const under = agentUnderTest();

describe('operations', () => {
  it('are run with the resource agent and reported with what identifies them', async () => {
    under.node.start();
    expect(await under.run('db', 'monitor', { expectedRc: 7 })).toMatchObject({
      status: 'done',
      rc: 7,
      resource: { id: 'db' },
      recurring: false,
    });
    expect(await under.run('db', 'start', { digests: { opDigest: 'abc' } })).toMatchObject({
      operation: 'start',
      status: 'done',
      rc: 0,
      callId: 2,
      digests: { opDigest: 'abc' },
    });
    expect(under.isRunning('db')).toBe(true);
  });

  it('of one resource never overlap, those of different resources do', async () => {
    const flags = under.installAgent(
      'slow',
      'echo "begin $OCF_RESOURCE_INSTANCE $1" >>log; sleep 0.4; echo "end $OCF_RESOURCE_INSTANCE $1" >>log',
    );
    under.node.start(...flags, '--action-limit', '4');
    const a = testResource('slow');
    const b = { resource: { ...a.resource, id: 'other', historyId: 'other' } };
    const orders = [operation('slow', 'start', a), operation('slow', 'monitor', a), operation('other', 'start', b)];
    for (const order of orders) under.server.order(order);
    await Promise.all(orders.map(under.resultOf));
    const log = readFileSync(join(under.node.directory, 'log'), 'utf8').trim().split('\n');
    expect(log.filter((line) => line.includes(' slow '))).toEqual([
      'begin slow start',
      'end slow start',
      'begin slow monitor',
      'end slow monitor',
    ]);
    expect(log.indexOf('begin other start')).toBeLessThan(log.indexOf('end slow start'));
  });

  it('that fail carry the exit reason of the resource agent', async () => {
    under.node.start();
    await under.run('db', 'start');
    writeFileSync(under.node.stateFile('fail-stop'), '4');
    const exitReason = `stop fails because ${under.node.stateFile('fail-stop')} exists`;
    expect(await under.run('db', 'stop')).toMatchObject({ status: 'done', rc: 4, exitReason });
  });

  it('that take too long are killed with everything that they started', async () => {
    const flags = under.installAgent('stuck', `trap '' TERM; (trap '' TERM; sleep 60 & echo $! >grandchild; wait) & wait`);
    under.node.start(...flags);
    const result = await under.run('stuck', 'start', { ...testResource('stuck'), timeoutMs: 500 });
    expect(result).toMatchObject({ status: 'timeout', rc: 1, exitReason: 'timed out after 500 ms' });
    const grandchild = numberIn(join(under.node.directory, 'grandchild')) ?? 0;
    expect(grandchild).toBeGreaterThan(1);
    expect(processStat(grandchild)?.state ?? 'gone').toMatch(/gone|Z/);
  });

  it('of agents that are not installed are reported as such', async () => {
    under.node.start();
    const resource = { id: 'x', historyId: 'x', class: 'ocf', provider: 'acme', type: 'Nothing' };
    expect(await under.run('x', 'monitor', { resource })).toMatchObject({ status: 'not-installed', rc: 5 });
  });

  it('are delivered again when the server goes away before it has the result, but not run again', async () => {
    const flags = under.installAgent('counted', 'echo "$1" >>log; sleep 0.5');
    under.node.start(...flags);
    const action = operation('counted', 'start', testResource('counted'));
    under.server.order(action);
    await until(() => existsSync(join(under.node.directory, 'log')), 'the start runs');
    under.server.unreachable = true;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    under.server.unreachable = false;
    expect(await under.resultOf(action)).toMatchObject({ status: 'done', rc: 0 });
    under.server.order(action);
    await under.run('counted', 'monitor', testResource('counted'));
    expect(readFileSync(join(under.node.directory, 'log'), 'utf8')).toBe('start\nmonitor\n');
  });
});

describe('recurring operations', () => {
  it('are repeated by the agent and reported when their result changes', async () => {
    under.node.start();
    await under.run('db', 'start');
    const monitor = operation('db', 'monitor', { intervalMs: 150 });
    under.server.order(monitor);
    expect(await under.resultOf(monitor)).toMatchObject({ rc: 0, recurring: false });
    rmSync(under.node.stateFile('Dummy-db.state'));
    await until(() => under.server.results.some((result) => result.recurring), 'the failure is reported');
    await new Promise((resolve) => setTimeout(resolve, 600));
    const later = under.server.results.filter((result) => result.recurring);
    expect(later.map(({ actionId, rc, intervalMs }) => ({ actionId, rc, intervalMs }))).toEqual([
      { actionId: monitor.actionId, rc: 7, intervalMs: 150 },
    ]);
  });

  it('end when they are cancelled', async () => {
    const flags = under.installAgent('counted', 'echo "$1" >>log');
    under.node.start(...flags);
    const resource = testResource('counted');
    await under.run('counted', 'monitor', { ...resource, intervalMs: 100 });
    await until(() => runs() >= 3, 'it has been repeated');
    await under.run('counted', 'monitor', { ...resource, kind: 'cancel', intervalMs: 100 });
    const before = runs();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(runs()).toBe(before);
  });

  it('end when the state of the resource is changed', async () => {
    const flags = under.installAgent('counted', 'echo "$1" >>log');
    under.node.start(...flags);
    const resource = testResource('counted');
    await under.run('counted', 'monitor', { ...resource, intervalMs: 100 });
    await under.run('counted', 'stop', resource);
    const before = runs();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(runs()).toBe(before);
  });

  function runs(): number {
    const file = join(under.node.directory, 'log');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
  }
});

describe('a result that the server does not take', () => {
  it('blocks none behind it, is said, and its action is not run again', async () => {
    const agent = under.node.start();
    const bad = operation('bad', 'start');
    under.server.poison.add(bad.actionId);
    under.server.order(bad);
    await until(() => agent.log.includes('it is set aside in the journal'), 'it is set aside');
    expect(await under.run('good', 'start')).toMatchObject({ rc: 0 });
    await until(() => under.server.polls.at(-1)?.troubles?.[0]?.code === 'result-refused', 'the server is told');
    expect(under.server.results.map(({ actionId }) => actionId)).not.toContain(bad.actionId);
  });
});
