import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

// These run what `npm run build` made.
const cli = fileURLToPath(new URL('..', import.meta.url));
const CIB = join(cli, 'warm-up.cib.xml');

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'systole-launcher-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

function systole(args: readonly string[], program = join(cli, 'bin/systole.js')) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    encoding: 'utf8',
    env: { ...process.env, SYSTOLE_CONFIG: join(directory, 'config.json'), DATABASE_URL: undefined, SYSTOLE_SERVER: undefined },
  });
  return { status, stdout, stderr };
}

describe('bin/systole.js', () => {
  it('runs the commands that need no server, and ends with their codes', () => {
    expect(systole(['--version'])).toEqual({ status: 0, stdout: '0.1.0\n', stderr: '' });
    expect(systole(['cib', 'verify', CIB])).toMatchObject({ stderr: '', stdout: expect.stringContaining(CIB) as string });
    expect(systole(['status'])).toMatchObject({ status: 2, stdout: '' });
    expect(systole(['nothing'])).toMatchObject({ status: 2 });
  });

  it('loads what only some commands need when they need it', () => {
    const secure = ['--server', 'https://127.0.0.1:9', '--token', 't', '--cluster', 'c', '--ca', join(directory, 'none.pem'), 'status'];
    expect(systole(secure)).toMatchObject({ status: 2, stderr: expect.stringContaining('none.pem') as string });
    const admin = ['admin', 'rebuild', '--database-url', 'postgres://nobody@127.0.0.1:9/none'];
    expect(systole(admin)).toMatchObject({ status: 1, stderr: expect.stringContaining('ECONNREFUSED') as string });
  });

  it('runs without compiled code, and leaves code of another bundle aside', () => {
    const files = ['bin/systole.js', 'bin/run-bundle.cjs', 'bin/v8-settings.cjs', 'dist/systole.bundle.js'];
    for (const file of files) {
      mkdirSync(dirname(join(directory, file)), { recursive: true });
      copyFileSync(join(cli, file), join(directory, file));
    }
    writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
    const program = join(directory, 'bin/systole.js');
    expect(systole(['--version'], program)).toEqual({ status: 0, stdout: '0.1.0\n', stderr: '' });
    writeFileSync(join(directory, 'dist/systole.bundle.cache'), `${'0'.repeat(64)}code`);
    expect(systole(['--version'], program)).toEqual({ status: 0, stdout: '0.1.0\n', stderr: '' });
  });
});
