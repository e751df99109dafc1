import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { heldReference } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { agentUnderTest, testResource } from '../testing/agent-under-test.js';
import { until } from '../testing/agent-process.js';

const under = agentUnderTest();
const REFERENCE = heldReference('0f343b0931126a20f133d67c2b018a3b');
const SECRET = 'gEhEiM-7311';
/** Keeps what it was given, tells it to everybody, and fails to start. */
const TELLTALE =
  'printf %s "$OCF_RESKEY_password" > "given-$1"; tr "\\0" "\\n" < /proc/$$/cmdline > "argv-$1"; echo "out $OCF_RESKEY_password"; echo "ocf-exit-reason:refused $OCF_RESKEY_password" >&2; [ "$1" = start ] && exit 1; exit 0';

const given = (action: string): string => readFileSync(join(under.node.directory, `given-${action}`), 'utf8');
const telltale = (password: string, more: object = {}) => ({ ...testResource('telltale'), parameters: { password }, ...more });

describe('an agent that is given a secret', () => {
  it('gives it to the program in its environment, and writes and tells it to nobody else', async () => {
    const agent = under.node.start(...under.installAgent('telltale', TELLTALE));
    const result = await under.run('telltale', 'start', telltale(REFERENCE, { secrets: { [REFERENCE]: SECRET } }));
    expect(given('start')).toBe(SECRET);
    expect(readFileSync(join(under.node.directory, 'argv-start'), 'utf8')).not.toContain(SECRET);
    expect(result).toMatchObject({ rc: 1, exitReason: 'refused ********' });
    expect(JSON.stringify(under.server.results)).not.toContain(SECRET);
    expect(agent.log).not.toContain(SECRET);
    expect(readFileSync(join(under.node.stateDir, 'journal'), 'utf8')).not.toContain(SECRET);
    const holding = execFileSync('grep', ['-rlF', SECRET, under.node.directory]).toString().trim().split('\n').sort();
    expect(holding).toEqual([join(under.node.directory, 'given-start'), join(under.node.runDir, 'secrets')]);
    expect(statSync(join(under.node.runDir, 'secrets')).mode & 0o777).toBe(0o600);
  });

  it('knows it after a crash, for what runs', async () => {
    const flags = under.installAgent('telltale', TELLTALE);
    const first = under.node.start(...flags);
    await under.run('telltale', 'monitor', telltale(REFERENCE, { secrets: { [REFERENCE]: SECRET } }));
    await first.kill();
    under.node.start(...flags);
    await under.run('telltale', 'stop', telltale(REFERENCE));
    expect(given('stop')).toBe(SECRET);
  });

  it('fails with the reason for which it has none, but demotes, stops and probes without', async () => {
    under.node.start(...under.installAgent('telltale', TELLTALE));
    const withheld = { withheld: { [REFERENCE]: 'the secret was erased: give its value anew' } };
    expect(await under.run('telltale', 'start', telltale(REFERENCE, withheld))).toMatchObject({
      status: 'error',
      rc: 1,
      exitReason: 'the secret for password: the secret was erased: give its value anew',
    });
    expect(await under.run('telltale', 'monitor', telltale(REFERENCE, { intervalMs: 0 }))).toMatchObject({ status: 'done', rc: 0 });
    expect(given('monitor')).toBe('');
    for (const name of ['demote', 'stop']) {
      expect(await under.run('telltale', name, telltale(REFERENCE))).toMatchObject({ status: 'done', rc: 0 });
      expect(given(name)).toBe('');
    }
  });

  it('stops a fence device without: a password that is missing must not have the node fenced', async () => {
    const fences = join(under.node.directory, 'fences');
    mkdirSync(fences);
    writeFileSync(join(fences, 'fence_telltale'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    under.node.start('--fence-dir', fences);
    const resource = { id: 'power', historyId: 'power', class: 'stonith', type: 'fence_telltale' };
    const parameters = { passwd: REFERENCE };
    expect(await under.run('power', 'start', { resource, parameters })).toMatchObject({ status: 'error' });
    expect(await under.run('power', 'stop', { resource, parameters })).toMatchObject({ status: 'done', rc: 0 });
  });

  it('gives it to a fence agent on its standard input', async () => {
    const fences = join(under.node.directory, 'fences');
    mkdirSync(fences);
    writeFileSync(join(fences, 'fence_telltale'), `#!/bin/sh\ncat > '${under.node.directory}/stdin'\nexit 0\n`, { mode: 0o755 });
    under.node.start('--fence-dir', fences);
    const fence = {
      fencingId: 'f',
      target: 'n9',
      action: 'off' as const,
      deviceId: 'power',
      agent: 'fence_telltale',
      parameters: { passwd: REFERENCE },
    };
    const resource = { id: 'power', historyId: 'power', class: 'stonith', type: 'fence_telltale' };
    expect(await under.run('power', 'off', { kind: 'fence', resource, fence, secrets: { [REFERENCE]: SECRET } })).toMatchObject({ rc: 0 });
    expect(readFileSync(join(under.node.directory, 'stdin'), 'utf8')).toContain(`passwd=${SECRET}\n`);
  });
});

describe('a reference that is resolved on the node', () => {
  const start = async (password: string, ...flags: readonly string[]) => {
    under.node.start(...under.installAgent('telltale', TELLTALE), ...flags);
    return under.run('telltale', 'promote', telltale(password));
  };

  it('leads to a file below the directories that the node allows, and to no other', async () => {
    const directory = join(under.node.directory, 'allowed');
    mkdirSync(directory);
    writeFileSync(join(directory, 'db'), `${SECRET}\n`);
    writeFileSync(join(under.node.directory, 'other'), 'of-the-machine');
    symlinkSync(join(under.node.directory, 'other'), join(directory, 'link'));
    expect(await start(`systole-secret:file:${directory}/db`, '--secret-dir', directory)).toMatchObject({ status: 'done', rc: 0 });
    expect(given('promote')).toBe(SECRET);
    for (const path of [
      join(under.node.directory, 'other'),
      `${directory}/link`,
      `${directory}/../other`,
      `${directory}/none`,
      directory,
    ]) {
      const result = await under.run('telltale', 'promote', telltale(`systole-secret:file:${path}`));
      expect(result, path).toMatchObject({ status: 'error', rc: 1 });
      expect(JSON.stringify(result), path).not.toContain('of-the-machine');
    }
  });

  it('leads to a command that the node names, whose words are not told', async () => {
    const program = join(under.node.directory, 'vault.sh');
    writeFileSync(
      program,
      `#!/bin/sh\n[ "$SECRET_PARAMETER" = password ] || { echo "${SECRET}"; exit 3; }\necho "$SECRET_RESOURCE:${SECRET}"\n`,
      { mode: 0o755 },
    );
    expect(await start('systole-secret:command:vault', '--secret-command', `vault=${program}`)).toMatchObject({ status: 'done' });
    expect(given('promote')).toBe(`telltale:${SECRET}`);
    const wrong = await under.run('telltale', 'promote', {
      ...testResource('telltale'),
      parameters: { token: 'systole-secret:command:vault' },
    });
    expect(wrong).toMatchObject({ status: 'error', exitReason: 'the secret for token: the command vault failed: exit code 3' });
    const unnamed = await under.run('telltale', 'promote', telltale('systole-secret:command:sh'));
    expect(unnamed).toMatchObject({ status: 'error', exitReason: expect.stringMatching(/names no command sh/) as string });
  });

  it('leads to no variable of the agent but those that are meant for it', async () => {
    expect(await start('systole-secret:env:SYSTOLE_TOKEN')).toMatchObject({
      status: 'error',
      exitReason: expect.stringMatching(/SYSTOLE_SECRET_SYSTOLE_TOKEN is not set/) as string,
    });
  });

  it('is refused at the start where a command is none', async () => {
    const agent = under.node.start('--secret-command', 'vault');
    await until(() => agent.log.includes("'vault' is no command"), 'it says so');
    expect(await agent.exit).not.toBe(0);
  });
});

describe('a file as cibsecret writes it', () => {
  it('counts with the sum beside it only', async () => {
    const { SecretSources } = await import('./secret-sources.js');
    const directory = join(under.node.directory, 'lrm');
    mkdirSync(join(directory, 'db'), { recursive: true });
    writeFileSync(join(directory, 'db', 'password'), SECRET);
    const sources = new SecretSources(
      { directories: [], commands: {}, cibsecretDirectory: directory },
      { find: () => undefined },
      { SYSTOLE_SECRET_X: 'y' },
    );
    const asked = { resource: 'db:0', parameter: 'password', withinMs: 1_000, abort: new AbortController().signal };
    expect(await sources.find('lrm://', asked)).toMatchObject({ ok: false });
    writeFileSync(join(directory, 'db', 'password.sign'), `${createHash('md5').update(SECRET).digest('hex')}\n`);
    expect(await sources.find('lrm://', asked)).toEqual({ ok: true, value: SECRET });
    writeFileSync(join(directory, 'db', 'password'), 'changed');
    expect(await sources.find('lrm://', asked)).toMatchObject({ ok: false });
    expect(await sources.find('lrm://', { ...asked, resource: '..' })).toMatchObject({ ok: false });
    expect(await sources.find('systole-secret:env:X', asked)).toEqual({ ok: true, value: 'y' });
  });
});
