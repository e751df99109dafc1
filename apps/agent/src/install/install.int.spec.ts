import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { canBootSystemd, RealSystemd } from '@systole/ocf/testing';
import type { AgentResult } from '@systole/protocol';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildAgent, operation, until } from '../testing/agent-process.js';
import { ScriptedServer } from '../testing/scripted-server.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** Outside of /tmp, of which the machine in the test has one of its own. */
const PACKAGE = join(ROOT, 'apps/agent/dist/package-of-test');
let unpacked: string;

function make(): void {
  buildAgent();
  const program = join(ROOT, 'deploy/packaging/package.js');
  const packed = spawnSync(process.execPath, [program, '--staged', '--out', PACKAGE, 'systole-agent'], { encoding: 'utf8' });
  expect(packed.stderr).toBe('');
  unpacked = packed.stdout.trim();
}

describe('an image that is made', () => {
  const image = mkdtempSync(join(tmpdir(), 'systole-image-'));
  const systoleAgent = (...args: readonly string[]): ReturnType<typeof spawnSync> =>
    spawnSync(join(unpacked, 'bin/systole-agent'), args, { encoding: 'utf8' });
  beforeAll(make);
  afterAll(() => {
    rmSync(image, { recursive: true, force: true });
  });

  it('has the agent, and after that nothing of it', () => {
    for (const server of ['https://a', 'https://b'])
      expect(systoleAgent('install', '--root', image, '--server', server)).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('it takes one to run') as string,
      });
    const settings = readFileSync(join(image, 'etc/systole/agent.env'), 'utf8');
    expect(settings.match(/^SYSTOLE_SERVERS=.*$/gm)).toEqual(['SYSTOLE_SERVERS=https://b']);
    expect(statSync(join(image, 'etc/systole/agent.env')).mode & 0o777).toBe(0o600);
    expect(existsSync(join(image, 'usr/bin/systole-agent'))).toBe(true);
    expect(systoleAgent('uninstall', '--root', image, '--purge')).toMatchObject({ status: 0 });
    const left = spawnSync('find', [image, '-name', '*systole*'], { encoding: 'utf8' }).stdout.trim().split('\n');
    expect(left.filter((path) => path !== image && !path.endsWith('etc/systole'))).toEqual([]);
  });
});

