import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from './testing/agent-process.js';
import { agentUnderTest, testResource } from './testing/agent-under-test.js';

const under = agentUnderTest();

/** Writes to HA_RSCTMP, and says what a tool answers. */
const BODY = '[ "$1" = monitor ] && exit 7; : >"$HA_RSCTMP/asked" && crm_node -n >"asked-$1"';

describe('a run directory that somebody empties under a running agent', () => {
  const bootId = (): string => readFileSync(join(under.node.runDir, 'boot-id'), 'utf8');
  const empty = (): void => {
    for (const name of readdirSync(under.node.runDir)) rmSync(join(under.node.runDir, name), { recursive: true });
  };
  const answer = (operation: string): string => readFileSync(join(under.node.directory, `asked-${operation}`), 'utf8').trim();

  it.each([
    ['emptied', empty],
    [
      'removed',
      (): void => {
        rmSync(under.node.runDir, { recursive: true });
      },
    ],
  ])('is made anew before the next operation when it was %s, and the log says what was gone', async (_, remove) => {
    const agent = under.node.start(...under.installAgent('needy', BODY));
    expect(await under.run('needy', 'start', testResource('needy'))).toMatchObject({ status: 'done', rc: 0 });
    const boot = bootId();
    remove();
    const [stopped, begun] = await Promise.all([
      under.run('needy', 'stop', testResource('needy')),
      under.run('other', 'start', { resource: { ...testResource('needy').resource, id: 'other', historyId: 'other' } }),
    ]);
    expect([stopped, begun]).toMatchObject([
      { status: 'done', rc: 0 },
      { status: 'done', rc: 0 },
    ]);
    expect([answer('start'), answer('stop')]).toEqual(['n1', 'n1']);
    expect(statSync(join(under.node.runDir, 'rsctmp')).mode & 0o7777).toBe(0o1755);
    expect(existsSync(join(under.node.runDir, '.systole-run'))).toBe(true);
    expect(bootId()).toBe(boot);
    await until(() => agent.log.includes('it was made anew'), 'the log tells');
    expect(agent.log).toContain(join(under.node.runDir, 'rsctmp'));
    expect(agent.log.split('it was made anew')).toHaveLength(2);
  });

  it('keeps no operation from being run that needs nothing of it, when it can not be made anew', async () => {
    const agent = under.node.start(...under.installAgent('modest', '[ "$1" = monitor ] && exit 7; exit 0'));
    expect(await under.run('modest', 'start', testResource('modest'))).toMatchObject({ status: 'done', rc: 0 });
    rmSync(join(under.node.runDir, 'bin'), { recursive: true });
    // A file in its place.
    writeFileSync(join(under.node.runDir, 'bin'), '');
    expect(await under.run('modest', 'stop', testResource('modest'))).toMatchObject({ status: 'done', rc: 0 });
    await until(() => agent.log.includes('can not be made anew'), 'the log tells');
  });

  it('keeps the boot that it is of, when it can be made again only later and nothing asks for it meanwhile', async () => {
    const agent = under.node.start(...under.installAgent('modest', '[ "$1" = monitor ] && exit 7; exit 0'));
    expect(await under.run('modest', 'start', testResource('modest'))).toMatchObject({ status: 'done', rc: 0 });
    const boot = bootId();
    empty();
    // A file in its place.
    writeFileSync(join(under.node.runDir, 'rsctmp'), '');
    expect(await under.run('modest', 'stop', testResource('modest'))).toMatchObject({ status: 'done', rc: 0 });
    await until(() => agent.log.includes('can not be made anew'), 'the log tells');
    expect(bootId()).toBe(boot);
    rmSync(under.node.runDir, { recursive: true });
    writeFileSync(under.node.runDir, '');
    expect(await under.run('modest', 'monitor', testResource('modest'))).toMatchObject({ status: 'done', rc: 7 });
    rmSync(under.node.runDir);
    await until(() => existsSync(join(under.node.runDir, 'boot-id')), 'it is made anew');
    expect(bootId()).toBe(boot);
  });
});
