import { join } from 'node:path';
import { processStat } from '@systole/ocf';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { numberIn, until } from './testing/agent-process.js';
import { agentUnderTest, testResource } from './testing/agent-under-test.js';
import { StandInWatchdog } from './testing/stand-in-watchdog.js';

const DAEMON = '[ "$1" = start ] && { setsid sleep 300 >/dev/null 2>&1 & echo $! >daemon; }; exit 0';
const TIMEOUT_S = 2;

describe('a watchdog (a stand-in that ends the node’s process tree)', () => {
  const under = agentUnderTest(2_000);
  let watchdog: StandInWatchdog;
  beforeEach(async () => {
    watchdog = new StandInWatchdog(under.node, TIMEOUT_S);
    await watchdog.ready();
  });
  afterEach(() => {
    watchdog.remove();
  });

  /** Flags of an agent with a resource that leaves a process behind. */
  const flags = (): readonly string[] => ['--watchdog', watchdog.path, ...under.installAgent('daemon', DAEMON)];
  const isRunning = (pid: number): boolean => !/gone|Z/.test(processStat(pid)?.state ?? 'gone');

  async function begin(): Promise<{ readonly agent: ReturnType<typeof under.node.start>; readonly daemon: number }> {
    const agent = under.node.start(...flags());
    await under.run('daemon', 'start', testResource('daemon'));
    const daemon = numberIn(join(under.node.directory, 'daemon')) ?? 0;
    expect(isRunning(daemon)).toBe(true);
    return { agent, daemon };
  }

  it('does not fire while the lease is held', async () => {
    const { daemon } = await begin();
    await new Promise((resolve) => setTimeout(resolve, 2 * TIMEOUT_S * 1_000));
    expect(isRunning(daemon)).toBe(true);
    expect(watchdog.log).not.toContain('fired');
  });

  it('resets a node that can not renew its lease: agent, resources and all', async () => {
    const { agent, daemon } = await begin();
    under.server.unreachable = true;
    await agent.exit;
    await until(() => watchdog.log.includes('reset'), 'the node is reset');
    expect(isRunning(daemon)).toBe(false);
  });

  it('resets a node whose agent hangs', async () => {
    const { agent, daemon } = await begin();
    agent.signal('SIGSTOP');
    await until(() => watchdog.log.includes('reset'), 'the node is reset');
    expect(isRunning(daemon)).toBe(false);
  });

  it('resets a node that lost its lease though its agent crashes and is started again and again', async () => {
    const { agent, daemon } = await begin();
    under.server.unreachable = true;
    await until(() => agent.log.includes('the watchdog is not fed any more'), 'the loss is noticed');
    await agent.kill();
    for (let restart = 0; restart < 5 && !watchdog.log.includes('reset'); restart++) {
      const again = under.node.start(...flags());
      await until(() => again.log !== '' || watchdog.log.includes('reset'), 'it has begun');
      await new Promise((resolve) => setTimeout(resolve, 500));
      await again.kill();
    }
    await until(() => watchdog.log.includes('reset'), 'the node is reset');
    expect(isRunning(daemon)).toBe(false);
    expect(watchdog.log.filter((line) => line === 'opened')).toHaveLength(1);
  });

  it('does not reset a node whose agent stopped everything and left', async () => {
    const { agent } = await begin();
    under.server.unreachable = true;
    agent.signal('SIGTERM');
    expect(await agent.exit).toBe(0);
    await until(() => watchdog.log.includes('closed'), 'it is disarmed');
    await new Promise((resolve) => setTimeout(resolve, 1.5 * TIMEOUT_S * 1_000));
    expect(watchdog.log).not.toContain('fired');
  });
});
