import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { checkout } from '@systole/examples';
import { canBootSystemd, RealSystemd } from '@systole/ocf/testing';
import { freePort } from '@systole/queue/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const NAMES = ['systole', 'systole-server', 'systole-agent'];
const VERSION = (JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string }).version;
const ADMIN_TOKEN = 'an-admin-token-for-the-packages';
/** In the checkout, because the machines in the tests have a `/tmp` of their own. */
const made = join(checkout, 'packages-of-test');
const debian = (name: string, version = VERSION): string => join(made, `${name}_${version}_all.deb`);

beforeAll(() => {
  execFileSync(process.execPath, [join(checkout, 'deploy/packaging/package.js'), '--out', made], { stdio: ['ignore', 'ignore', 'inherit'] });
});

afterAll(() => {
  rmSync(made, { recursive: true, force: true });
});

describe('the version of everything', () => {
  it('is the one of the root', () => {
    const { status, stdout } = spawnSync(process.execPath, [join(checkout, 'deploy/packaging/write-version.js'), '--check'], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, '']);
  });
});

describe('packages of npm, outside of a checkout', () => {
  const directory = mkdtempSync(join(tmpdir(), 'systole-npm-'));
  const run = (...command: readonly string[]): string => execFileSync('npx', ['--no-install', ...command], { cwd: directory, encoding: 'utf8' });
  let database: ScratchDatabase;

  beforeAll(async () => {
    database = await createScratchDatabase();
    writeFileSync(join(directory, 'package.json'), '{}');
    const archives = NAMES.map((name) => join(made, `${name}-${VERSION}.tgz`));
    // Without what the registry has to give: there is nothing that the programs would need of it.
    execFileSync('npm', ['install', '--offline', '--omit=optional', '--no-audit', '--no-fund', ...archives], { cwd: directory, stdio: 'ignore' });
  });

  afterAll(async () => {
    rmSync(directory, { recursive: true, force: true });
    await database.drop();
  });

  it.each(NAMES)('have %s, which knows its version', (name) => {
    expect(run(name, '--version').trim()).toBe(VERSION);
  });

  it('simulate', () => {
    expect(run('crm_simulate', '--xml-file', join(checkout, 'apps/cli/warm-up.cib.xml'), '--show-scores')).toContain('allocation score');
  });

  it('start a server that serves the API as it is described, its page and the dashboard, and is asked by the command line', async () => {
    const url = `http://127.0.0.1:${String(await freePort())}`;
    // By npm's name for that, which builds nothing here.
    const server = spawn('npm', ['start', '--', '--port', new URL(url).port], {
      cwd: join(directory, 'node_modules/systole-server'),
      env: { ...process.env, DATABASE_URL: database.url, SYSTOLE_ADMIN_TOKEN: ADMIN_TOKEN },
      detached: true,
    });
    try {
      await expect.poll(() => readiness(url), { timeout: 60_000 }).toBe('ok');
      const described: unknown = JSON.parse(readFileSync(join(checkout, 'openapi/openapi.json'), 'utf8'));
      expect(isDeepStrictEqual(await (await fetch(`${url}/openapi.json`)).json(), described)).toBe(true);
      for (const page of ['/', '/docs', '/docs/swagger-ui-bundle.js']) expect((await fetch(`${url}${page}`)).status).toBe(200);
      expect(run('systole', '--server', url, '--token', ADMIN_TOKEN, 'cluster', 'create', 'web')).toContain('Made cluster web');
    } finally {
      process.kill(-(server.pid ?? 0), 'SIGTERM');
    }
  });
});

