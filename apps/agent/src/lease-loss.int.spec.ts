import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processStat } from '@systole/ocf';
import { describe, expect, it } from 'vitest';
import { numberIn, operation, until } from './testing/agent-process.js';
import { agentUnderTest, testResource } from './testing/agent-under-test.js';

describe('when the lease can not be renewed', () => {
  const under = agentUnderTest(2_000);

  it('the agent stops its resources before the lease ends, and joins anew when it can', async () => {
    const agent = under.node.start();
    await under.run('one', 'start');
    await under.run('two', 'start');
    under.server.unreachable = true;
    const lost = performance.now();
    await until(() => !under.isRunning('one') && !under.isRunning('two'), 'the resources are stopped');
    expect(performance.now() - lost).toBeLessThan(2_000);
    under.server.unreachable = false;
    await until(() => under.server.incarnation === 2, 'it joins as a new incarnation');
    expect(agent.log).toContain('stopped by the agent itself');
  });

  it('a resource that is not managed is left as it is', async () => {
    under.server.unmanaged = ['one'];
    const agent = under.node.start();
    await under.run('one', 'start');
    await under.run('two', 'start');
    under.server.unreachable = true;
    await until(() => !under.isRunning('two'), 'the managed resource is stopped');
    under.server.unreachable = false;
    await until(() => agent.log.split('"joined"').length === 3, 'it joins anew');
    expect(under.isRunning('one')).toBe(true);
  });

  it('an operation in progress is ended, too', async () => {
    const flags = under.installAgent('slow', '[ "$1" = stop ] && { echo stopped >>log; exit 0; }; sleep 30 & echo $! >child; wait');
    under.node.start(...flags);
    under.server.order(operation('slow', 'start', testResource('slow')));
    await until(() => numberIn(join(under.node.directory, 'child')) !== undefined, 'the start runs');
    under.server.unreachable = true;
    await until(() => existsSync(join(under.node.directory, 'log')), 'the resource is stopped');
    expect(processStat(numberIn(join(under.node.directory, 'child')) ?? 0)?.state ?? 'gone').toMatch(/gone|Z/);
  });

  it.each(['', 'kill'])(
    'what stops a resource then is told which node it is on, and that it can not reach the cluster (%s)',
    async (end) => {
      const flags = under.installAgent(
        'named',
        '[ "$1" = stop ] && { crm_node -n; crm_node -i; crm_node -l; echo $?; } >told 2>&1; exit 0',
      );
      const agent = under.node.start(...flags);
      const meta = { CRM_meta_on_node: 'n1', CRM_meta_on_node_uuid: '1' };
      await under.run('named', 'start', { ...testResource('named'), meta });
      if (end === 'kill') await agent.kill();
      under.server.unreachable = true;
      if (end === 'kill') under.node.start(...flags);
      const told = join(under.node.directory, 'told');
      await until(() => existsSync(told) && readFileSync(told, 'utf8').endsWith('102\n'), 'it is stopped, and has asked');
      expect(readFileSync(told, 'utf8')).toBe('n1\n1\ncrm_node: this node has no connection to the cluster\n102\n');
    },
  );

  it('a new agent process that finds resources of the one before stops them, too', async () => {
    const first = under.node.start();
    await under.run('one', 'start');
    await first.kill();
    under.server.unreachable = true;
    under.node.start();
    await until(() => !under.isRunning('one'), 'the resource is stopped');
  });

  it('that the server has ended already, the agent stops its resources and joins anew', async () => {
    under.node.start();
    await under.run('one', 'start');
    under.server.endLease();
    await until(() => under.server.incarnation === 2, 'it joins as a new incarnation');
    expect(under.isRunning('one')).toBe(false);
  });

  it('with on-lease-loss=ignore resources go on', async () => {
    const agent = under.node.start('--on-lease-loss', 'ignore');
    await under.run('one', 'start');
    under.server.unreachable = true;
    await until(() => agent.log.includes('what runs goes on'), 'the loss is noticed');
    under.server.unreachable = false;
    await under.run('two', 'start');
    expect(under.isRunning('one')).toBe(true);
    expect(under.server.incarnation).toBe(1);
  });

  it('with a watchdog it stops feeding it and leaves the resources to the reset', async () => {
    const device = join(under.node.directory, 'watchdog');
    writeFileSync(device, '');
    const agent = under.node.start('--watchdog', device);
    await under.run('one', 'start');
    const fed = readFileSync(device).length;
    expect(fed).toBeGreaterThan(0);
    under.server.unreachable = true;
    await until(() => agent.log.includes('can not be renewed in time'), 'the loss is noticed');
    const atLoss = readFileSync(device).length;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(readFileSync(device).length).toBe(atLoss);
    expect(under.isRunning('one')).toBe(true);
  });

  it('a watchdog is disarmed by an agent that stopped everything, and not by one that could not', async () => {
    for (const [stop, exit, last] of [
      ['exit 0', 0, 'V'],
      ['exit 1', 70, '\0'],
    ] as const) {
      const device = join(under.node.directory, `watchdog-${exit}`);
      writeFileSync(device, '');
      const agent = under.node.start('--watchdog', device, ...under.installAgent('firm', `[ "$1" = stop ] && ${stop}; exit 0`));
      await under.run('firm', 'start', testResource('firm'));
      under.server.unreachable = true;
      agent.signal('SIGTERM');
      expect(await agent.exit).toBe(exit);
      expect(readFileSync(device, 'utf8').at(-1)).toBe(last);
      under.server.unreachable = false;
    }
  });
});

