import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildAgent } from '../testing/agent-process.js';
import { TRIAL_EXIT } from './test-command.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

function run(...args: readonly string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const program = [join(ROOT, 'apps/agent/dist/main.js'), 'test', '--ocf-root', join(ROOT, 'agents/ocf')];
  return spawnSync(process.execPath, [...program, ...args], { encoding: 'utf8' });
}

describe('systole-agent test', () => {
  beforeAll(buildAgent);

  it('shows what an agent keeps, and what it does as it does it', () => {
    const { status, stdout, stderr } = run('ocf:systole:Dummy');
    expect(status).toBe(TRIAL_EXIT.KEPT);
    expect(stdout).toMatch(/^ok +start again +exit code 0$/m);
    expect(stdout).toMatch(/ocf:systole:Dummy: \d+ kept, 0 broken/);
    expect(stderr).toMatch(/^ok +start$/m);
  });

  it('is read by programs', () => {
    const { status, stdout, stderr } = run('ocf:systole:Dummy', '--output', 'json', '--quiet', '--parameter', 'fake=a=b');
    expect(status).toBe(TRIAL_EXIT.KEPT);
    expect(JSON.parse(stdout)).toMatchObject({ agent: 'ocf:systole:Dummy', counts: { broken: 0 } });
    expect(stderr).toBe('');
  });

  it('ends so that scripts know how it went', () => {
    expect(run('ocf:systole:Dummy', '-q', '-p', 'state=relative')).toMatchObject({ status: TRIAL_EXIT.BROKEN });
    expect(run('ocf:systole:None', '-q')).toMatchObject({ status: TRIAL_EXIT.UNTRIED });
    for (const wrong of [['None'], [], ['ocf:a'], ['ocf:systole:Dummy', '--nonsense'], ['ocf:systole:Dummy', '-p', 'x']])
      expect(run(...wrong), wrong.join(' ')).toMatchObject({ status: 64 });
  });
});
