import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processStat } from '@systole/ocf';
import type { FenceOrder } from '@systole/protocol';
import { describe, expect, it } from 'vitest';
import { numberIn, operation, TestNode, until } from './testing/agent-process.js';
import { agentUnderTest, testResource } from './testing/agent-under-test.js';
import { ScriptedServer } from './testing/scripted-server.js';

const under = agentUnderTest();

describe('fencing', () => {
  const device = { id: 'power', historyId: 'power', class: 'stonith', type: 'fence_systole_demo' };

  it('a fence device is started by asking it, and is not running before that', async () => {
    under.node.start();
    const parameters = { piddir: join(under.node.directory, 'pids') };
    expect(await under.run('power', 'monitor', { resource: device, parameters, expectedRc: 7 })).toMatchObject({ rc: 7 });
    expect(await under.run('power', 'start', { resource: device, parameters })).toMatchObject({ status: 'done', rc: 0 });
    expect(await under.run('power', 'monitor', { resource: device, parameters })).toMatchObject({ rc: 0 });
    expect(await under.run('power', 'start', { resource: device, parameters: { piddir: '/nowhere' } })).toMatchObject({ rc: 1 });
    expect(await under.run('power', 'stop', { resource: device, parameters })).toMatchObject({ rc: 0 });
  });

  it('with a device that can not reboot switches off and then on', async () => {
    const device2 =
      '#!/bin/sh\nactions=$(cat)\ncase "$actions" in\n*action=metadata*) echo \'<resource-agent name="f"><actions><action name="off"/><action name="on"/></actions></resource-agent>\';;\n*) echo "$actions" | tr "\\n" " " >>';
    const directory = join(under.node.directory, 'fence');
    mkdirSync(directory);
    writeFileSync(join(directory, 'fence_switch'), `${device2}'${join(under.node.directory, 'calls')}';;\nesac\n`, { mode: 0o755 });
    under.node.start('--fence-dir', directory);
    const fence: FenceOrder = {
      fencingId: 'f',
      target: 'n9',
      action: 'reboot',
      deviceId: 'sw',
      agent: 'fence_switch',
      parameters: { ip: 'x' },
    };
    expect(await under.run('sw', 'reboot', { kind: 'fence', resource: device, fence })).toMatchObject({ status: 'done', rc: 0 });
    expect(readFileSync(join(under.node.directory, 'calls'), 'utf8')).toBe(
      'nodename=n9 ip=x plug=n9 action=off nodename=n9 ip=x plug=n9 action=on ',
    );
  });

  it('kills another node with everything that it started, and reports it', async () => {
    const flags = under.installAgent('daemon', '[ "$1" = start ] && { setsid sleep 300 >/dev/null 2>&1 & echo $! >daemon; }; exit 0');
    const target = under.node.start(...flags);
    await under.run('daemon', 'start', testResource('daemon'));
    await under.run('db', 'start');
    const daemon = numberIn(join(under.node.directory, 'daemon')) ?? 0;
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
        parameters: { piddir: join(under.node.directory, 'pids') },
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
      expect(under.isRunning('db')).toBe(false);
    } finally {
      await other.destroy();
      await otherServer.stop();
    }
  });
});
