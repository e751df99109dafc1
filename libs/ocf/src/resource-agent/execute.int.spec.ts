import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fence } from '../fence-agent/execute.js';
import type { OperationOutcome } from '../outcome/operation-outcome.js';
import { inheritableEnvironment } from './environment.js';
import { executeOperation, readAgentMetadata } from './execute.js';
import type { AgentHost } from './host.js';
import { listOcfAgents } from './lookup.js';
import type { AgentResource } from './resource.js';

const OWN_ROOT = fileURLToPath(new URL('../../../../agents/ocf', import.meta.url));
let directory: string;
let host: AgentHost;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'systole-ocf-'));
  for (const name of ['tmp', 'run', 'init.d']) mkdirSync(join(directory, name));
  host = {
    directories: { ocfRoots: ['/usr/lib/ocf', OWN_ROOT], lsb: join(directory, 'init.d'), fence: [] },
    environment: { inherited: inheritableEnvironment(process.env), resourceTmp: join(directory, 'tmp'), varRun: join(directory, 'run') },
    killGraceMs: 300,
  };
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

async function run(
  resource: AgentResource,
  operation: string,
  parameters: Record<string, string> = {},
  intervalMs = 0,
): Promise<OperationOutcome> {
  return executeOperation({ resource, operation, intervalMs, timeoutMs: 10_000, parameters, meta: {} }, host);
}

/** The life of any stateless resource. */
async function liveAndDie(resource: AgentResource): Promise<number[]> {
  const codes: number[] = [];
  for (const operation of ['monitor', 'start', 'monitor', 'stop', 'monitor']) codes.push((await run(resource, operation)).rc);
  return codes;
}

const dummy = { id: 'd', class: 'ocf', provider: 'systole', type: 'Dummy' };

describe('an OCF agent', () => {
  it('starts, runs and stops', async () => {
    expect(await liveAndDie(dummy)).toEqual([7, 0, 0, 0, 7]);
  });

  it('gives the reason of a failure', async () => {
    expect(await run(dummy, 'start', { state: 'relative' })).toMatchObject({
      status: 'done',
      rc: 6,
      exitReason: "state must be an absolute path, not 'relative'",
    });
  });

  it('that does not implement an action says so', async () => {
    expect(await run(dummy, 'promote')).toMatchObject({ status: 'done', rc: 3 });
  });

  it('describes itself', async () => {
    const metadata = await readAgentMetadata(dummy, host);
    expect(metadata.parameters.map((parameter) => parameter.name)).toEqual(['state', 'fake', 'op_sleep']);
    expect(metadata.actions.map((action) => action.name)).toContain('reload-agent');
  });

  it('is listed', async () => {
    expect(await listOcfAgents(host.directories)).toEqual(expect.arrayContaining(['ocf:systole:Dummy', 'ocf:systole:Stateful']));
  });

  it('can not be named out of its directory', async () => {
    const outcome = await run({ ...dummy, type: '../../../../bin/sh' }, 'start');
    expect(outcome).toMatchObject({ status: 'not-installed', rc: 5 });
  });

  it('with a parameter that is too long to be passed on fails, and says what to do', async () => {
    const outcome = await run(dummy, 'start', { fake: 'x'.repeat(200 * 1024) });
    expect(outcome).toMatchObject({ status: 'error', rc: 1 });
    expect(outcome.exitReason).toMatch(/E2BIG.*128 KiB.*file/);
  });

  it('whose interpreter is missing counts as not installed', async () => {
    const root = join(directory, 'root');
    mkdirSync(join(root, 'resource.d', 'x'), { recursive: true });
    writeFileSync(join(root, 'resource.d', 'x', 'Y'), '#!/nowhere/sh\n', { mode: 0o755 });
    host = { ...host, directories: { ...host.directories, ocfRoots: [root] } };
    const outcome = await run({ id: 'y', class: 'ocf', provider: 'x', type: 'Y' }, 'start');
    expect(outcome).toMatchObject({ status: 'not-installed', rc: 5 });
    expect(outcome.exitReason).toMatch(/ENOENT.*interpreter/);
  });

  it('that is not executable counts as not installed', async () => {
    const root = join(directory, 'root');
    mkdirSync(join(root, 'resource.d', 'x'), { recursive: true });
    writeFileSync(join(root, 'resource.d', 'x', 'Y'), '#!/bin/sh\n', { mode: 0o644 });
    host = { ...host, directories: { ...host.directories, ocfRoots: [root] } };
    expect(await run({ id: 'y', class: 'ocf', provider: 'x', type: 'Y' }, 'start')).toMatchObject({ status: 'not-installed', rc: 5 });
  });

  it('that can not be looked up has failed, though it may be installed', async () => {
    const root = join(directory, 'root');
    mkdirSync(join(root, 'resource.d', 'x'), { recursive: true });
    symlinkSync('Y', join(root, 'resource.d', 'x', 'Y'));
    symlinkSync('fence_y', join(root, 'resource.d', 'x', 'fence_y'));
    host = { ...host, directories: { ...host.directories, ocfRoots: [root], fence: [join(root, 'resource.d', 'x')] } };
    const outcome = await run({ id: 'y', class: 'ocf', provider: 'x', type: 'Y' }, 'stop');
    expect(outcome).toMatchObject({ status: 'error', rc: 1 });
    expect(outcome.exitReason).toMatch(/ELOOP/);
    const fencing = await fence({ agent: 'fence_y', action: 'off', target: 'n2', parameters: {}, timeoutMs: 10_000 }, host);
    expect(fencing).toMatchObject({ status: 'error', rc: 1 });
  });
});