describe.runIf(canBootSystemd())('Debian packages, on a machine with systemd', () => {
  let machine: RealSystemd;
  let database: ScratchDatabase;
  let url: string;

  beforeAll(async () => {
    database = await createScratchDatabase();
    url = `http://127.0.0.1:${String(await freePort())}`;
    machine = await RealSystemd.boot('host');
    // Some images let packages start nothing.
    shell('rm -f /usr/sbin/policy-rc.d');
    madeNewer('systole-server');
    madeNewer('systole-agent');
  });

  afterAll(async () => {
    await machine.stop();
    await database.drop();
  });

  /** What commands print in there, complaints included, and how they end. */
  const shell = (commands: string): string => machine.run('/bin/sh', '-c', `(${commands}) 2>&1; echo "exit $?"`);
  const systole = (command: string): string => shell(`systole --server ${url} --token ${ADMIN_TOKEN} --cluster web ${command}`);
  const mainPid = (unit: string): string => machine.property(unit, 'MainPID');
  const dummy = (): string => shell('cat /run/resource-agents/Dummy-sleeper.state /run/Dummy-sleeper.state');

  it('install the server, whose service is confined and runs once it knows its database', async () => {
    const said = shell(`dpkg -i ${debian('systole')} ${debian('systole-server')}`);
    expect(said).toContain('systemctl enable --now systole-server');
    expect(said).toContain('exit 0');
    expect(shell('stat -c "%U %a" /etc/systole/secrets.key /etc/systole/server.env')).toBe('systole 600\nroot 600\nexit 0\n');
    const settings = `DATABASE_URL=${database.url}\\nPORT=${new URL(url).port}\\nSYSTOLE_ADMIN_TOKEN=${ADMIN_TOKEN}\\nSYSTOLE_SECRETS_KEY_FILE=/etc/systole/secrets.key\\n`;
    shell(`printf '${settings}' >/etc/systole/server.env; systemctl enable --now systole-server`);
    await expect.poll(() => readiness(url), { timeout: 60_000 }).toBe('ok');
    expect(shell(`ps -o user= -p ${mainPid('systole-server')}`)).toContain('systole');
    // What systemd itself makes of the unit: 10 is bare.
    const unit = machine.path('/usr/lib/systemd/system/systole-server.service');
    const judged = spawnSync('systemd-analyze', ['security', '--offline=yes', '--threshold=20', unit], { encoding: 'utf8' });
    expect([judged.status, judged.stdout.split('\n').findLast((line) => line.includes('Overall'))]).toEqual([0, expect.anything()]);
  });

  it('install the agent, which runs what it is told', async () => {
    expect(shell(`dpkg -i ${debian('systole-agent')}`)).toContain('exit 0');
    expect(systole('cluster create web')).toContain('Made cluster web');
    expect(systole('property set stonith-enabled=false')).toContain('exit 0');
    expect(systole('resource create sleeper ocf:heartbeat:Dummy')).toContain('exit 0');
    shell(`printf 'SYSTOLE_SERVERS=${url}\\nSYSTOLE_TOKEN_FILE=/etc/systole/agent-token\\n' >/etc/systole/agent.env`);
    expect(
      shell(
        `umask 077; systole --server ${url} --token ${ADMIN_TOKEN} --cluster web token create alpha --role agent --node alpha >/etc/systole/agent-token; systemctl enable --now systole-agent`,
      ),
    ).toContain('exit 0');
    await expect.poll(dummy, { timeout: 60_000 }).toContain('Dummy-sleeper.state');
    await expect.poll(() => systole('status'), { timeout: 60_000 }).toMatch(/sleeper.*alpha/i);
  });

  it('upgrade both: settings stay, the server restarts, the agent comes back, and what it runs runs on', async () => {
    const before = { server: mainPid('systole-server'), agent: mainPid('systole-agent'), sleeper: dummy() };
    const settings = shell('cat /etc/systole/server.env /etc/systole/agent.env');
    expect(shell(`dpkg -i ${debian('systole-server', NEWER)} ${debian('systole-agent', NEWER)}`)).toContain('exit 0');
    await expect.poll(() => readiness(url), { timeout: 60_000 }).toBe('ok');
    await expect.poll(() => Number(mainPid('systole-agent')), { timeout: 60_000 }).toBeGreaterThan(0);
    expect(mainPid('systole-server')).not.toBe(before.server);
    expect(mainPid('systole-agent')).not.toBe(before.agent);
    expect(shell('cat /etc/systole/server.env /etc/systole/agent.env')).toBe(settings);
    await expect.poll(() => systole('status'), { timeout: 60_000 }).toMatch(/sleeper.*alpha/i);
    expect(dummy()).toBe(before.sleeper);
  });

  it('are not replaced or removed by what the package of npm brings', () => {
    expect(shell('systole-agent uninstall')).toMatch(/apt-get remove systole-agent[^]*exit 70/);
    expect(shell(`${join(made, 'systole-agent/bin/systole-agent')} install`)).toMatch(/is installed as a Debian package[^]*exit 64/);
  });

  it('have the node leave its cluster when the agent is removed, and purged leave nothing but the account and the key', () => {
    expect(shell('dpkg -r systole-agent')).toMatch(/leaves its cluster[^]*exit 0/);
    expect(dummy()).not.toMatch(/^Dummy|state\n.*exit 0/);
    expect(systole('status')).not.toMatch(/alpha.*online/i);
    expect(shell('ls /etc/systole')).toContain('agent-token');
    expect(shell('dpkg --purge systole-agent systole-server systole')).toContain('secrets.key stays');
    expect(machine.property('systole-server', 'ActiveState')).toBe('inactive');
    const left = shell('find / -xdev -iname "*systole*" -not -path "*/packages-of-test/*" -newer /etc/systole/secrets.key 2>/dev/null');
    expect(left).toBe('exit 0\n');
    expect(shell('ls /etc/systole; id -un systole')).toBe('secrets.key\nsystole\nexit 0\n');
  });

  it('say which Node.js they take where there is an older one', () => {
    olderNode();
    shell(`dpkg -i ${join(made, 'nodejs.deb')}`);
    expect(shell(`dpkg -i ${debian('systole-agent')}`)).toMatch(/nodejs \(>= 20\.19\)[^]*18\.19\.0[^]*exit 1/);
    expect(shell(`dpkg -i --force-depends ${debian('systole-agent')}`)).toMatch(/deb\.nodesource\.com[^]*exit 1/);
    expect(shell('dpkg --purge systole-agent')).toContain('exit 0');
  });
});

