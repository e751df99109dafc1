import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processStat } from '@systole/ocf';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AgentResult, FenceOrder } from '@systole/protocol';
import { buildAgent, numberIn, operation, TestNode, until } from './testing/agent-process.js';
import { ScriptedServer } from './testing/scripted-server.js';

beforeAll(buildAgent);

let server: ScriptedServer;
let node: TestNode;

async function given(leaseMs = 10_000): Promise<void> {
  server = await ScriptedServer.start({ leaseMs });
  node = new TestNode(server.url);
}

beforeEach(() => given());

afterEach(async () => {
  await node.destroy();
  await server.stop();
});

async function resultOf(action: { actionId: string }): Promise<AgentResult> {
  const find = (): AgentResult | undefined => server.results.find((result) => result.actionId === action.actionId);
  await until(() => find() !== undefined, `action ${action.actionId} is reported`);
  const found = find();
  if (found === undefined) throw new Error('vanished');
  return found;
}

async function run(...order: Parameters<typeof operation>): Promise<AgentResult> {
  const action = operation(...order);
  server.order(action);
  return resultOf(action);
}

function isRunning(resource: string): boolean {
  return existsSync(node.stateFile(`Dummy-${resource}.state`));
}

/** A resource agent of the test's own; `body` is shell. */
function installAgent(type: string, body: string): readonly string[] {
  const root = join(node.directory, 'ocf');
  mkdirSync(join(root, 'resource.d', 'test'), { recursive: true });
  writeFileSync(join(root, 'resource.d', 'test', type), `#!/bin/sh\ncd '${node.directory}'\n${body}\n`, { mode: 0o755 });
  return ['--ocf-root', root];
}

function testResource(type: string): { resource: { id: string; historyId: string; class: string; provider: string; type: string } } {
  return { resource: { id: type, historyId: type, class: 'ocf', provider: 'test', type } };
}

describe('operations', () => {
  it('are run with the resource agent and reported with what identifies them', async () => {
    node.start();
    expect(await run('db', 'monitor', { expectedRc: 7 })).toMatchObject({
      status: 'done',
      rc: 7,
      resource: { id: 'db' },
      recurring: false,
    });
    expect(await run('db', 'start', { digests: { opDigest: 'abc' } })).toMatchObject({
      operation: 'start',
      status: 'done',
      rc: 0,
      callId: 2,
      digests: { opDigest: 'abc' },
    });
    expect(isRunning('db')).toBe(true);
  });

  it('of one resource never overlap, those of different resources do', async () => {
    const flags = installAgent(
      'slow',
      'echo "begin $OCF_RESOURCE_INSTANCE $1" >>log; sleep 0.4; echo "end $OCF_RESOURCE_INSTANCE $1" >>log',
    );
    node.start(...flags, '--action-limit', '4');
    const a = testResource('slow');
    const b = { resource: { ...a.resource, id: 'other', historyId: 'other' } };
    const orders = [operation('slow', 'start', a), operation('slow', 'monitor', a), operation('other', 'start', b)];
    for (const order of orders) server.order(order);
    await Promise.all(orders.map(resultOf));
    const log = readFileSync(join(node.directory, 'log'), 'utf8').trim().split('\n');
    expect(log.filter((line) => line.includes(' slow '))).toEqual([
      'begin slow start',
      'end slow start',
      'begin slow monitor',
      'end slow monitor',
    ]);
    expect(log.indexOf('begin other start')).toBeLessThan(log.indexOf('end slow start'));
  });

  it('that fail carry the exit reason of the resource agent', async () => {
    node.start();
    await run('db', 'start');
    writeFileSync(node.stateFile('fail-stop'), '4');
    const exitReason = `stop fails because ${node.stateFile('fail-stop')} exists`;
    expect(await run('db', 'stop')).toMatchObject({ status: 'done', rc: 4, exitReason });
  });

  it('that take too long are killed with everything that they started', async () => {
    const flags = installAgent('stuck', `trap '' TERM; (trap '' TERM; sleep 60 & echo $! >grandchild; wait) & wait`);
    node.start(...flags);
    const result = await run('stuck', 'start', { ...testResource('stuck'), timeoutMs: 500 });
    expect(result).toMatchObject({ status: 'timeout', rc: 1, exitReason: 'timed out after 500 ms' });
    const grandchild = numberIn(join(node.directory, 'grandchild')) ?? 0;
    expect(grandchild).toBeGreaterThan(1);
    expect(processStat(grandchild)?.state ?? 'gone').toMatch(/gone|Z/);
  });

  it('of agents that are not installed are reported as such', async () => {
    node.start();
    const resource = { id: 'x', historyId: 'x', class: 'ocf', provider: 'acme', type: 'Nothing' };
    expect(await run('x', 'monitor', { resource })).toMatchObject({ status: 'not-installed', rc: 5 });
  });

  it('are delivered again when the server goes away before it has the result, but not run again', async () => {
    const flags = installAgent('counted', 'echo "$1" >>log; sleep 0.5');
    node.start(...flags);
    const action = operation('counted', 'start', testResource('counted'));
    server.order(action);
    await until(() => existsSync(join(node.directory, 'log')), 'the start runs');
    server.unreachable = true;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    server.unreachable = false;
    expect(await resultOf(action)).toMatchObject({ status: 'done', rc: 0 });
    server.order(action);
    await run('counted', 'monitor', testResource('counted'));
    expect(readFileSync(join(node.directory, 'log'), 'utf8')).toBe('start\nmonitor\n');
  });
});

