import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SYSTEM_AGENT_DIRECTORIES } from '../resource-agent/lookup.js';
import { alertEnvironment, optionsNotGiven } from './environment.js';
import { runAlert } from './execute.js';
import { timestampText } from './timestamp.js';

const NODE = { inherited: { PATH: '/usr/bin:/bin' }, resourceTmp: '/tmp', varRun: '/tmp' };
const HOST = { directories: SYSTEM_AGENT_DIRECTORIES, environment: NODE, killGraceMs: 200 };
const AT = new Date(2026, 0, 5, 15, 4, 5, 67).getTime();
const NEWS = { variables: { CRM_alert_kind: 'node' }, options: {}, timestampFormat: '%H:%M:%S.%06N', atMs: AT, sequence: 9 };

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'systole-alert-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function program(script: string): Promise<string> {
  const path = join(directory, 'program');
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

describe('the program of an alert', () => {
  it('is told what happened, when, and the how many-th thing it is, also under the names of old', () => {
    const given = alertEnvironment({ ...NEWS, options: { greeting: 'hello' } }, NODE);
    expect(given).toMatchObject({
      ...{ CRM_alert_kind: 'node', CRM_notify_kind: 'node', CRM_alert_node_sequence: '9', greeting: 'hello' },
      ...{
        CRM_alert_timestamp: '15:04:05.067000',
        CRM_alert_timestamp_usec: '67000',
        CRM_alert_timestamp_epoch: String(Math.floor(AT / 1_000)),
      },
    });
  });

  it('is not given options that decide which program runs, or what it loads', () => {
    const options = { LD_PRELOAD: '/x', PATH: '/x', BASH_ENV: '/x', CRM_alert_kind: 'fencing', 'odd name': 'x', email_sender: 'me' };
    expect(optionsNotGiven(options)).toEqual(['LD_PRELOAD', 'PATH', 'BASH_ENV', 'CRM_alert_kind', 'odd name']);
    const given = alertEnvironment({ ...NEWS, options }, NODE);
    expect(given).toMatchObject({ PATH: '/usr/bin:/bin', CRM_alert_kind: 'node', email_sender: 'me' });
    expect(Object.keys(given)).not.toContain('LD_PRELOAD');
  });

  it.each(['MAILRC', 'OPENSSL_CONF', 'OCF_FUNCTIONS_DIR', 'JAVA_TOOL_OPTIONS', 'CURL_HOME', 'GLIBC_TUNABLES', 'SYSTOLE_AGENT_SOCKET'])(
    'is not given %s: what programs of alerts call goes by it',
    (name) => {
      expect(optionsNotGiven({ [name]: '/x' })).toEqual([name]);
    },
  );

  it.each(['ENVIRONMENT', 'PATHNAME', 'HOMEPAGE', 'trap_options', 'http_proxy'])('is given %s', (name) => {
    expect(optionsNotGiven({ [name]: 'x' })).toEqual([]);
  });

  it('sees nothing of what the node agent was given for itself', () => {
    const inherited = {
      PATH: '/bin',
      LANG: 'C',
      LC_TIME: 'C',
      TZ: 'UTC',
      https_proxy: 'http://p',
      VAULT_TOKEN: 'secret',
      HOME: '/root',
      AWS_SECRET_ACCESS_KEY: 's',
    };
    const given = alertEnvironment(NEWS, { ...NODE, inherited });
    expect(given).toMatchObject({ PATH: '/bin', LANG: 'C', LC_TIME: 'C', TZ: 'UTC', https_proxy: 'http://p' });
    for (const name of ['VAULT_TOKEN', 'HOME', 'AWS_SECRET_ACCESS_KEY']) expect(given).not.toHaveProperty(name);
  });

  it('ends well, or with what it says of why not', async () => {
    const run = async (script: string, timeoutMs = 5_000) => runAlert({ ...NEWS, path: await program(script), timeoutMs }, HOST);
    expect(await run('exit 0')).toMatchObject({ outcome: 'done', rc: 0 });
    expect(await run('echo no server; exit 0'), 'as alert_snmp.sh does').toMatchObject({ outcome: 'done', detail: 'no server' });
    expect(await run('echo begun; echo no server >&2; exit 3')).toMatchObject({ outcome: 'failed', rc: 3, detail: 'no server' });
    expect(await run('kill -9 $$')).toMatchObject({ outcome: 'failed', detail: 'killed by SIGKILL' });
  });

  it('is killed with all that it started when its time is up', async () => {
    const path = await program(`trap '' TERM; sleep 300 & echo $! >${directory}/pid; wait; wait`);
    expect(await runAlert({ ...NEWS, path, timeoutMs: 300 }, HOST)).toMatchObject({ outcome: 'timeout', detail: 'timed out after 300 ms' });
    const pid = (await readFile(join(directory, 'pid'), 'utf8')).trim();
    expect(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).toBe('');
  });

  it('is not begun when it is not there, or its path leads anywhere', async () => {
    const run = (path: string) => runAlert({ ...NEWS, path, timeoutMs: 1_000 }, HOST);
    expect(await run(join(directory, 'none'))).toMatchObject({
      outcome: 'not-run',
      detail: expect.stringContaining('install the program') as string,
    });
    expect(await run('page')).toMatchObject({ outcome: 'not-run', detail: 'page is no absolute path' });
  });
});

describe('the time that it is told', () => {
  it('is written as date(1) has it, with as many digits of a second as are asked for', () => {
    for (const [format, text] of [
      ['%Y-%m-%d %H:%M:%S.%03N', '2026-01-05 15:04:05.067'],
      ['%F %T %6N %N', '2026-01-05 15:04:05 067000 067000000'],
      ['%a %A %b %B %e %j %I %p %y %u', 'Mon Monday Jan January  5 005 03 PM 26 1'],
      ['%D|%R|%r|%%|%Q|%', '01/05/26|15:04|03:04:05 PM|%|%Q|%'],
      ['', ''],
      ['%99999999d', `${'0'.repeat(1_023)}5`],
    ] as const)
      expect(timestampText(format, AT), format).toBe(text);
  });

  it.each([
    AT,
    new Date(2024, 11, 30, 0, 9, 1).getTime(),
    new Date(2027, 0, 3, 12, 0, 0, 500).getTime(),
    new Date(2024, 1, 29, 23, 59).getTime(),
  ])('is what date(1) writes at %i, letter by letter, with flags and widths', (at) => {
    const formats = [
      ...Array.from('aAbBcCdDeFgGhHIjklmMnNpPqrRsStTuUVwWxXyYzZ').flatMap((letter) => [`%${letter}`, `%^${letter}`, `%#${letter}`]),
      ...[
        '%:z',
        '%::z',
        '%:::z',
        '%Ey',
        '%Od',
        '%-d',
        '%-e',
        '%_m',
        '%0e',
        '%5d',
        '%_5H',
        '%-5M',
        '%_-S',
        '%10A',
        '%010A',
        '%^10b',
        '%3N',
        '%03N',
        '%_9N',
        '%-N',
      ],
      ...['%f', '%i', '%J', '%', '%%', '100%'],
    ];
    const environment = { ...process.env, LC_ALL: 'C' };
    const date = spawnSync('date', [`--date=@${String(at / 1_000)}`, `+${formats.join('|')}`], { env: environment, encoding: 'utf8' });
    expect(timestampText(formats.join('|'), at).split('|')).toEqual(date.stdout.replace(/\n$/, '').split('|'));
  });
});
