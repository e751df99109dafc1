import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { checkout } from '@systole/examples';
import { canBootSystemd, RealSystemd } from '@systole/ocf/testing';
import { freePort } from '@systole/queue/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const NAMES = ['systole', 'systole-server', 'systole-agent'];
const VERSION = (JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string }).version;
const ADMIN_TOKEN = 'an-admin-token-for-the-packages';
/** Some ten seconds of a processor; the machine may have others to serve. */
const PACKING_MS = 600_000;
/** For what only this test has. In the checkout, because the machines in the tests have a `/tmp` of their own. */
const scratch = mkdtempSync(join(checkout, 'packages-of-test-'));
/** Packages that were made before, by whoever looks at them otherwise as well. */
const made = process.env['SYSTOLE_PACKAGES'] ?? scratch;
const debian = (name: string, version = VERSION): string => join(version === VERSION ? made : scratch, `${name}_${version}_all.deb`);

beforeAll(async () => {
  if (made === scratch) await promisify(execFile)(process.execPath, [join(checkout, 'deploy/packaging/package.js'), '--out', made]);
}, PACKING_MS);

afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

describe('the version of everything', () => {
  it('is the one of the root', () => {
    const { status, stdout } = spawnSync(process.execPath, [join(checkout, 'deploy/packaging/write-version.js'), '--check'], {
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, '']);
  });
});