describe('a fence agent', () => {
  it('that is not installed can not be started, and needs no stop', async () => {
    const resource = { id: 'power', class: 'stonith', type: 'fence_nowhere' };
    const run = (operation: string) =>
      executeOperation({ resource, operation, intervalMs: 0, timeoutMs: 5_000, parameters: {}, meta: {} }, host);
    expect(await run('start')).toMatchObject({ rc: 5 });
    expect(await run('stop')).toMatchObject({ status: 'done', rc: 0 });
  });

  it('gets a long parameter, as its standard input has no limit', async () => {
    const agent = join(directory, 'fence_long');
    writeFileSync(agent, '#!/bin/sh\nwc -c >"$0.size"\n', { mode: 0o755 });
    host = { ...host, directories: { ...host.directories, fence: [directory] } };
    const outcome = await fence(
      { agent: 'fence_long', action: 'off', target: 'n2', parameters: { key: 'x'.repeat(200 * 1024) }, timeoutMs: 10_000 },
      host,
    );
    expect(outcome).toMatchObject({ status: 'done', rc: 0 });
    expect(Number(readFileSync(`${agent}.size`, 'utf8'))).toBeGreaterThan(200 * 1024);
  });

  it('that the machine cannot run counts as not installed, and says why', async () => {
    writeFileSync(join(directory, 'fence_bad'), '#!/nowhere/sh\n', { mode: 0o755 });
    host = { ...host, directories: { ...host.directories, fence: [directory] } };
    const outcome = await fence({ agent: 'fence_bad', action: 'off', target: 'n2', parameters: {}, timeoutMs: 10_000 }, host);
    expect(outcome).toMatchObject({ status: 'not-installed', rc: 5 });
    expect(outcome.exitReason).toMatch(/ENOENT.*interpreter/);
  });
});

describe('an init script', () => {
  it('is a resource, too', async () => {
    const script = `#!/bin/sh\nstate='${directory}/web'\ncase $1 in start) touch $state;; stop) rm -f $state;; status) [ -e $state ] || exit 3;; *) exit 2;; esac\n`;
    writeFileSync(join(directory, 'init.d', 'web'), script, { mode: 0o755 });
    expect(await liveAndDie({ id: 'web', class: 'lsb', type: 'web' })).toEqual([7, 0, 0, 0, 7]);
    expect(await liveAndDie({ id: 'web', class: 'service', type: 'web' })).toEqual([7, 0, 0, 0, 7]);
  });

  it('may be named by its path, where init scripts lie and nowhere else', async () => {
    writeFileSync(join(directory, 'init.d', 'web'), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
    writeFileSync(join(directory, 'elsewhere'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    const type = (name: string): AgentResource => ({ id: 'web', class: 'lsb', type: name });
    expect((await run(type(join(directory, 'init.d', 'web')), 'monitor')).rc).toBe(7);
    for (const name of [join(directory, 'elsewhere'), '../elsewhere', join(directory, 'init.d', '..', 'elsewhere'), '/bin/true', '']) {
      const outcome = await run(type(name), 'monitor');
      expect(outcome, name).toMatchObject({ status: 'not-installed', rc: 5 });
      expect(outcome.exitReason).toMatch(/no init script: these lie in/);
    }
  });
});

describe("Debian's resource agents", () => {
  const installed = (provider: string, type: string): boolean => existsSync(`/usr/lib/ocf/resource.d/${provider}/${type}`);

  it.runIf(installed('heartbeat', 'Dummy'))('ocf:heartbeat:Dummy runs unmodified', async () => {
    const resource = { id: 'd', class: 'ocf', provider: 'heartbeat', type: 'Dummy' };
    expect(await liveAndDie(resource)).toEqual([7, 0, 0, 0, 7]);
    expect(await run(resource, 'monitor', {}, 10_000)).toMatchObject({ rc: 7, exitReason: 'No process state file found' });
    expect((await readAgentMetadata(resource, host)).parameters[0]).toMatchObject({ name: 'state', uniqueGroup: 'state' });
  });

  it.runIf(installed('pacemaker', 'Dummy'))('ocf:pacemaker:Dummy runs unmodified', async () => {
    expect(await liveAndDie({ id: 'd', class: 'ocf', provider: 'pacemaker', type: 'Dummy' })).toEqual([7, 0, 0, 0, 7]);
    expect(existsSync('/var/run/Dummy-d.state')).toBe(false);
  });

  it.runIf(installed('heartbeat', 'Dummy'))('all describe themselves in a form that we understand', async () => {
    const agents = ['apache', 'Filesystem', 'IPaddr2', 'pgsql', 'galera', 'VirtualDomain', 'nfsserver', 'LVM-activate', 'anything'];
    for (const type of agents.filter((one) => installed('heartbeat', one))) {
      const metadata = await readAgentMetadata({ id: 'x', class: 'ocf', provider: 'heartbeat', type }, host);
      expect(metadata.actions.find((action) => action.name === 'monitor')?.timeoutMs, type).toBeGreaterThan(0);
      expect(metadata.parameters.length, type).toBeGreaterThan(0);
    }
  });
});