describe('the Node.js that runs it', () => {
  beforeAll(make);

  it('has to be new enough: an older one is named, before anything of it is loaded', () => {
    const older = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'18.19.0'})`;
    const start = join(unpacked, 'lib/agent/start.js');
    const { status, stderr } = spawnSync(process.execPath, ['--import', older, start, '--version'], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([64, `systole-agent: needs Node.js 20.19 or newer; ${process.execPath} is 18.19.0\n`]);
  });

  it('is the one that it was installed with where PATH has none', () => {
    // Of what the program calls PATH has all but Node.js.
    const path = mkdtempSync(join(tmpdir(), 'systole-path-'));
    symlinkSync('/usr/bin/readlink', join(path, 'readlink'));
    const version = (): ReturnType<typeof spawnSync> =>
      spawnSync(join(unpacked, 'bin/systole-agent'), ['--version'], { encoding: 'utf8', env: { PATH: path } });
    expect(version().status).toBe(127);
    const link = join(unpacked, 'lib/node');
    symlinkSync(process.execPath, link);
    expect(version()).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\./) as string });
    for (const made of [link, path]) rmSync(made, { recursive: true });
  });
});

describe.runIf(canBootSystemd())('an agent that is installed under a real systemd', () => {
  let systemd: RealSystemd;
  let server: ScriptedServer;
  const unit = 'systole-agent';

  beforeAll(async () => {
    make();
    systemd = await RealSystemd.boot('host');
    server = await ScriptedServer.start();
    systemd.run('/bin/sh', '-c', 'echo secret >/run/token');
    systemd.unit('web.service', '[Service]\nExecStart=/bin/sleep 1000\nRestart=always\n');
  });

  afterAll(async () => {
    await systemd.stop();
    await server.stop();
    rmSync(PACKAGE, { recursive: true, force: true });
  });

  afterEach(() => {
    server.left = false;
    server.shutdownRequested = false;
    server.shutdownComplete = false;
  });

  async function run(resource: AgentResult['resource'], name: string): Promise<AgentResult> {
    const action = operation(resource.id, name, { resource });
    server.order(action);
    await until(() => server.results.some(({ actionId }) => actionId === action.actionId), `${name} of ${resource.id} is reported`);
    const found = server.results.find(({ actionId }) => actionId === action.actionId);
    if (found === undefined) throw new Error('vanished');
    return found;
  }

  const web: AgentResult['resource'] = { id: 'web', historyId: 'web', class: 'systemd', type: 'web' };

  it('runs, and carries out what it is told', async () => {
    const said = systemd.run(
      join(unpacked, 'bin/systole-agent'),
      'install',
      '--start',
      '--server',
      server.url,
      '--token-file',
      '/run/token',
    );
    expect(said).toContain('installed /usr/bin/systole-agent');
    expect(systemd.property(unit, 'UnitFileState')).toBe('enabled');
    await until(() => server.joins.length > 0, 'the agent joins');
    expect(await run(web, 'start')).toMatchObject({ status: 'done', rc: 0 });
    expect(systemd.property('web', 'ActiveState')).toBe('active');
    expect(systemd.property('web', 'Restart')).toBe('no');
  });

  it('may be killed and comes back, and what it runs runs on', async () => {
    const joins = server.joins.length;
    const main = systemd.property('web', 'MainPID');
    systemd.run('systemctl', 'kill', '--kill-who=main', '--signal=KILL', unit);
    await until(() => server.joins.length > joins, 'the agent joins anew');
    expect(systemd.property('web', 'MainPID')).toBe(main);
    expect(await run(web, 'monitor')).toMatchObject({ status: 'done', rc: 0 });
  });

  it('is updated, and what it runs runs on', async () => {
    const joins = server.joins.length;
    const main = systemd.property('web', 'MainPID');
    expect(await systemd.runAside(join(unpacked, 'bin/systole-agent'), 'install', '--start')).toContain('is enabled, and runs');
    await until(() => server.joins.length > joins, 'the agent joins anew');
    expect(server.shutdownRequested).toBe(false);
    expect(systemd.property('web', 'MainPID')).toBe(main);
  });

  it('is restarted when its lease has just been renewed, and what it runs runs on', async () => {
    const joins = server.joins.length;
    const before = { agent: systemd.property(unit, 'MainPID'), web: systemd.property('web', 'MainPID') };
    server.hangs = true;
    const restarting = systemd.runAside('/usr/bin/systole-agent', 'restart');
    // Time enough to begin, and a lease that is not lost yet.
    await pause(3_000);
    expect(systemd.property(unit, 'MainPID')).toBe(before.agent);
    server.hangs = false;
    expect(await restarting).toBe('');
    await until(() => server.joins.length > joins, 'the agent joins anew');
    expect(server.shutdownRequested).toBe(false);
    expect(systemd.property('web', 'MainPID')).toBe(before.web);
  });

  it('is not removed while something may run on that it did not stop', () => {
    const dropIn = '/run/systemd/system/systole-agent.service.d';
    systemd.run('/bin/sh', '-c', `mkdir ${dropIn}; printf '[Service]\\nRestart=no\\n' >${dropIn}/test.conf; systemctl daemon-reload`);
    systemd.run('systemctl', 'kill', '--kill-who=main', '--signal=KILL', unit);
    const refused = systemd.run('/bin/sh', '-c', 'sleep 0.5; /usr/bin/systole-agent uninstall 2>&1; echo "exit $?"');
    expect(refused).toMatch(/these may run here.*web/);
    expect(refused).toContain('exit 70');
    expect(existsSync(systemd.path('/usr/lib/systole-agent/lib/agent/main.js'))).toBe(true);
    systemd.run('/bin/sh', '-c', `rm -r ${dropIn}; systemctl daemon-reload`);
  });

  it('leaves with its resources stopped, and nothing of it stays', async () => {
    const joins = server.joins.length;
    systemd.run('systemctl', 'start', unit);
    await until(() => server.joins.length > joins, 'the agent joins anew');
    const stopped = until(() => server.shutdownRequested, 'it asks to leave').then(async () => {
      await run(web, 'stop');
      server.completeShutdown();
    });
    const leaving = systemd.runAside('/usr/bin/systole-agent', 'uninstall', '--purge');
    await stopped;
    expect(await leaving).toMatch(/leaves its cluster[^]*removed, with its settings/);
    expect(systemd.property('web', 'ActiveState')).toBe('inactive');
    const left = systemd.run(
      '/bin/sh',
      '-c',
      'ls -d /usr/lib/systole-agent /usr/bin/systole-agent /var/lib/systole-agent /run/systole-agent /etc/systole /run/systemd/system/*.d 2>/dev/null; pgrep -f "[l]ib/agent/start.js"',
    );
    expect(left.trim()).toBe('');
  });
});
