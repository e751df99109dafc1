import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

// These run what `npm run build` made.
const root = fileURLToPath(new URL('../../../..', import.meta.url));
const launcher = join(root, 'bin/crm_simulate');
const CIB = readFileSync(join(root, 'apps/cli/warm-up.cib.xml'), 'utf8');

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crm-simulate-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

interface Ending {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(command: string, args: readonly string[], input = CIB, environment: NodeJS.ProcessEnv = {}): Ending {
  const { status, stdout, stderr } = spawnSync(command, args, { input, encoding: 'utf8', env: { ...process.env, ...environment } });
  return { code: status, stdout, stderr };
}

describe('bin/crm_simulate', () => {
  it('is found through a link in the PATH, and reads standard input', () => {
    symlinkSync(launcher, join(directory, 'crm_simulate'));
    const { code, stdout, stderr } = start('crm_simulate', ['-R'], CIB, { PATH: `${directory}:${process.env['PATH'] ?? ''}` });
    expect(stderr).toBe('');
    expect(stdout).toContain('* Recover    db');
    expect(code).toBe(0);
  });

  it.each([
    [['--nope'], 64, '', 'crm_simulate: Unknown option --nope (--help lists the options)\n'],
    [['--output-as=yaml'], 105, '', 'Error creating output format yaml: Unknown output format: choose text, xml or json\n'],
    [['--output-to=/nowhere/at/all'], 105, '', 'crm_simulate: Could not write /nowhere/at/all: no such file or directory\n'],
    [['-L'], 66, '', /^crm_simulate: CIB query failed: /],
    [['-Q', 'cib.xml'], 0, '', 'crm_simulate: ignoring "cib.xml": a file is named with --xml-file\n'],
    [['--version'], 0, /^Systole /, ''],
    [['--help-source'], 0, /--xml-file=FILE/, ''],
  ])('answers %j as Pacemaker does', (args, code, stdout, stderr) => {
    const ending = start(launcher, args, CIB, { CIB_file: undefined, CIB_shadow: undefined });
    expect(ending).toEqual({ code, stdout: matching(stdout), stderr: matching(stderr) });
  });

  it('says in a line that standard output is full', () => {
    const { status, stderr } = spawnSync('sh', ['-c', `${launcher} --help > /dev/full`], { encoding: 'utf8' });
    expect(stderr).toBe('crm_simulate: Could not write standard output: no space left on device\n');
    expect(status).toBe(74);
  });

  it('loads no certificates, which it has no use for', () => {
    expect(start(launcher, ['-RQ'], CIB, { NODE_EXTRA_CA_CERTS: '/nowhere/at/all' })).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('runs without compiled code, and leaves code of another bundle or of another version aside', () => {
    const loader = join(directory, 'bin/crm-simulate.cjs');
    const bundle = join(directory, 'dist/crm-simulate.bundle.js');
    const cache = join(directory, 'dist/crm-simulate.bundle.cache');
    for (const file of [loader, join(directory, 'bin/run-bundle.cjs'), join(directory, 'bin/v8-settings.cjs'), bundle]) {
      mkdirSync(dirname(file), { recursive: true });
      copyFileSync(join(root, 'apps/cli', file.slice(directory.length)), file);
    }
    const digest = readFileSync(bundle, 'latin1').slice(2, 66);
    for (const code of [undefined, `${'0'.repeat(64)}code`, `${digest}not the code of this version`]) {
      if (code !== undefined) writeFileSync(cache, code);
      expect(start('node', [loader, '-RQ'])).toEqual({ code: 0, stdout: '', stderr: '' });
    }
  });
});

function matching(expected: string | RegExp): unknown {
  return typeof expected === 'string' ? expected : expect.stringMatching(expected);
}