describe('recurring operations', () => {
  it('are repeated by the agent and reported when their result changes', async () => {
    node.start();
    await run('db', 'start');
    const monitor = operation('db', 'monitor', { intervalMs: 150 });
    server.order(monitor);
    expect(await resultOf(monitor)).toMatchObject({ rc: 0, recurring: false });
    rmSync(node.stateFile('Dummy-db.state'));
    await until(() => server.results.some((result) => result.recurring), 'the failure is reported');
    await new Promise((resolve) => setTimeout(resolve, 600));
    const later = server.results.filter((result) => result.recurring);
    expect(later.map(({ actionId, rc, intervalMs }) => ({ actionId, rc, intervalMs }))).toEqual([
      { actionId: monitor.actionId, rc: 7, intervalMs: 150 },
    ]);
  });

  it('end when they are cancelled', async () => {
    const flags = installAgent('counted', 'echo "$1" >>log');
    node.start(...flags);
    const resource = testResource('counted');
    await run('counted', 'monitor', { ...resource, intervalMs: 100 });
    await until(() => runs() >= 3, 'it has been repeated');
    await run('counted', 'monitor', { ...resource, kind: 'cancel', intervalMs: 100 });
    const before = runs();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(runs()).toBe(before);
  });

  it('end when the state of the resource is changed', async () => {
    const flags = installAgent('counted', 'echo "$1" >>log');
    node.start(...flags);
    const resource = testResource('counted');
    await run('counted', 'monitor', { ...resource, intervalMs: 100 });
    await run('counted', 'stop', resource);
    const before = runs();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(runs()).toBe(before);
  });

  function runs(): number {
    const file = join(node.directory, 'log');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
  }
});

