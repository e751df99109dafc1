import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { processStat } from './process-group.js';
import { runProcess, type ProcessRequest, type ProcessResult } from './run-process.js';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'systole-ocf-'));
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

function shell(script: string, more: Partial<ProcessRequest> = {}): Promise<ProcessResult> {
  return runProcess({
    file: '/bin/sh',
    args: ['-c', script],
    env: { PATH: process.env['PATH'] ?? '' },
    cwd: directory,
    timeoutMs: 10_000,
    killGraceMs: 300,
    ...more,
  });
}

/** Whether the process whose pid the script wrote still runs; a zombie does not. */
function runs(pidFile: string): boolean {
  const stat = processStat(Number(readFileSync(join(directory, pidFile), 'utf8')));
  return stat !== undefined && stat.state !== 'Z';
}

describe('a process', () => {
  it('that exits by itself gives its code and its output', async () => {
    const result = await shell('echo out; echo err >&2; exit 7');
    expect(result).toMatchObject({ end: { kind: 'exited', code: 7 }, stdout: 'out\n', stderr: 'err\n' });
  });

  it('reads what it is given on standard input', async () => {
    expect((await shell('cat', { stdin: 'a=1\nb=2\n' })).stdout).toBe('a=1\nb=2\n');
  });

  it('may ignore its standard input', async () => {
    expect((await shell('exit 0', { stdin: 'x'.repeat(1_000_000) })).end).toEqual({ kind: 'exited', code: 0 });
  });

  it('sees only the environment that it is given', async () => {
    expect((await runProcess({ file: '/usr/bin/env', args: [], env: { A: '1' }, timeoutMs: 5_000 })).stdout).toBe('A=1\n');
  });

  it('that a signal ends says which', async () => {
    expect((await shell('kill -9 $$')).end).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
  });

  it('that does not exist is a value, not an exception', async () => {
    expect((await runProcess({ file: '/nowhere', args: [], env: {}, timeoutMs: 1_000 })).end).toMatchObject({
      kind: 'not-started',
      code: 'ENOENT',
    });
  });

  it('whose environment is larger than the system takes is a value, not an exception', async () => {
    const result = await runProcess({ file: '/bin/true', args: [], env: { A: 'x'.repeat(200 * 1024) }, timeoutMs: 1_000 });
    expect(result.end).toMatchObject({ kind: 'not-started', code: 'E2BIG' });
  });

  it('that is to be given a NUL character is a value, not an exception', async () => {
    const inArgument = await runProcess({ file: '/bin/true', args: ['a\0b'], env: {}, timeoutMs: 1_000 });
    expect(inArgument.end).toMatchObject({ kind: 'not-started', code: 'ERR_INVALID_ARG_VALUE' });
    const inEnvironment = await runProcess({ file: '/bin/true', args: [], env: { A: 'secret\0b' }, timeoutMs: 1_000 });
    expect(inEnvironment.end).toMatchObject({ kind: 'not-started', code: 'ERR_INVALID_ARG_VALUE' });
    expect(JSON.stringify(inEnvironment.end)).not.toContain('secret');
  });

  it('keeps only the end of much output', async () => {
    const result = await shell('seq 1 100000', { maxOutputBytes: 12 });
    expect(result.stdout).toBe('9999\n100000\n');
  });
});

describe('a timeout', () => {
  it('lets the process end by TERM', async () => {
    const result = await shell(`trap 'touch cleaned; exit' TERM; sleep 60 & wait`, { timeoutMs: 200 });
    expect(result.end).toEqual({ kind: 'timeout', groupGone: true });
    expect(existsSync(join(directory, 'cleaned'))).toBe(true);
  });

  it('kills grandchildren that ignore TERM, even when their parent is gone', async () => {
    const result = await shell(`sh -c 'trap "" TERM; echo $$ >grandchild; while :; do sleep 1; done' & sleep 60`, { timeoutMs: 200 });
    expect(result.end).toEqual({ kind: 'timeout', groupGone: true });
    expect(runs('grandchild')).toBe(false);
  });

  it('reaches a stopped process', async () => {
    const result = await shell('echo $$ >self; kill -STOP $$', { timeoutMs: 200 });
    expect(result.end).toEqual({ kind: 'timeout', groupGone: true });
    expect(runs('self')).toBe(false);
  });

  it('is what an abort looks like, too', async () => {
    const controller = new AbortController();
    const result = shell('echo $$ >self; sleep 60', {
      abort: controller.signal,
      onStarted: () =>
        setTimeout(() => {
          controller.abort();
        }, 200),
    });
    expect((await result).end).toEqual({ kind: 'aborted', groupGone: true });
    expect(runs('self')).toBe(false);
  });

  it('is not what has ended in time is called when this process was not there to see it', async () => {
    const result = shell('sleep 0.1; exit 3', { timeoutMs: 300, onStarted: () => setTimeout(freeze, 0) });
    expect((await result).end).toEqual({ kind: 'exited', code: 3 });
  });
});

/** Nothing of this process runs for so long, as when it is stopped. */
function freeze(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
}

describe('an abort before the beginning', () => {
  it('starts nothing', async () => {
    const onStarted = vi.fn();
    const result = await shell('exit 0', { abort: AbortSignal.abort(), onStarted });
    expect(result.end).toEqual({ kind: 'aborted', groupGone: true });
    expect(onStarted).not.toHaveBeenCalled();
  });
});

describe('a daemon that a process leaves behind', () => {
  it('is neither waited for nor killed, though it holds the output open', async () => {
    const result = await shell('setsid sleep 30 & echo $! >daemon; echo started');
    expect(result).toMatchObject({ end: { kind: 'exited', code: 0 }, stdout: 'started\n' });
    expect(result.execMs).toBeLessThan(5_000);
    expect(runs('daemon')).toBe(true);
    process.kill(Number(readFileSync(join(directory, 'daemon'), 'utf8')), 'SIGKILL');
  });
});