describe('packages of npm, outside of a checkout', () => {
  const directory = mkdtempSync(join(tmpdir(), 'systole-npm-'));
  const run = async (...command: readonly string[]): Promise<string> =>
    (await promisify(execFile)('npx', ['--no-install', ...command], { cwd: directory })).stdout;
  let database: ScratchDatabase;

  beforeAll(async () => {
    database = await createScratchDatabase();
    writeFileSync(join(directory, 'package.json'), '{}');
    const archives = NAMES.map((name) => join(made, `${name}-${VERSION}.tgz`));
    // Without what the registry has to give: there is nothing that the programs would need of it.
    await promisify(execFile)('npm', ['install', '--offline', '--omit=optional', '--no-audit', '--no-fund', ...archives], {
      cwd: directory,
    });
  });

  afterAll(async () => {
    rmSync(directory, { recursive: true, force: true });
    await database.drop();
  });

  it.each(NAMES)('have %s, which knows its version', async (name) => {
    expect((await run(name, '--version')).trim()).toBe(VERSION);
  });

  it('tell what their programs take', async () => {
    expect(await run('systole-agent', '--help')).toContain('--token-file');
    expect(await run('systole-server', '--help')).toContain('--port');
  });

  it.each([
    ['systole', ['commander', 'undici']],
    ['systole-server', ['@nestjs/core', 'pg', 'preact', 'swagger-ui-dist']],
    ['systole-agent', ['pino', 'undici']],
  ])('tell whose work is in %s, with its licences', (name, others) => {
    const told = readFileSync(join(directory, 'node_modules', name, 'THIRD-PARTY-LICENSES'), 'utf8');
    const listed = told.split('\n\n')[1]?.split('\n') ?? [];
    expect(listed.map((line) => line.split(' ')[0])).toEqual(expect.arrayContaining(others));
    for (const line of listed) expect(line).toMatch(/^\S+ \d+\.\d+\.\d+\S*: (?!licence not told)\S+/);
    expect(told).toContain('Permission is hereby granted');
  });

  it('simulate', async () => {
    expect(await run('crm_simulate', '--xml-file', join(checkout, 'apps/cli/warm-up.cib.xml'), '--show-scores')).toContain(
      'allocation score',
    );
  });

  it('start a server that serves the API as it is described, its page and the dashboard, and is asked by the command line', async () => {
    const url = `http://127.0.0.1:${String(await freePort())}`;
    const server = spawn('npx', ['--no-install', 'systole-server', '--port', new URL(url).port], {
      cwd: directory,
      env: { ...process.env, DATABASE_URL: database.url, SYSTOLE_ADMIN_TOKEN: ADMIN_TOKEN },
      detached: true,
      stdio: 'ignore',
    });
    try {
      await expect.poll(() => readiness(url), { timeout: 60_000 }).toBe('ok');
      const described: unknown = JSON.parse(readFileSync(join(checkout, 'openapi/openapi.json'), 'utf8'));
      expect(isDeepStrictEqual(await (await fetch(`${url}/openapi.json`)).json(), described)).toBe(true);
      for (const page of ['/', '/docs', '/docs/swagger-ui-bundle.js']) expect((await fetch(`${url}${page}`)).status).toBe(200);
      expect(await run('systole', '--server', url, '--token', ADMIN_TOKEN, 'cluster', 'create', 'web')).toContain('Made cluster web');
    } finally {
      const ended = once(server, 'close');
      process.kill(-(server.pid ?? 0), 'SIGTERM');
      await ended;
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
    // Some images let packages start nothing, and bring Node.js as no package.
    await shell('rm -f /usr/sbin/policy-rc.d');
    if (!(await shell('dpkg --compare-versions "$(dpkg-query -W -f \'${Version}\' nodejs)" ge 20.19')).includes('exit 0'))
      await shell(`dpkg -i ${nodePackage(process.versions.node)}`);
    for (const name of ['systole-server', 'systole-agent']) makeNewer(name);
  });

  afterAll(async () => {
    await machine.stop();
    await database.drop();
  });

  /** What commands print in there, complaints included, and how they end. The test's own PATH has the programs of the checkout. */
  const shell = (commands: string): Promise<string> =>
    machine.runAside('/bin/sh', '-c', `PATH=${PATH}; export PATH; (${commands}) 2>&1; echo "exit $?"`);
  const systole = (command: string): Promise<string> => shell(`systole --server ${url} --token ${ADMIN_TOKEN} --cluster web ${command}`);
  const mainPid = (unit: string): number => Number(machine.property(unit, 'MainPID'));
  const joins = async (): Promise<number> =>
    Number(await machine.runAside('/bin/sh', '-c', `journalctl -u systole-agent -o cat | grep -c '"joined"'`));
  /** The process of the resource; empty while it does not run. */
  const sleeper = async (): Promise<string> => (await machine.runAside('pgrep', '-f', `^/bin/sleep ${SLEEPS}`)).trim();
  /** What was done to the resource, as the cluster's log has it, but for monitors. */
  const done = async (): Promise<readonly string[]> =>
    (await systole('--json events --type OperationRecorded --limit 1000'))
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => (JSON.parse(line) as { data: { operation: string } }).data.operation)
      .filter((operation) => operation !== 'monitor');

  it('install the server, whose service is confined, and runs once it knows its database', async () => {
    const said = await shell(`dpkg -i ${debian('systole')} ${debian('systole-server')}`);
    expect(said).toMatch(/systemctl enable --now systole-server[^]*exit 0/);
    expect(await shell('stat -c "%U %a" /etc/systole/secrets.key /etc/systole/server.env')).toBe('systole 600\nroot 600\nexit 0\n');
    const settings = [
      `DATABASE_URL=${database.url}`,
      `PORT=${new URL(url).port}`,
      `SYSTOLE_ADMIN_TOKEN=${ADMIN_TOKEN}`,
      'SYSTOLE_SECRETS_KEY_FILE=/etc/systole/secrets.key',
      // As the guide advises where there is one server: a machine that has others to serve as well may restart it for longer than a lease usually is.
      'SYSTOLE_LEASE_MS=40000',
    ];
    await shell(
      `printf '%s\\n' ${settings.map((line) => `'${line}'`).join(' ')} >/etc/systole/server.env; systemctl enable --now systole-server`,
    );
    await expect.poll(() => readiness(url), POLLED).toBe('ok');
    expect(await shell(`stat -c %U /proc/${String(mainPid('systole-server'))}`)).toContain('systole');
    // What systemd itself makes of the unit, of 100, which is a service that may do anything.
    const unit = machine.path('/usr/lib/systemd/system/systole-server.service');
    const judged = spawnSync('systemd-analyze', ['security', '--offline=yes', '--threshold=20', unit], { encoding: 'utf8' });
    expect([judged.status, judged.stdout.split('\n').filter((line) => line.includes('Overall'))]).toEqual([0, [expect.anything()]]);
  });

  it('install the agent, which runs what it is told', async () => {
    expect(await shell(`dpkg -i ${debian('systole-agent')}`)).toMatch(/systemctl enable --now systole-agent[^]*exit 0/);
    expect(await systole('cluster create web')).toContain('Made cluster web');
    expect(await systole('property set stonith-enabled=false')).toContain('exit 0');
    expect(await systole(`resource create sleeper ocf:heartbeat:anything binfile=/bin/sleep cmdline_options=${SLEEPS}`)).toContain(
      'exit 0',
    );
    expect(await systole('token create alpha --role agent --node alpha >/etc/systole/agent-token')).toContain('exit 0');
    await shell(`printf 'SYSTOLE_SERVERS=${url}\\nSYSTOLE_TOKEN_FILE=/etc/systole/agent-token\\n' >/etc/systole/agent.env`);
    expect(await shell('systemctl enable --now systole-agent')).toContain('exit 0');
    await expect.poll(sleeper, POLLED).not.toBe('');
    await expect.poll(done, POLLED).toEqual(['start']);
  });

  it('give the node the tools that work in threads of their own', async () => {
    const tools = 'cd /tmp; PATH=/run/systole-agent/bin:$PATH';
    expect(await shell(`${tools}; crm_verify --live-check`)).toMatch(/exit 0\n$/);
    expect(await shell(`${tools}; crm_mon -1`)).toMatch(/sleeper[^]*exit 0\n$/);
  });

  it('give the node crm_simulate, as other programs call it', async () => {
    const tools = 'cd /tmp; PATH=/run/systole-agent/bin:$PATH';
    expect(await shell(`${tools}; crm_simulate --live-check`)).toMatch(/sleeper\s+\(ocf:heartbeat:anything\):\s+Started alpha[^]*exit 0/);
    const planned = await shell(`${tools}; cibadmin --query | crm_simulate --simulate --save-output after --save-graph graph --xml-pipe`);
    expect(planned).toMatch(/Transition Summary[^]*exit 0/);
    expect(await shell('head -c 17 /tmp/graph; echo; head -c 4 /tmp/after; echo')).toBe('<transition_graph\n<cib\nexit 0\n');
  });

  it('upgrade the agent: its settings stay, and what it runs runs on', async () => {
    const before = { agent: mainPid('systole-agent'), sleeper: await sleeper(), joins: await joins() };
    const settings = await shell('cat /etc/systole/agent.env');
    expect(await shell(`dpkg -i ${debian('systole-agent', NEWER)}`)).toContain('exit 0');
    await expect.poll(joins, POLLED).toBeGreaterThan(before.joins);
    expect([0, before.agent]).not.toContain(mainPid('systole-agent'));
    expect(await shell('cat /etc/systole/agent.env')).toBe(settings);
    expect(await sleeper()).toBe(before.sleeper);
    expect(await done()).toEqual(['start']);
  });

  it('upgrade the server: its settings stay, it restarts, and what nodes run runs on', async () => {
    const before = { server: mainPid('systole-server'), sleeper: await sleeper() };
    const settings = await shell('cat /etc/systole/server.env');
    expect(await shell(`dpkg -i ${debian('systole-server', NEWER)}`)).toContain('exit 0');
    await expect.poll(() => readiness(url), POLLED).toBe('ok');
    expect([0, before.server]).not.toContain(mainPid('systole-server'));
    expect(await shell('cat /etc/systole/server.env')).toBe(settings);
    expect(await systole('status')).toMatch(/sleeper[^\n]*tarted[^]*exit 0/);
    expect(await sleeper()).toBe(before.sleeper);
    expect(await done()).toEqual(['start']);
  });

  it('are not replaced or removed by what the package of npm brings', async () => {
    expect(await shell('systole-agent uninstall')).toMatch(/apt-get remove systole-agent[^]*exit 70/);
    expect(await shell(`${join(made, 'systole-agent/bin/systole-agent')} install`)).toMatch(/is installed as a Debian package[^]*exit 64/);
  });

  it('do not go while something may run that nobody would look after', async () => {
    const before = await joins();
    const dropIn = '/run/systemd/system/systole-agent.service.d';
    await shell(`mkdir ${dropIn}; printf '[Service]\\nRestart=no\\n' >${dropIn}/test.conf; systemctl daemon-reload`);
    await shell('systemctl kill --kill-who=main --signal=KILL systole-agent');
    await expect.poll(() => machine.property('systole-agent', 'ActiveState'), POLLED).toBe('failed');
    expect(await shell('dpkg -r systole-agent')).toMatch(/these may run here[^]*sleeper[^]*it is not removed[^]*exit 1/);
    expect(await shell('systole-agent --version')).toContain('exit 0');
    await shell(`rm -r ${dropIn}; systemctl daemon-reload; systemctl start systole-agent`);
    await expect.poll(joins, POLLED).toBeGreaterThan(before);
  });

  it('have the node leave its cluster when the agent is removed, and purged leave nothing but the account and the key of secrets', async () => {
    const files = machine
      .run('dpkg', '-L', ...NAMES)
      .split('\n')
      .filter((path) => path.includes('systole'));
    expect(files.length).toBeGreaterThan(30);
    expect(await shell('dpkg -r systole-agent')).toMatch(/leaves its cluster[^]*exit 0/);
    expect(await sleeper()).toBe('');
    expect(existsSync(machine.path('/etc/systole/agent-token'))).toBe(true);
    expect(await shell(`dpkg --purge ${NAMES.join(' ')}`)).toMatch(/secrets\.key stays[^]*exit 0/);
    expect(machine.property('systole-server', 'ActiveState')).toBe('inactive');
    const others = [
      '/var/lib/systole-server',
      '/var/lib/systole-agent',
      '/run/systole-agent',
      '/etc/systemd/system/multi-user.target.wants/systole-agent.service',
    ];
    expect([...new Set([...files, ...others])].filter((path) => existsSync(machine.path(path)))).toEqual(['/etc/systole']);
    expect(await shell('ls /etc/systole; id -un systole')).toBe('secrets.key\nsystole\nexit 0\n');
  });

  it('say which Node.js they take where there is an older one', async () => {
    await shell(`cp ${process.execPath} ${NODE_KEPT}; dpkg -i --force-downgrade ${nodePackage('18.19.0')}`);
    expect(await shell(`dpkg -i ${debian('systole-agent')}`)).toMatch(/nodejs \(>= 20\.19\)[^]*18\.19\.0[^]*exit 1/);
    expect(await shell(`dpkg -i --force-depends ${debian('systole-agent')}`)).toMatch(/is 18\.19\.0[^]*deb\.nodesource\.com[^]*exit 1/);
    expect(await shell('dpkg --purge systole-agent')).toContain('exit 0');
  });
});

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** How long something may take here, and how often it is looked at: each look is a process. */
const POLLED = { timeout: 60_000, interval: 500 };

