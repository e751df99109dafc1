import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processStat } from '@systole/ocf';
import { describe, expect, it } from 'vitest';
import { numberIn, operation, until } from './testing/agent-process.js';
import { agentUnderTest, testResource } from './testing/agent-under-test.js';

const under = agentUnderTest();

describe('after a crash of the agent', () => {
  it('what was in flight is ended and reported as lost, never run again', async () => {
    const flags = under.installAgent('slow', 'echo "$1" >>log; sleep 30 & echo $! >child; wait');
    const first = under.node.start(...flags);
    const action = operation('slow', 'start', testResource('slow'));
    under.server.order(action);
    await until(() => numberIn(join(under.node.directory, 'child')) !== undefined, 'the start runs');
    const child = numberIn(join(under.node.directory, 'child')) ?? 0;
    await first.kill();
    expect(processStat(child)).toBeDefined();

    under.node.start(...flags);
    expect(await under.resultOf(action)).toMatchObject({ status: 'lost', operation: 'start', incarnation: 1 });
    expect(processStat(child)?.state ?? 'gone').toMatch(/gone|Z/);
    expect(under.server.incarnation).toBe(2);
    under.server.order(action);
    await under.run('db', 'monitor');
    expect(readFileSync(join(under.node.directory, 'log'), 'utf8')).toBe('start\n');
  });

  it('what was in flight is ended, too, when the agent died before it had noted the pid', async () => {
    const flags = under.installAgent('slow', 'sleep 30 & echo $! >child; wait');
    const first = under.node.start(...flags);
    const action = operation('slow', 'start', testResource('slow'));
    under.server.order(action);
    await until(() => numberIn(join(under.node.directory, 'child')) !== undefined, 'the start runs');
    const child = numberIn(join(under.node.directory, 'child')) ?? 0;
    await first.kill();
    const journal = join(under.node.stateDir, 'journal');
    const lines = readFileSync(journal, 'utf8').split('\n');
    writeFileSync(journal, lines.filter((line) => !line.includes('"kind":"process"')).join('\n'));

    under.node.start(...flags);
    expect(await under.resultOf(action)).toMatchObject({ status: 'lost', operation: 'start' });
    expect(processStat(child)?.state ?? 'gone').toMatch(/gone|Z/);
  });

  it('results that the server has not acknowledged are delivered', async () => {
    const first = under.node.start(...under.installAgent('gate', 'touch begun; while [ ! -e go ]; do sleep 0.05; done; touch ended'));
    const action = operation('gate', 'start', testResource('gate'));
    under.server.order(action);
    await until(() => existsSync(join(under.node.directory, 'begun')), 'the start runs');
    under.server.unreachable = true;
    writeFileSync(join(under.node.directory, 'go'), '');
    await until(
      () => readFileSync(join(under.node.stateDir, 'journal'), 'utf8').includes('"kind":"result"'),
      'the result is in the journal',
    );
    await first.kill();
    under.server.unreachable = false;
    under.node.start();
    expect(await under.resultOf(action)).toMatchObject({ status: 'done', rc: 0 });
  });

  it('again and again, every action is run at most once and has exactly one outcome', async () => {
    const flags = under.installAgent('counted', 'echo "$OCF_RESKEY_number" >>log; sleep 0.1');
    const orders = Array.from({ length: 40 }, (_, index) => {
      const resource = { ...testResource('counted').resource, id: `r${index % 5}`, historyId: `r${index % 5}` };
      return operation(resource.id, 'start', { resource, parameters: { number: String(index) } });
    });
    for (const order of orders) under.server.order(order);
    for (let round = 0; round < 5; round += 1) {
      const agent = under.node.start(...flags);
      const before = under.server.results.length;
      await until(() => under.server.results.length >= Math.min(before + 3, orders.length), 'it gets on');
      // At another moment of the work each time.
      await new Promise((resolve) => setTimeout(resolve, round * 23));
      await agent.kill();
    }
    under.node.start(...flags);
    for (const order of orders) await under.resultOf(order);

    const runs = readFileSync(join(under.node.directory, 'log'), 'utf8').trim().split('\n');
    expect(new Set(runs).size).toBe(runs.length);
    const outcomes = new Map(under.server.results.map(({ resultId, actionId }) => [resultId, actionId]));
    expect([...outcomes.values()].sort()).toEqual(orders.map((order) => order.actionId).sort());
    const done = under.server.results.filter(({ status }) => status === 'done').map(({ actionId }) => actionId);
    const ran = new Set(runs.map((number) => orders[Number(number)]?.actionId));
    for (const actionId of done) expect(ran).toContain(actionId);
  });

  it('a second agent with the same state directory is refused', async () => {
    under.node.start();
    await until(() => under.server.incarnation === 1, 'the first has joined');
    const second = under.node.start();
    expect(await second.exit).toBe(1);
    expect(second.log).toContain('another systole-agent');
  });
});
