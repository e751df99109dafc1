import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FenceOrder } from '@systole/protocol';
import { describe, expect, it } from 'vitest';
import { EXIT_CODE } from './exit-code.js';
import { until } from './testing/agent-process.js';
import { agentUnderTest, testResource } from './testing/agent-under-test.js';

const under = agentUnderTest();
const device = { id: 'power', historyId: 'power', class: 'stonith', type: 'fence_systole_demo' };

describe('an agent that is told what may run', () => {
  it('runs that, and answers for the rest as if it was not installed', async () => {
    const flags = under.installAgent('daemon', 'touch "ran-$1"; [ "$1" = monitor ] && exit 7; exit 0');
    under.node.start(...flags, '--allow', 'ocf:systole');
    expect(await under.run('db', 'start')).toMatchObject({ status: 'done', rc: 0 });
    const refused = {
      status: 'not-installed',
      rc: 5,
      exitReason: expect.stringMatching(/^ocf:test:daemon may not run .*--allow \(SYSTOLE_ALLOW\)/) as string,
    };
    expect(await under.run('daemon', 'monitor', { ...testResource('daemon'), expectedRc: 7 })).toMatchObject(refused);
    expect(await under.run('daemon', 'start', testResource('daemon'))).toMatchObject(refused);
    // Nothing was started: that is no reason to fence the node.
    expect(await under.run('daemon', 'stop', testResource('daemon'))).toMatchObject({ status: 'done', rc: 0 });
    const fence: FenceOrder = {
      fencingId: 'f',
      target: 'n9',
      action: 'off',
      deviceId: 'power',
      agent: 'fence_systole_demo',
      parameters: {},
    };
    expect(await under.run('power', 'off', { kind: 'fence', resource: device, fence })).toMatchObject({ status: 'not-installed', rc: 5 });
    expect(['monitor', 'start', 'stop'].filter((name) => existsSync(join(under.node.directory, `ran-${name}`)))).toEqual([]);
  });

  it('looks after what it had started before, until that is stopped', async () => {
    const first = under.node.start();
    await under.run('db', 'start');
    await first.kill();
    const second = under.node.start('--allow', 'systemd:*,lsb');
    await until(() => second.log.includes('may not be started here any more'), 'it says so');
    expect(await under.run('db', 'monitor', { expectedRc: 0 })).toMatchObject({ status: 'done', rc: 0 });
    expect(await under.run('db', 'stop')).toMatchObject({ status: 'done', rc: 0 });
    expect(under.isRunning('db')).toBe(false);
    expect(await under.run('db', 'start')).toMatchObject({ status: 'not-installed' });
    expect(under.isRunning('db')).toBe(false);
  });

  it('does not start with an entry that allows nothing', async () => {
    const agent = under.node.start('--allow', 'nagios');
    expect(await agent.exit).toBe(EXIT_CODE.USAGE);
    expect(agent.log).toContain("'nagios' allows nothing");
  });

  it('runs fence agents as fence devices, and no other programs', async () => {
    under.node.start('--fence-dir', '/usr/bin');
    const env = { ...device, type: 'env' };
    expect(await under.run('power', 'start', { resource: env })).toMatchObject({
      status: 'not-installed',
      exitReason: expect.stringMatching(/no fence agent/) as string,
    });
  });
});