describe('after a crash of the agent', () => {
  it('what was in flight is ended and reported as lost, never run again', async () => {
    const flags = installAgent('slow', 'echo "$1" >>log; sleep 30 & echo $! >child; wait');
    const first = node.start(...flags);
    const action = operation('slow', 'start', testResource('slow'));
    server.order(action);
    await until(() => numberIn(join(node.directory, 'child')) !== undefined, 'the start runs');
    const child = numberIn(join(node.directory, 'child')) ?? 0;
    await first.kill();
    expect(processStat(child)).toBeDefined();

    node.start(...flags);
    expect(await resultOf(action)).toMatchObject({ status: 'lost', operation: 'start', incarnation: 1 });
    expect(processStat(child)?.state ?? 'gone').toMatch(/gone|Z/);
    expect(server.incarnation).toBe(2);
    server.order(action);
    await run('db', 'monitor');
    expect(readFileSync(join(node.directory, 'log'), 'utf8')).toBe('start\n');
  });

  it('what was in flight is ended, too, when the agent died before it had noted the pid', async () => {
    const flags = installAgent('slow', 'sleep 30 & echo $! >child; wait');
    const first = node.start(...flags);
    const action = operation('slow', 'start', testResource('slow'));
    server.order(action);
    await until(() => numberIn(join(node.directory, 'child')) !== undefined, 'the start runs');
    const child = numberIn(join(node.directory, 'child')) ?? 0;
    await first.kill();
    const journal = join(node.stateDir, 'journal');
    const lines = readFileSync(journal, 'utf8').split('\n');
    writeFileSync(journal, lines.filter((line) => !line.includes('"kind":"process"')).join('\n'));

    node.start(...flags);
    expect(await resultOf(action)).toMatchObject({ status: 'lost', operation: 'start' });
    expect(processStat(child)?.state ?? 'gone').toMatch(/gone|Z/);
  });

  it('results that the server has not acknowledged are delivered', async () => {
    const first = node.start(...installAgent('gate', 'touch begun; while [ ! -e go ]; do sleep 0.05; done; touch ended'));
    const action = operation('gate', 'start', testResource('gate'));
    server.order(action);
    await until(() => existsSync(join(node.directory, 'begun')), 'the start runs');
    server.unreachable = true;
    writeFileSync(join(node.directory, 'go'), '');
    await until(() => readFileSync(join(node.stateDir, 'journal'), 'utf8').includes('"kind":"result"'), 'the result is in the journal');
    await first.kill();
    server.unreachable = false;
    node.start();
    expect(await resultOf(action)).toMatchObject({ status: 'done', rc: 0 });
  });

  it('again and again, every action is run at most once and has exactly one outcome', async () => {
    const flags = installAgent('counted', 'echo "$OCF_RESKEY_number" >>log; sleep 0.1');
    const orders = Array.from({ length: 40 }, (_, index) => {
      const resource = { ...testResource('counted').resource, id: `r${index % 5}`, historyId: `r${index % 5}` };
      return operation(resource.id, 'start', { resource, parameters: { number: String(index) } });
    });
    for (const order of orders) server.order(order);
    for (let round = 0; round < 5; round += 1) {
      const agent = node.start(...flags);
      const before = server.results.length;
      await until(() => server.results.length >= Math.min(before + 3, orders.length), 'it gets on');
      // At another moment of the work each time.
      await new Promise((resolve) => setTimeout(resolve, round * 23));
      await agent.kill();
    }
    node.start(...flags);
    for (const order of orders) await resultOf(order);

    const runs = readFileSync(join(node.directory, 'log'), 'utf8').trim().split('\n');
    expect(new Set(runs).size).toBe(runs.length);
    const outcomes = new Map(server.results.map(({ resultId, actionId }) => [resultId, actionId]));
    expect([...outcomes.values()].sort()).toEqual(orders.map((order) => order.actionId).sort());
    const done = server.results.filter(({ status }) => status === 'done').map(({ actionId }) => actionId);
    const ran = new Set(runs.map((number) => orders[Number(number)]?.actionId));
    for (const actionId of done) expect(ran).toContain(actionId);
  });

  it('a second agent with the same state directory is refused', async () => {
    node.start();
    await until(() => server.incarnation === 1, 'the first has joined');
    const second = node.start();
    expect(await second.exit).toBe(1);
    expect(second.log).toContain('another systole-agent');
  });
});

