import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { until } from './testing/agent-process.js';
import { agentUnderTest } from './testing/agent-under-test.js';

const under = agentUnderTest();

describe('an agent ends', () => {
  it('when its cluster was deleted, and leaves its resources as they are', async () => {
    const agent = under.node.start();
    await under.run('db', 'start');
    under.server.endLease('cluster-deleted', 410);
    expect(await agent.exit).toBe(69);
    expect(under.isRunning('db')).toBe(true);
    expect(agent.log).toContain('nobody manages it any more');
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
