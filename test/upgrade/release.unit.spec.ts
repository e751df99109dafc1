import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkout } from '@systole/examples';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** What `npm version` reads and writes. */
const NEEDED = [
  '.npmrc',
  'CHANGELOG.md',
  'package-lock.json',
  'deploy/packaging',
  ':(glob)package.json',
  ':(glob)*/package.json',
  ':(glob)*/*/package.json',
  'apps/agent/src/agent.ts',
  'apps/api/src/version.ts',
  'apps/cli/src/version.ts',
  'apps/cli/src/crm-simulate/run-program.ts',
  'libs/scheduler/src/scheduler-version.ts',
];

/** CONTRIBUTING.md, Releases. */
describe('npm version', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'systole-release-'));
    const files = execFileSync('git', ['ls-files', '-z', '--', ...NEEDED], { cwd: checkout, encoding: 'utf8' })
      .split('\0')
      .filter(Boolean);
    for (const file of files) cpSync(join(checkout, file), join(directory, file));
    write('package.json', (text) => text.replace(/"version": "[^"]*"/, '"version": "0.1.0"'));
    execFileSync(process.execPath, [join(directory, 'deploy/packaging/write-version.js')]);
    write('CHANGELOG.md', () => '# Changelog\n\n## Unreleased\n\n- Something new.\n\n## 0.1.0 - 2026-11-28\n\n- The first version.\n');
    git('init', '--quiet');
    commit();
  });

  afterEach(() => {
    rmSync(directory, { recursive: true, force: true });
  });

  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=tests', '-c', 'user.email=tests@systole.invalid', ...args], { cwd: directory, encoding: 'utf8' });

  function write(file: string, change: (text: string) => string): void {
    const path = join(directory, file);
    writeFileSync(path, change(readFileSync(path, 'utf8')));
  }

  function commit(): void {
    git('add', '--all');
    git('commit', '--quiet', '--no-verify', '--message', 'As it is');
  }

  function release(version: string): { readonly status: number | null; readonly said: string } {
    const identity = { GIT_AUTHOR_NAME: 'tests', GIT_AUTHOR_EMAIL: 'tests@systole.invalid' };
    const { status, stdout, stderr } = spawnSync('npm', ['version', version], {
      cwd: directory,
      encoding: 'utf8',
      env: { ...process.env, ...identity, GIT_COMMITTER_NAME: 'tests', GIT_COMMITTER_EMAIL: 'tests@systole.invalid' },
    });
    return { status, said: stdout + stderr };
  }

  const left = (): { readonly tree: string; readonly newest: string } => ({
    tree: git('status', '--porcelain'),
    newest: git('log', '-1', '--format=%s').trim(),
  });

  it('writes the version everywhere, and commits and tags it', () => {
    expect(release('0.2.0')).toMatchObject({ status: 0 });
    expect(left()).toEqual({ tree: '', newest: 'Release 0.2.0' });
    expect(git('tag').trim()).toBe('v0.2.0');
    expect(readFileSync(join(directory, 'CHANGELOG.md'), 'utf8')).toMatch(/## Unreleased\n\n## 0\.2\.0 - .*\n\n- Something new\.\n/);
  });

  it.each<[refusal: string, version: string, prepare: () => void, says: string]>([
    [
      'nothing is written down of it',
      '0.2.0',
      () => {
        write('CHANGELOG.md', (text) => text.replace('- Something new.\n', ''));
      },
      'CHANGELOG.md has nothing under "Unreleased"',
    ],
    [
      'CHANGELOG.md has a section of it already',
      '0.2.0',
      () => {
        write('CHANGELOG.md', (text) => `${text}\n## 0.2.0 - 2026-11-29\n\n- Before.\n`);
      },
      'CHANGELOG.md has a section 0.2.0 already',
    ],
    [
      'a source names its version no more',
      '0.2.0',
      () => {
        write('apps/cli/src/version.ts', (text) => text.replace('PROGRAM_VERSION', 'OTHER'));
      },
      'apps/cli/src/version.ts names no version any more',
    ],
    [
      'there is a tag of it already',
      '0.2.0',
      () => {
        git('tag', 'v0.2.0');
      },
      'v0.2.0 is a tag already',
    ],
  ])('changes nothing where %s', (_, version, prepare, says) => {
    prepare();
    if (git('status', '--porcelain') !== '') commit();
    const before = left();
    const { status, said } = release(version);
    expect(said).toContain(says);
    expect(status).not.toBe(0);
    expect(left()).toEqual({ ...before, tree: '' });
  });
});