describe('when the lease can not be renewed', () => {
  beforeEach(async () => {
    await server.stop();
    await given(2_000);
  });

  it('the agent stops its resources before the lease ends, and joins anew when it can', async () => {
    const agent = node.start();
    await run('one', 'start');
    await run('two', 'start');
    server.unreachable = true;
    const lost = performance.now();
    await until(() => !isRunning('one') && !isRunning('two'), 'the resources are stopped');
    expect(performance.now() - lost).toBeLessThan(2_000);
    server.unreachable = false;
    await until(() => server.incarnation === 2, 'it joins as a new incarnation');
    expect(agent.log).toContain('stopped by the agent itself');
  });

  it('a resource that is not managed is left as it is', async () => {
    server.unmanaged = ['one'];
    const agent = node.start();
    await run('one', 'start');
    await run('two', 'start');
    server.unreachable = true;
    await until(() => !isRunning('two'), 'the managed resource is stopped');
    server.unreachable = false;
    await until(() => agent.log.split('"joined"').length === 3, 'it joins anew');
    expect(isRunning('one')).toBe(true);
  });

  it('an operation in progress is ended, too', async () => {
    const flags = installAgent('slow', '[ "$1" = stop ] && { echo stopped >>log; exit 0; }; sleep 30 & echo $! >child; wait');
    node.start(...flags);
    server.order(operation('slow', 'start', testResource('slow')));
    await until(() => numberIn(join(node.directory, 'child')) !== undefined, 'the start runs');
    server.unreachable = true;
    await until(() => existsSync(join(node.directory, 'log')), 'the resource is stopped');
    expect(processStat(numberIn(join(node.directory, 'child')) ?? 0)?.state ?? 'gone').toMatch(/gone|Z/);
  });

  it('a new agent process that finds resources of the one before stops them, too', async () => {
    const first = node.start();
    await run('one', 'start');
    await first.kill();
    server.unreachable = true;
    node.start();
    await until(() => !isRunning('one'), 'the resource is stopped');
  });

  it('that the server has ended already, the agent stops its resources and joins anew', async () => {
    node.start();
    await run('one', 'start');
    server.endLease();
    await until(() => server.incarnation === 2, 'it joins as a new incarnation');
    expect(isRunning('one')).toBe(false);
  });

  it('with on-lease-loss=ignore resources go on', async () => {
    const agent = node.start('--on-lease-loss', 'ignore');
    await run('one', 'start');
    server.unreachable = true;
    await until(() => agent.log.includes('what runs goes on'), 'the loss is noticed');
    server.unreachable = false;
    await run('two', 'start');
    expect(isRunning('one')).toBe(true);
    expect(server.incarnation).toBe(1);
  });

  it('with a watchdog it stops feeding it and leaves the resources to the reset', async () => {
    const device = join(node.directory, 'watchdog');
    writeFileSync(device, '');
    const agent = node.start('--watchdog', device);
    await run('one', 'start');
    const fed = readFileSync(device).length;
    expect(fed).toBeGreaterThan(0);
    server.unreachable = true;
    await until(() => agent.log.includes('can not be renewed in time'), 'the loss is noticed');
    const atLoss = readFileSync(device).length;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(readFileSync(device).length).toBe(atLoss);
    expect(isRunning('one')).toBe(true);
  });

  it('a watchdog is disarmed by an agent that stopped everything, and not by one that could not', async () => {
    for (const [stop, exit, last] of [
      ['exit 0', 0, 'V'],
      ['exit 1', 70, '\0'],
    ] as const) {
      const device = join(node.directory, `watchdog-${exit}`);
      writeFileSync(device, '');
      const agent = node.start('--watchdog', device, ...installAgent('firm', `[ "$1" = stop ] && ${stop}; exit 0`));
      await run('firm', 'start', testResource('firm'));
      server.unreachable = true;
      agent.signal('SIGTERM');
      expect(await agent.exit).toBe(exit);
      expect(readFileSync(device, 'utf8').at(-1)).toBe(last);
      server.unreachable = false;
    }
  });
});

describe('what the server wants done when the lease is lost', () => {
  beforeEach(async () => {
    await server.stop();
    await given(2_000);
  });

  it('is done: nothing is stopped where it said keep, also by an agent that restarts while it is away', async () => {
    server.onLeaseLoss = 'keep';
    const agent = node.start();
    await run('one', 'start');
    server.unreachable = true;
    await until(() => agent.log.includes('what runs goes on'), 'the loss is noticed');
    await agent.kill();
    const second = node.start();
    await until(() => second.log.includes('what runs goes on'), 'the loss is noticed again');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(isRunning('one')).toBe(true);
    server.unreachable = false;
    await run('two', 'start');
    expect(server.joins.at(-1)?.witness).toMatchObject({ epoch: 'c1' });
  });

  it('also by an agent whose journal was wiped while it was away', async () => {
    server.onLeaseLoss = 'keep';
    const agent = node.start();
    await run('one', 'start');
    await agent.kill();
    server.unreachable = true;
    rmSync(join(node.stateDir, 'journal'));
    const second = node.start();
    await until(() => second.log.includes('what runs goes on'), 'the loss is noticed');
    expect(isRunning('one')).toBe(true);
  });

  it('is overridden by a setting of the node, and that is said', async () => {
    server.onLeaseLoss = 'keep';
    const agent = node.start('--on-lease-loss', 'stop');
    await run('one', 'start');
    expect(agent.log).toContain('overridden by a local setting');
    await until(() => server.polls.at(-1)?.troubles?.[0]?.code === 'lease-loss-overridden', 'the server is told');
    server.unreachable = true;
    await until(() => !isRunning('one'), 'the resource is stopped');
  });

  it('is done by an agent whose journal was wiped: it finds what runs in its second record', async () => {
    const agent = node.start();
    await run('one', 'start');
    await agent.kill();
    server.unreachable = true;
    rmSync(join(node.stateDir, 'journal'));
    node.start();
    await until(() => !isRunning('one'), 'the resource is stopped');
  });

  it('goes on where the server only says that the lease was lost', async () => {
    server.onLeaseLoss = 'stop';
    node.start();
    await run('one', 'start');
    server.endLease('lease-lost');
    await until(() => server.incarnation === 2, 'it joins as a new incarnation');
    expect(isRunning('one')).toBe(true);
    await run('two', 'start');
  });

  it('is stopped before the node joins that was declared down', async () => {
    server.onLeaseLoss = 'keep';
    node.start();
    await run('one', 'start');
    server.endLease('declared-down');
    await until(() => server.incarnation === 2, 'it joins as a new incarnation');
    expect(isRunning('one')).toBe(false);
  });
});