/** For how long the process sleeps that the resource is, s; nothing else on the machine sleeps for that. */
const SLEEPS = '86413';

/** Above every release, and below none. */
const NEWER = `${VERSION}+newer`;

/** The same package as a newer one. */
function makeNewer(name: string): void {
  const root = join(scratch, `${name}-newer`);
  execFileSync('dpkg-deb', ['-R', debian(name), root]);
  const control = join(root, 'DEBIAN/control');
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, `Version: ${NEWER}`));
  execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '-b', root, debian(name, NEWER)], { stdio: 'ignore' });
}

/** Where the Node.js that runs this test lies while a package covers it. */
const NODE_KEPT = '/usr/lib/node-of-test';

/** A package of Node.js of a version, as far as others look at it. @returns its file */
function nodePackage(version: string): string {
  const root = join(scratch, `nodejs-${version}`);
  const file = `${root}.deb`;
  for (const directory of ['DEBIAN', 'usr/local/bin']) mkdirSync(join(root, directory), { recursive: true });
  const control = `Package: nodejs\nVersion: ${version}\nArchitecture: all\nMaintainer: nobody <nobody@example.org>\nDescription: Node.js of a test\n`;
  writeFileSync(join(root, 'DEBIAN/control'), control);
  if (version !== process.versions.node) {
    const saysSo = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`;
    writeFileSync(join(root, 'usr/local/bin/node'), `#!/bin/sh\nexec ${NODE_KEPT} --import "${saysSo}" "$@"\n`, { mode: 0o755 });
  }
  execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '-b', root, file], { stdio: 'ignore' });
  return file;
}

/** What the server says of itself; undefined while it does not answer. */
async function readiness(url: string): Promise<string | undefined> {
  try {
    return ((await (await fetch(`${url}/health/ready`)).json()) as { status: string }).status;
  } catch {
    return undefined;
  }
}
