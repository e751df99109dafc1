import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperationOutcome } from '../outcome/operation-outcome.js';
import { executeOperation } from '../resource-agent/execute.js';
import type { AgentHost } from '../resource-agent/host.js';
import { canBootSystemd, RealSystemd } from '../testing/real-systemd.js';

let systemd: RealSystemd;
let host: AgentHost;
const directory = mkdtempSync(join(tmpdir(), 'systole-units-'));

async function run(
  type: string,
  operation: string,
  { timeoutMs = 20_000, intervalMs = 0, abort }: Options = {},
): Promise<OperationOutcome> {
  const resource = { id: 'r', class: 'systemd', type };
  return executeOperation(
    { resource, operation, intervalMs, timeoutMs, parameters: {}, meta: {} },
    host,
    abort === undefined ? {} : { abort },
  );
}

interface Options {
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
  readonly abort?: AbortSignal;
}

async function liveAndDie(type: string): Promise<number[]> {
  const codes: number[] = [];
  for (const operation of ['monitor', 'start', 'start', 'monitor', 'stop', 'stop', 'monitor']) codes.push((await run(type, operation)).rc);
  return codes;
}

const LIFE = [7, 0, 0, 0, 0, 0, 7];

describe.runIf(canBootSystemd())('a unit of a real systemd', () => {
  beforeAll(async () => {
    systemd = await RealSystemd.boot();
    const environment = { inherited: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }, resourceTmp: directory, varRun: directory };
    host = { directories: { ocfRoots: [], lsb: '/etc/init.d', fence: [], systemd: systemd.access }, environment, killGraceMs: 300 };
  });

  afterAll(async () => {
    await systemd.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  it.each([
    ['simple', '[Service]\nExecStart=/bin/sleep 1000\n'],
    ['notify', '[Service]\nType=notify\nNotifyAccess=all\nExecStart=/bin/sh -c "sleep 0.3; systemd-notify --ready; exec sleep 1000"\n'],
    ['forking', '[Service]\nType=forking\nExecStart=/bin/sh -c "sleep 1000 &"\n'],
    ['oneshot-remaining', '[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/bin/true\n'],
    ['group', '[Service]\nExitType=cgroup\nExecStart=/bin/sh -c "sleep 1000 & exit 0"\n'],
    ['slow-to-stop', '[Service]\nExecStart=/bin/sleep 1000\nExecStop=/bin/sleep 0.8\n'],
  ])('of type %s lives and dies', async (name, content) => {
    systemd.unit(`${name}.service`, content);
    expect(await liveAndDie(name)).toEqual(LIFE);
  });

  it.each([
    ['times.timer', '[Timer]\nOnActiveSec=1h\nUnit=multi-user.target\n'],
    ['ear.socket', '[Socket]\nListenStream=/run/ear.sock\nService=multi.service\n'],
    ['set.target', '[Unit]\nDescription=a set\n'],
    ['mnt.mount', '[Mount]\nWhat=tmpfs\nWhere=/mnt\nType=tmpfs\n'],
    ['share.path', '[Path]\nPathExists=/nowhere\nUnit=multi-user.target\n'],
  ])('that is no service lives and dies: %s', async (name, content) => {
    systemd.unit('multi.service', '[Service]\nExecStart=/bin/sleep 1000\n');
    systemd.unit(name, content);
    expect(await liveAndDie(name)).toEqual(LIFE);
  });

  it('may be an instance of a template, but not the template', async () => {
    systemd.unit('inst@.service', '[Service]\nExecStart=/bin/sleep %i\n');
    expect(await liveAndDie('inst@1000')).toEqual(LIFE);
    const outcome = await run('inst@', 'start');
    expect(outcome).toMatchObject({ rc: 5 });
    expect(outcome.exitReason).toMatch(/template.*inst@1\.service/);
  });

  it('is left to the cluster while it runs, and given back when it is stopped', async () => {
    systemd.unit('eager.service', '[Service]\nExecStart=/bin/sleep 1000\nRestart=always\nRestartSec=0\n');
    await run('eager', 'start');
    const dropIn = systemd.path('/run/systemd/system/eager.service.d/50-systole.conf');
    expect(readFileSync(dropIn, 'utf8')).toContain('Before=systole-agent.service');
    expect(systemd.property('eager', 'Restart')).toBe('no');
    systemd.run('systemctl', 'kill', '--signal=KILL', 'eager');
    await pause(500);
    const found = await run('eager', 'monitor', { intervalMs: 10_000 });
    expect(found.rc).toBe(7);
    expect(found.exitReason).toMatch(/eager\.service is failed, result signal/);
    expect((await run('eager', 'stop')).rc).toBe(0);
    expect(existsSync(dropIn)).toBe(false);
    expect(systemd.property('eager', 'Restart')).toBe('always');
  });

  it('says why it does not start, in the words of its programs', async () => {
    systemd.unit(
      'broken.service',
      '[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/bin/sh -c "echo no such database >&2; exit 3"\n',
    );
    const outcome = await run('broken', 'start');
    expect(outcome).toMatchObject({ status: 'done', rc: 1 });
    expect(outcome.exitReason).toMatch(/broken\.service is failed, result exit-code, status 3 of the main process: no such database/);
    expect(outcome.output).toContain('no such database');
  });

  it('may be started again after any number of failures', async () => {
    for (let attempt = 0; attempt < 8; attempt++) expect((await run('broken', 'start')).exitReason).toContain('no such database');
  });

  it('that begins and ends at once has not started', async () => {
    systemd.unit('fleeting.service', '[Service]\nType=oneshot\nExecStart=/bin/true\n');
    const outcome = await run('fleeting', 'start');
    expect(outcome.rc).toBe(1);
    expect(outcome.exitReason).toMatch(/RemainAfterExit=yes/);
  });

  it('that is masked, or is not there, is not installed, and needs no stop', async () => {
    systemd.run('systemctl', 'mask', '--runtime', 'covered.service');
    for (const [name, reason] of [
      ['covered', /masked.*unmask/],
      ['nowhere', /there is no unit nowhere\.service/],
    ] as const) {
      for (const operation of ['monitor', 'start']) {
        const outcome = await run(name, operation);
        expect(outcome.rc, `${name} ${operation}`).toBe(5);
        expect(outcome.exitReason).toMatch(reason);
      }
      expect((await run(name, 'stop')).rc).toBe(0);
    }
  });

  it('whose start takes too long is a timeout, and systemd does not go on with it', async () => {
    systemd.unit('slow.service', '[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/bin/sleep 30\n');
    const outcome = await run('slow', 'start', { timeoutMs: 1_500 });
    expect(outcome).toMatchObject({ status: 'timeout', rc: 1 });
    expect(outcome.exitReason).toMatch(/timed out after 1500 ms; slow\.service is activating/);
    expect(systemd.property('slow', 'Job')).toBe('');
    expect((await run('slow', 'stop')).rc).toBe(0);
    expect((await run('slow', 'monitor')).rc).toBe(7);
  });

  it('that waits for another one is withdrawn with its operation', async () => {
    systemd.unit('first.service', '[Service]\nType=oneshot\nExecStart=/bin/sleep 30\n');
    systemd.unit('second.service', '[Unit]\nAfter=first.service\nWants=first.service\n[Service]\nExecStart=/bin/sleep 1000\n');
    const withdrawn = new AbortController();
    const starting = run('second', 'start', { abort: withdrawn.signal });
    await expect.poll(() => systemd.property('second', 'Job')).not.toBe('');
    withdrawn.abort();
    expect(await starting).toMatchObject({ status: 'cancelled' });
    expect(systemd.property('second', 'Job')).toBe('');
    systemd.run('systemctl', 'stop', 'first');
    await pause(300);
    expect((await run('second', 'monitor')).rc).toBe(7);
  });

  it('that is about to be started, as soon as what it waits for is there, is not taken for stopped: whoever had it started may be gone', async () => {
    systemd.unit('gate.service', '[Service]\nType=oneshot\nExecStart=/bin/sleep 30\n');
    systemd.unit('gated.service', '[Unit]\nAfter=gate.service\nWants=gate.service\n[Service]\nExecStart=/bin/sleep 1000\n');
    systemd.run('systemctl', 'start', '--no-block', 'gated');
    await expect.poll(() => systemd.property('gated', 'Job')).not.toBe('');
    expect(systemd.property('gated', 'ActiveState')).toBe('inactive');
    expect(await run('gated', 'monitor', { timeoutMs: 1_200 })).toMatchObject({ status: 'timeout' });
    expect((await run('gated', 'stop')).rc).toBe(0);
    expect(systemd.property('gated', 'Job')).toBe('');
    expect((await run('gated', 'monitor')).rc).toBe(7);
    systemd.run('systemctl', 'stop', 'gate');
  });

  it('is not restarted by systemd for how its program ended either', async () => {
    systemd.unit('forced.service', '[Service]\nExecStart=/bin/sleep 1000\nRestartForceExitStatus=SIGKILL\nRestartSec=0\n');
    await run('forced', 'start');
    systemd.run('systemctl', 'kill', '--signal=KILL', 'forced');
    await pause(500);
    expect((await run('forced', 'monitor', { intervalMs: 10_000 })).rc).toBe(7);
    expect((await run('forced', 'stop')).rc).toBe(0);
  });

  it('of which processes are left that nothing could end has not stopped', async () => {
    systemd.unit(
      'stubborn.service',
      '[Service]\nExecStart=/bin/sh -c "trap \'\' TERM; while :; do sleep 1; done"\nTimeoutStopSec=1\nSendSIGKILL=no\n',
    );
    await run('stubborn', 'start');
    await pause(300);
    const outcome = await run('stubborn', 'stop');
    expect(outcome).toMatchObject({ status: 'done', rc: 1 });
    expect(outcome.exitReason).toMatch(/stubborn\.service is failed, result timeout.*its processes run on: \d+/);
    expect((await run('stubborn', 'monitor')).rc).toBe(1);
    const left = /run on: ([\d, ]+)/.exec(outcome.exitReason ?? '')?.[1]?.split(', ') ?? [];
    systemd.run('kill', '-KILL', ...left);
    await expect.poll(async () => (await run('stubborn', 'monitor')).rc, { timeout: 10_000 }).toBe(7);
    expect((await run('stubborn', 'stop')).rc).toBe(0);
  });

  it('tells what may start it besides the cluster', async () => {
    systemd.unit('served.service', '[Service]\nExecStart=/bin/sleep 1000\n');
    systemd.unit('served.socket', '[Socket]\nListenStream=/run/served.sock\n');
    systemd.run('systemctl', 'start', 'served.socket');
    const outcome = await run('served', 'start');
    expect(outcome.rc).toBe(0);
    expect(outcome.output).toMatch(/served\.socket/);
    systemd.run('systemctl', 'stop', 'served.socket');
    await run('served', 'stop');
  });

  it('on its way down is neither running nor failed: a monitor waits', async () => {
    systemd.unit('lingering.service', '[Service]\nExecStart=/bin/sleep 1000\nExecStop=/bin/sleep 1.5\n');
    await run('lingering', 'start');
    systemd.run('systemctl', 'stop', '--no-block', 'lingering');
    await expect.poll(() => systemd.property('lingering', 'ActiveState')).toBe('deactivating');
    expect(await run('lingering', 'monitor')).toMatchObject({ status: 'done', rc: 7 });
  });

  it('on its way up for longer than a monitor has time is a timeout', async () => {
    systemd.run('systemctl', 'start', '--no-block', 'slow');
    const outcome = await run('slow', 'monitor', { timeoutMs: 1_200 });
    expect(outcome).toMatchObject({ status: 'timeout' });
    await run('slow', 'stop');
  });

  it('is stopped by the agent when the machine goes down, and the stop does not wait for the agent', async () => {
    systemd.unit('last.service', '[Service]\nExecStart=/bin/sleep 1000\n');
    await run('last', 'start');
    const { access } = systemd;
    systemd.unit('systole-agent.service', '[Service]\nExecStart=/bin/sleep 1000\nExecStop=/bin/sleep 4\nTimeoutStopSec=20\n');
    expect(systemd.property('last', 'Before')).toContain(access.agentUnit);
    systemd.run('systemctl', 'start', 'systole-agent');
    // As at a shutdown: both are to be stopped at once, and the agent first.
    systemd.run('systemctl', 'stop', '--no-block', 'systole-agent', 'last');
    await pause(500);
    expect(systemd.property('last', 'ActiveState')).toBe('active');
    const begun = performance.now();
    expect((await run('last', 'stop')).rc).toBe(0);
    expect(performance.now() - begun).toBeLessThan(2_500);
    expect(systemd.property('systole-agent', 'ActiveState')).toBe('deactivating');
  });

  it('is stopped when the agent alone is to end, too', async () => {
    await run('last', 'start');
    systemd.run('systemctl', 'start', 'systole-agent');
    systemd.run('systemctl', 'stop', '--no-block', 'systole-agent');
    const begun = performance.now();
    expect((await run('last', 'stop')).rc).toBe(0);
    expect(performance.now() - begun).toBeLessThan(2_500);
    expect(systemd.property('systole-agent', 'ActiveState')).toBe('deactivating');
  });

  it('of a systemd that does not answer has failed, and is not taken for stopped', async () => {
    const gone = { ...host, directories: { ...host.directories, systemd: { ...systemd.access, systemctl: '/bin/false' } } };
    const operation = {
      resource: { id: 'r', class: 'systemd', type: 'simple' },
      intervalMs: 0,
      timeoutMs: 5_000,
      parameters: {},
      meta: {},
    };
    for (const name of ['monitor', 'stop'])
      expect(await executeOperation({ ...operation, operation: name }, gone)).toMatchObject({ status: 'error', rc: 1 });
  });
});

it.runIf(canBootSystemd())('a systemd that is booted here can not reach the files of this machine', async () => {
  const canary = join(directory, '..', `systole-canary-${String(process.pid)}`);
  writeFileSync(canary, 'here');
  const other = await RealSystemd.boot();
  try {
    other.run('/bin/sh', '-c', `rm -rf ${canary} /tmp/* /var/tmp/*; echo x >/etc/systole-canary; echo x >${canary}`);
    expect(readFileSync(canary, 'utf8')).toBe('here');
    expect(existsSync('/etc/systole-canary')).toBe(false);
  } finally {
    await other.stop();
    rmSync(canary, { force: true });
  }
});