describe('an agent that was frozen for longer than its lease', () => {
  it.each([
    ['stop', false],
    ['keep', true],
  ] as const)('acts on that first, and begins nothing that it was handed out before (%s)', async (policy, runsAfterwards) => {
    await server.stop();
    await given(2_000);
    server.onLeaseLoss = policy;
    const agent = node.start();
    await run('one', 'start');
    await until(() => server.polls.length > 2, 'a poll waits');
    agent.signal('SIGSTOP');
    // The answer to the poll that waits lies in the agent's socket when it goes on.
    server.order(operation('late', 'start'));
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    server.unreachable = true;
    agent.signal('SIGCONT');
    await until(() => agent.log.includes('can not be renewed in time'), 'the loss is noticed');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(isRunning('late')).toBe(false);
    expect(isRunning('one')).toBe(runsAfterwards);
  });
});

describe('several servers', () => {
  it('are tried in turn: one that hangs or is gone costs no lease', async () => {
    const other = await ScriptedServer.start({ leaseMs: 10_000 });
    await server.stop();
    server = await ScriptedServer.start({ leaseMs: 3_000 });
    const twice = new TestNode([server.url, other.url]);
    try {
      const agent = twice.start();
      await until(() => server.incarnation === 1, 'it has joined at the first');
      other.incarnation = 1;
      server.hangs = true;
      await until(() => other.polls.length > 0, 'it polls the second');
      expect(agent.log).not.toContain('can not be renewed in time');
      const before = other.polls.length;
      await until(() => other.polls.length > before + 1, 'it stays with the one that answers');
      expect(other.incarnation).toBe(1);
    } finally {
      await twice.destroy();
      await other.stop();
    }
  });
});

describe('a server that answers nonsense', () => {
  it.each([
    ['no JSON', '<html>', 200],
    ['a list', '[]', 200],
    ['the wrong types', '{"leaseMs":"x","actions":{},"incarnation":-1}', 200],
    ['a strange refusal', '{"type":["a"]}', 418],
    ['nothing', '', 200],
  ])('(%s) ends no agent: it goes on when there is sense again', async (_, body, status) => {
    const agent = node.start();
    await run('one', 'start');
    server.nonsense = { body, status };
    await new Promise((resolve) => setTimeout(resolve, 700));
    server.nonsense = undefined;
    await run('two', 'start');
    expect(isRunning('one')).toBe(true);
    expect(agent.log).not.toContain('systole-agent ends');
  });
});

describe('a result that the server does not take', () => {
  it('blocks none behind it, is said, and its action is not run again', async () => {
    const agent = node.start();
    const bad = operation('bad', 'start');
    server.poison.add(bad.actionId);
    server.order(bad);
    await until(() => agent.log.includes('it is set aside in the journal'), 'it is set aside');
    expect(await run('good', 'start')).toMatchObject({ rc: 0 });
    await until(() => server.polls.at(-1)?.troubles?.[0]?.code === 'result-refused', 'the server is told');
    expect(server.results.map(({ actionId }) => actionId)).not.toContain(bad.actionId);
  });
});

