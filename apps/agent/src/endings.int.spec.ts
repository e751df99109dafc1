import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operation, until } from './testing/agent-process.js';
import { agentUnderTest } from './testing/agent-under-test.js';

const under = agentUnderTest();

describe('an agent ends', () => {
  it('when its cluster was deleted, and leaves its resources as they are', async () => {
    const agent = under.node.start();
    await under.run('db', 'start');
    under.server.endLease('cluster-deleted', 410);
    expect(await agent.exit).toBe(69);
    expect(under.isRunning('db')).toBe(true);
    expect(agent.log).toContain('nobody manages any more what goes on running here: db');
  });

  it('on SIGTERM when the cluster has moved its resources away', async () => {
    const agent = under.node.start();
    await under.run('db', 'start');
    agent.signal('SIGTERM');
    await until(() => under.server.shutdownRequested, 'it asks for shutdown');
    await under.run('db', 'stop');
    under.server.completeShutdown();
    expect(await agent.exit).toBe(0);
    expect(under.server.left).toBe(true);
    expect(existsSync(under.node.pidFile)).toBe(false);
  });

  it('on SIGTERM also when its disk takes nothing any more, and says so', async () => {
    const agent = under.node.start();
    await under.run('db', 'monitor', { expectedRc: 7 });
    // From now on no file may grow.
    spawnSync('prlimit', ['--pid', String(agent.pid), '--fsize=1']);
    const began = performance.now();
    agent.signal('SIGTERM');
    await until(() => under.server.shutdownRequested, 'it asks for shutdown');
    under.server.version += 1;
    under.server.order(operation('db', 'stop'));
    await until(() => agent.log.includes('journal'), 'it notices the disk');
    under.server.completeShutdown();
    expect(await agent.exit).toBe(74);
    expect(performance.now() - began).toBeLessThan(40_000);
    expect(agent.log).toContain('the disk is full or hangs');
  });

  it('on SIGTERM also when its disk hangs', async () => {
    mkdirSync(under.node.stateDir, { recursive: true });
    // A pipe that nobody writes to: whoever opens it waits.
    spawnSync('mkfifo', [join(under.node.stateDir, 'journal')]);
    const agent = under.node.start();
    await until(() => existsSync(under.node.pidFile), 'it has begun');
    agent.signal('SIGTERM');
    expect(await agent.exit).not.toBe(0);
    expect(agent.log).toContain('told to end, and the disk hangs');
  });

  it('at once on a second SIGTERM, with its resources running', async () => {
    const agent = under.node.start();
    await under.run('db', 'start');
    agent.signal('SIGTERM');
    await until(() => under.server.shutdownRequested, 'it asks for shutdown');
    agent.signal('SIGTERM');
    expect(await agent.exit).toBe(2);
    expect(under.isRunning('db')).toBe(true);
    expect(under.server.left).toBe(false);
  });

  it('when a newer incarnation has joined, and leaves its resources as they are', async () => {
    const agent = under.node.start();
    await under.run('db', 'start');
    under.server.supersede();
    expect(await agent.exit).toBe(100);
    expect(under.server.joins).toHaveLength(1);
    expect(under.isRunning('db')).toBe(true);
  });

  it('when its token is for another node', async () => {
    const agent = under.node.start('--node', 'n2');
    expect(await agent.exit).toBe(77);
  });
});