describe.runIf(existsSync('/usr/lib/ocf/resource.d/pacemaker/Stateful'))(
  'what is promoted when it has to be stopped (ocf:pacemaker:Stateful)',
  () => {
    const under = agentUnderTest(2_000);
    const stateFile = (): string => join(under.node.directory, 'db.state');
    const role = (): string => (existsSync(stateFile()) ? readFileSync(stateFile(), 'utf8').trim() : 'Stopped');
    const promote = async (...operations: readonly string[]): Promise<void> => {
      const resource = { id: 'db', historyId: 'db', class: 'ocf', provider: 'pacemaker', type: 'Stateful' };
      for (const name of operations) await under.run('db', name, { resource, parameters: { state: stateFile() } });
      expect(role()).toBe(operations.at(-1) === 'promote' ? 'Promoted' : 'Unpromoted');
    };

    it('is demoted first', async () => {
      const agent = under.node.start();
      await promote('start', 'promote');
      under.server.unreachable = true;
      await until(() => role() === 'Stopped', 'it is stopped');
      expect(agent.log).toContain('demoted by the agent itself');
    });

    it('is demoted by an agent process that finds it', async () => {
      const first = under.node.start();
      await promote('start', 'promote');
      await first.kill();
      under.server.unreachable = true;
      under.node.start();
      await until(() => role() === 'Stopped', 'it is stopped');
    });

    it('is demoted where only its stop says that it is promoted', async () => {
      const agent = under.node.start();
      await promote('start');
      writeFileSync(stateFile(), 'Promoted\n');
      under.server.unreachable = true;
      await until(() => role() === 'Stopped', 'it is stopped');
      expect(agent.log).not.toContain('could not be stopped');
    });

    it('is demoted by an agent that was declared down, and by one that leaves without a server', async () => {
      under.server.onLeaseLoss = 'keep';
      const agent = under.node.start();
      await promote('start', 'promote');
      under.server.endLease('declared-down');
      await until(() => under.server.incarnation === 2, 'it joins as a new incarnation');
      expect(role()).toBe('Stopped');
      expect(under.server.joins.at(-1)?.stopFailed).toBeUndefined();
      await promote('start', 'promote');
      under.server.unreachable = true;
      agent.signal('SIGTERM');
      expect(await agent.exit).toBe(0);
      expect(role()).toBe('Stopped');
    });
  },
);