/** Above every release, and below none. */
const NEWER = `${VERSION}+newer`;

/** The same package as a newer one. */
function madeNewer(name: string): void {
  const root = join(made, `${name}-newer`);
  execFileSync('dpkg-deb', ['-R', debian(name), root]);
  const control = join(root, 'DEBIAN/control');
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, `Version: ${NEWER}`));
  execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '-b', root, debian(name, NEWER)], { stdio: 'ignore' });
}

/** What Debian 12 has, as far as the packages look at it. */
function olderNode(): void {
  const root = join(made, 'nodejs');
  for (const directory of ['DEBIAN', 'usr/bin']) mkdirSync(join(root, directory), { recursive: true });
  const control = 'Package: nodejs\nVersion: 18.19.0\nArchitecture: all\nMaintainer: nobody <nobody@example.org>\nDescription: older\n';
  writeFileSync(join(root, 'DEBIAN/control'), control);
  // Of a version that there is, of which it says that it was older.
  const script = `#!/bin/sh\nexec ${process.execPath === '/usr/bin/node' ? '/usr/bin/node-20' : process.execPath} --import "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'18.19.0'})" "$@"\n`;
  writeFileSync(join(root, 'usr/bin/node'), script, { mode: 0o755 });
  execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '-b', root, join(made, 'nodejs.deb')], { stdio: 'ignore' });
}

/** What the server says of itself; undefined while it does not answer. */
async function readiness(url: string): Promise<string | undefined> {
  try {
    return ((await (await fetch(`${url}/health/ready`)).json()) as { status: string }).status;
  } catch {
    return undefined;
  }
}
