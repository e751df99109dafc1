import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inheritableEnvironment } from '../resource-agent/environment.js';
import { runProcess } from './run-process.js';

const OOM_SCORE = '/proc/self/oom_score_adj';
const SHOW = 'cat /proc/self/oom_score_adj; nice; umask; pwd; ls -l /proc/self/fd | grep -c hostname; (cat /proc/self/oom_score_adj)';

describe.runIf(process.getuid?.() === 0)('a process that one with settings of its own starts', () => {
  let umask: number;
  let oomScore: string;

  beforeEach(() => {
    oomScore = readFileSync(OOM_SCORE, 'utf8').trim();
    // A machine of tests may let nobody go below what it was given: the way back is the same.
    writeFileSync(OOM_SCORE, '300');
    setPriority(-3);
    umask = process.umask(0o077);
  });

  afterEach(() => {
    writeFileSync(OOM_SCORE, oomScore);
    setPriority(0);
    process.umask(umask);
  });

  it('has neither its share of what is killed when memory is short, nor its priority, umask, directory and files', async () => {
    const open = openSync('/etc/hostname', 'r');
    const { stdout } = await runProcess({ file: '/bin/sh', args: ['-c', SHOW], env: { PATH: '/usr/bin:/bin' }, timeoutMs: 5_000 });
    closeSync(open);
    expect(stdout.trim().split('\n')).toEqual(['0', '0', '0022', '/', '0', '0']);
    expect(readFileSync(OOM_SCORE, 'utf8').trim()).toBe('300');
    expect(getPriority()).toBe(-3);
    expect(process.umask(0o077)).toBe(0o077);
  });
});

describe('what a process is told', () => {
  it('is nothing that systemd told the node agent, and no secret', async () => {
    const told = {
      NOTIFY_SOCKET: '/x',
      JOURNAL_STREAM: '8:1',
      INVOCATION_ID: 'a',
      CREDENTIALS_DIRECTORY: '/c',
      STATE_DIRECTORY: '/s',
      LISTEN_FDS: '1',
      WATCHDOG_USEC: '1',
      SYSTOLE_TOKEN: 't',
      PGDATA: '/d',
    };
    const { stdout } = await runProcess({ file: '/usr/bin/env', args: [], env: inheritableEnvironment(told), timeoutMs: 5_000 });
    expect(stdout).toBe('PGDATA=/d\n');
  });
});