describe('what the server wants done when the lease is lost', () => {
  const under = agentUnderTest(2_000);

  it('is done: nothing is stopped where it said keep, also by an agent that restarts while it is away', async () => {
    under.server.onLeaseLoss = 'keep';
    const agent = under.node.start();
    await under.run('one', 'start');
    under.server.unreachable = true;
    await until(() => agent.log.includes('what runs goes on'), 'the loss is noticed');
    await agent.kill();
    const second = under.node.start();
    await until(() => second.log.includes('what runs goes on'), 'the loss is noticed again');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(under.isRunning('one')).toBe(true);
    under.server.unreachable = false;
    await under.run('two', 'start');
    expect(under.server.joins.at(-1)?.witness).toMatchObject({ epoch: 'c1' });
  });

  it('also by an agent whose journal was wiped while it was away', async () => {
    under.server.onLeaseLoss = 'keep';
    const agent = under.node.start();
    await under.run('one', 'start');
    await agent.kill();
    under.server.unreachable = true;
    rmSync(join(under.node.stateDir, 'journal'));
    const second = under.node.start();
    await until(() => second.log.includes('what runs goes on'), 'the loss is noticed');
    expect(under.isRunning('one')).toBe(true);
  });

  it('is overridden by a setting of the node, and that is said', async () => {
    under.server.onLeaseLoss = 'keep';
    const agent = under.node.start('--on-lease-loss', 'stop');
    await under.run('one', 'start');
    expect(agent.log).toContain('overridden by a local setting');
    await until(() => under.server.polls.at(-1)?.troubles?.[0]?.code === 'lease-loss-overridden', 'the server is told');
    under.server.unreachable = true;
    await until(() => !under.isRunning('one'), 'the resource is stopped');
  });

  it('is done by an agent whose journal was wiped: it finds what runs in its second record', async () => {
    const agent = under.node.start();
    await under.run('one', 'start');
    await agent.kill();
    under.server.unreachable = true;
    rmSync(join(under.node.stateDir, 'journal'));
    under.node.start();
    await until(() => !under.isRunning('one'), 'the resource is stopped');
  });

  it('goes on where the server only says that the lease was lost', async () => {
    under.server.onLeaseLoss = 'stop';
    under.node.start();
    await under.run('one', 'start');
    under.server.endLease('lease-lost');
    await until(() => under.server.incarnation === 2, 'it joins as a new incarnation');
    expect(under.isRunning('one')).toBe(true);
    await under.run('two', 'start');
  });

  it('is stopped before the node joins that was declared down', async () => {
    under.server.onLeaseLoss = 'keep';
    under.node.start();
    await under.run('one', 'start');
    under.server.endLease('declared-down');
    await until(() => under.server.incarnation === 2, 'it joins as a new incarnation');
    expect(under.isRunning('one')).toBe(false);
  });
});

describe('an agent that was frozen for longer than its lease', () => {
  const under = agentUnderTest(2_000);

  it.each([
    ['stop', false],
    ['keep', true],
  ] as const)('acts on that first, and begins nothing that it was handed out before (%s)', async (policy, runsAfterwards) => {
    under.server.onLeaseLoss = policy;
    const agent = under.node.start();
    await under.run('one', 'start');
    await until(() => under.server.polls.length > 2, 'a poll waits');
    agent.signal('SIGSTOP');
    // The answer to the poll that waits lies in the agent's socket when it goes on.
    under.server.order(operation('late', 'start'));
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    under.server.unreachable = true;
    agent.signal('SIGCONT');
    await until(() => agent.log.includes('can not be renewed in time'), 'the loss is noticed');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(under.isRunning('late')).toBe(false);
    expect(under.isRunning('one')).toBe(runsAfterwards);
  });
});