describe('an agent ends', () => {
  it('when its cluster was deleted, and leaves its resources as they are', async () => {
    const agent = node.start();
    await run('db', 'start');
    server.endLease('cluster-deleted', 410);
    expect(await agent.exit).toBe(69);
    expect(isRunning('db')).toBe(true);
    expect(agent.log).toContain('nobody manages it any more');
  });

  it('on SIGTERM when the cluster has moved its resources away', async () => {
    const agent = node.start();
    await run('db', 'start');
    agent.signal('SIGTERM');
    await until(() => server.shutdownRequested, 'it asks for shutdown');
    await run('db', 'stop');
    server.completeShutdown();
    expect(await agent.exit).toBe(0);
    expect(server.left).toBe(true);
    expect(existsSync(node.pidFile)).toBe(false);
  });

  it('at once on a second SIGTERM, with its resources running', async () => {
    const agent = node.start();
    await run('db', 'start');
    agent.signal('SIGTERM');
    await until(() => server.shutdownRequested, 'it asks for shutdown');
    agent.signal('SIGTERM');
    expect(await agent.exit).toBe(2);
    expect(isRunning('db')).toBe(true);
    expect(server.left).toBe(false);
  });

  it('when a newer incarnation has joined, and leaves its resources as they are', async () => {
    const agent = node.start();
    await run('db', 'start');
    server.supersede();
    expect(await agent.exit).toBe(100);
    expect(server.joins).toHaveLength(1);
    expect(isRunning('db')).toBe(true);
  });

  it('when its token is for another node', async () => {
    const agent = node.start('--node', 'n2');
    expect(await agent.exit).toBe(77);
  });
});

describe('resource agents find the cluster tools', () => {
  it('and set node attributes with them', async () => {
    node.start();
    const resource = { id: 'sf', historyId: 'sf', class: 'ocf', provider: 'systole', type: 'Stateful' };
    expect(await run('sf', 'start', { resource })).toMatchObject({ rc: 0 });
    expect(server.attributes).toEqual([{ name: 'master-sf', value: '5', lifetime: 'reboot' }]);
    expect(await run('sf', 'promote', { resource })).toMatchObject({ rc: 0 });
    expect(await run('sf', 'monitor', { resource, expectedRc: 8 })).toMatchObject({ rc: 8 });
    expect(await run('sf', 'stop', { resource })).toMatchObject({ rc: 0 });
    expect(server.attributes.slice(1)).toEqual([
      { name: 'master-sf', value: '10', lifetime: 'reboot' },
      { name: 'master-sf', value: null, lifetime: 'reboot' },
    ]);
  });

  it('and ask them about the cluster', async () => {
    server.cib = `<cib have-quorum="1"><configuration><nodes><node id="1" uname="n1"/><node id="2" uname="n2"/></nodes></configuration>
      <status><node_state id="1" uname="n1" crmd="online" join="member"/></status></cib>`;
    const flags = installAgent(
      'asking',
      'crm_node -n; crm_node -l; crm_node -q; "$HA_SBIN_DIR/crm_attribute" -G -n x -l reboot -q; echo $?; cibadmin -Q -o nodes',
    );
    node.start(...flags);
    const { output } = await run('asking', 'monitor', testResource('asking'));
    expect(output).toContain('n1\n1 n1 member\n2 n2 lost\n1\n105\n<nodes>');
  });
});

describe("Debian's resource agents", () => {
  const pacemaker = (type: string): { resource: AgentResult['resource'] } => ({
    resource: { id: 'r', historyId: 'r', class: 'ocf', provider: 'pacemaker', type },
  });
  const installed = existsSync('/usr/lib/ocf/resource.d/pacemaker/Stateful');

  it.runIf(installed)('ocf:pacemaker:Stateful changes its role and its promotion score', async () => {
    node.start();
    const codes: number[] = [];
    for (const name of ['monitor', 'start', 'promote', 'monitor', 'demote', 'monitor', 'stop', 'monitor']) {
      codes.push((await run('r', name, pacemaker('Stateful'))).rc);
    }
    expect(codes).toEqual([7, 0, 0, 8, 0, 0, 0, 7]);
    // It repeats its score with every monitor.
    const scores = server.attributes.map(({ name, value }) => `${name}=${value ?? 'none'}`);
    expect(scores.filter((score, index) => score !== scores[index - 1])).toEqual([
      'master-r=5',
      'master-r=10',
      'master-r=5',
      'master-r=none',
    ]);
  });

  it.runIf(installed)('ocf:pacemaker:attribute sets a node attribute and reads it back', async () => {
    node.start();
    const attribute = { ...pacemaker('attribute'), parameters: { name: 'zone', active_value: 'east', inactive_value: 'none' } };
    const codes: number[] = [];
    for (const name of ['monitor', 'start', 'monitor', 'stop']) codes.push((await run('r', name, attribute)).rc);
    expect(codes).toEqual([7, 0, 0, 0]);
    expect(server.attributes).toEqual([
      { name: 'zone', value: 'east', lifetime: 'reboot' },
      { name: 'zone', value: 'none', lifetime: 'reboot' },
    ]);
  });
});

