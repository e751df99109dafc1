import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkout } from '@systole/examples';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** The first of PostgreSQL's programs that each calls, put in its place here. */
const FIRST_CALLED = { backup: 'pg_dump', restore: 'psql' } as const;

describe.each(['backup', 'restore'] as const)('systole-%s', (program) => {
  let directory: string;
  let told: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'systole-password-'));
    told = join(directory, 'told');
    const first = join(directory, FIRST_CALLED[program]);
    writeFileSync(first, `#!/bin/sh\nprintf '%s\\n' "\${PGPASSWORD-none}" "$*" >> '${told}'\nexit 1\n`);
    chmodSync(first, 0o755);
  });

  afterEach(() => {
    rmSync(directory, { recursive: true, force: true });
  });

  const toldOf = (url: string, from = join(checkout, `deploy/backup/systole-${program}`)): { password: string; args: string } => {
    const file = join(directory, 'file');
    if (program === 'restore') writeFileSync(file, '');
    const { stderr } = spawnSync(from, [file], {
      encoding: 'utf8',
      env: { PATH: [directory, dirname(process.execPath), '/usr/bin', '/bin'].join(':'), DATABASE_URL: url },
    });
    expect(stderr).toBe('');
    const [password = '', args = ''] = readFileSync(told, 'utf8').split('\n');
    return { password, args };
  };

  it('gives the password of DATABASE_URL in the environment, decoded, and to nobody in the arguments', () => {
    const { password, args } = toldOf('postgres://systole:s%40cret:%2F%25@db:5433/systole?sslmode=require');
    expect(password).toBe('s@cret:/%');
    expect(args).toContain('postgres://systole@db:5433/');
    expect(args).toContain('?sslmode=require');
    expect(args).not.toContain('cret');
  });

  it('leaves a DATABASE_URL without a password as it is', () => {
    const { password, args } = toldOf('postgresql:///systole?host=/run/postgresql');
    expect(password).toBe('none');
    expect(args).toContain('?host=/run/postgresql');
  });

  it('does so where it is installed as a link', () => {
    const link = join(directory, `systole-${program}`);
    symlinkSync(join(checkout, `deploy/backup/systole-${program}`), link);
    expect(toldOf('postgres://systole:secret@db/systole', link).password).toBe('secret');
  });
});
