import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from './testing/agent-process.js';
import { agentUnderTest } from './testing/agent-under-test.js';

describe('a node that was declared down and runs', () => {
  const under = agentUnderTest(5_000);
  const panicked = (): string => join(under.node.directory, 'panicked');

  /** Says that it would restart the machine, and does not: what then? */
  function panicCommand(): readonly string[] {
    const program = join(under.node.directory, 'restart-machine');
    writeFileSync(program, `#!/bin/sh\n: >'${panicked()}'\n`, { mode: 0o755 });
    return ['--panic-command', program];
  }

  it('restarts its machine at once where the cluster wants that, and stops everything as long as it goes on', async () => {
    under.server.fenceReaction = 'panic';
    const agent = under.node.start(...panicCommand());
    await under.run('one', 'start');
    under.server.endLease('declared-down');
    await until(() => existsSync(panicked()), 'the machine is restarted');
    await until(() => !under.isRunning('one'), 'the resource is stopped');
    expect(agent.log).toContain('its machine is restarted at once');
  });

  it('says so when its machine can not be restarted', async () => {
    under.server.fenceReaction = 'panic';
    const agent = under.node.start('--panic-command', '/nowhere/restart');
    await under.run('one', 'start');
    under.server.endLease('declared-down');
    await until(() => agent.log.includes('the machine could not be restarted'), 'it is said');
    await until(() => !under.isRunning('one'), 'the resource is stopped');
  });

  it.each([undefined, 'stop'] as const)('stops everything and joins anew otherwise (%s)', async (reaction) => {
    under.server.fenceReaction = reaction;
    under.node.start(...panicCommand());
    await under.run('one', 'start');
    under.server.endLease('declared-down');
    await until(() => under.server.incarnation === 2, 'it joins as a new incarnation');
    expect(under.isRunning('one')).toBe(false);
    expect(existsSync(panicked())).toBe(false);
  });
});