describe('fencing', () => {
  const device = { id: 'power', historyId: 'power', class: 'stonith', type: 'fence_systole_demo' };

  it('a fence device is started by asking it, and is not running before that', async () => {
    node.start();
    const parameters = { piddir: join(node.directory, 'pids') };
    expect(await run('power', 'monitor', { resource: device, parameters, expectedRc: 7 })).toMatchObject({ rc: 7 });
    expect(await run('power', 'start', { resource: device, parameters })).toMatchObject({ status: 'done', rc: 0 });
    expect(await run('power', 'monitor', { resource: device, parameters })).toMatchObject({ rc: 0 });
    expect(await run('power', 'start', { resource: device, parameters: { piddir: '/nowhere' } })).toMatchObject({ rc: 1 });
    expect(await run('power', 'stop', { resource: device, parameters })).toMatchObject({ rc: 0 });
  });

  it('with a device that can not reboot switches off and then on', async () => {
    const device2 =
      '#!/bin/sh\nactions=$(cat)\ncase "$actions" in\n*action=metadata*) echo \'<resource-agent name="f"><actions><action name="off"/><action name="on"/></actions></resource-agent>\';;\n*) echo "$actions" | tr "\\n" " " >>';
    const directory = join(node.directory, 'fence');
    mkdirSync(directory);
    writeFileSync(join(directory, 'fence_switch'), `${device2}'${join(node.directory, 'calls')}';;\nesac\n`, { mode: 0o755 });
    node.start('--fence-dir', directory);
    const fence: FenceOrder = {
      fencingId: 'f',
      target: 'n9',
      action: 'reboot',
      deviceId: 'sw',
      agent: 'fence_switch',
      parameters: { ip: 'x' },
    };
    expect(await run('sw', 'reboot', { kind: 'fence', resource: device, fence })).toMatchObject({ status: 'done', rc: 0 });
    expect(readFileSync(join(node.directory, 'calls'), 'utf8')).toBe(
      'nodename=n9 ip=x plug=n9 action=off nodename=n9 ip=x plug=n9 action=on ',
    );
  });

  it('kills another node with everything that it started, and reports it', async () => {
    const flags = installAgent('daemon', '[ "$1" = start ] && { setsid sleep 300 >/dev/null 2>&1 & echo $! >daemon; }; exit 0');
    const target = node.start(...flags);
    await run('daemon', 'start', testResource('daemon'));
    await run('db', 'start');
    const daemon = numberIn(join(node.directory, 'daemon')) ?? 0;
    expect(processStat(daemon)).toBeDefined();

    const otherServer = await ScriptedServer.start({ node: 'n2' });
    const other = new TestNode(otherServer.url);
    try {
      other.start();
      const fence: FenceOrder = {
        fencingId: 'f1',
        target: 'n1',
        action: 'reboot',
        deviceId: 'power',
        agent: 'fence_systole_demo',
        parameters: { piddir: join(node.directory, 'pids') },
      };
      otherServer.order(operation('power', 'stonith', { kind: 'fence', resource: device, fence }));
      await until(() => otherServer.results.length === 1, 'the fencing is reported');
      expect(otherServer.results[0]).toMatchObject({
        status: 'done',
        rc: 0,
        fence: { fencingId: 'f1', target: 'n1', action: 'reboot', deviceId: 'power' },
      });
      await target.exit;
      expect(processStat(daemon)?.state ?? 'gone').toMatch(/gone|Z/);
      expect(isRunning('db')).toBe(false);
    } finally {
      await other.destroy();
      await otherServer.stop();
    }
  });
});
