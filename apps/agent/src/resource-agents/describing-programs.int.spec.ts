import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operationDigests, type ParameterTraits } from '@systole/cib';
import type { AgentAction, AgentResult } from '@systole/protocol';
import { describe, expect, it } from 'vitest';
import { agentUnderTest, testResource } from '../testing/agent-under-test.js';
import { operation, until } from '../testing/agent-process.js';

const under = agentUnderTest();

const PARAMETERS = { dir: '/d', level: '1', passwd: 's', '2nd': 'x' };
/** As the server gets them from the graph, where no attribute's name begins with a digit. */
const COUNTED = { dir: '/d', level: '1', passwd: 's' };
const RELOADS: ParameterTraits = { restart: ['dir', 'passwd'], secret: ['passwd'] };
const bare = operationDigests(COUNTED, 0, undefined);
const whole = operationDigests(COUNTED, 0, RELOADS);

const metadata = (parameters: string): string =>
  `<resource-agent name="X"><parameters>${parameters}</parameters><actions><action name="reload-agent"/></actions></resource-agent>`;
const DESCRIBED = metadata('<parameter name="dir"/><parameter name="level" reloadable="1"/><parameter name="passwd" private="1"/>');

/** Shell of a resource agent, which notes each time that it is asked for its meta-data. @param told what it does then */
const agent = (told: string, otherwise = ''): string => `case $1 in meta-data) echo x >>asked; ${told};; *) ${otherwise}:;; esac`;

function undescribed(type: string, more: Partial<AgentAction> = {}): Partial<AgentAction> {
  return { ...testResource(type), parameters: PARAMETERS, digests: bare, undescribed: true, ...more };
}

const run = (type: string, name: string, more: Partial<AgentAction> = {}): Promise<AgentResult> =>
  under.run(type, name, undescribed(type, more));
const timesAsked = (): number => {
  const file = join(under.node.directory, 'asked');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
};

describe('an operation whose agent the server does not know', () => {
  it('brings back what the meta-data add to its digests, which are read once', async () => {
    under.node.start(...under.installAgent('X', agent(`echo '${DESCRIBED}'`)));
    for (const name of ['start', 'promote', 'migrate_from', 'reload-agent'])
      expect(await run('X', name)).toMatchObject({ operation: name, status: 'done', rc: 0, digests: whole });
    expect(timesAsked()).toBe(1);
  });

  it('does so for what is found to run; what is not there is not asked', async () => {
    under.node.start(...under.installAgent('X', agent(`echo '${DESCRIBED}'`, '[ -e there ] || exit 7;')));
    expect(await run('X', 'monitor', { expectedRc: 7 })).toMatchObject({ rc: 7, digests: bare });
    expect(timesAsked()).toBe(0);
    writeFileSync(join(under.node.directory, 'there'), '');
    expect(await run('X', 'monitor', { expectedRc: 7 })).toMatchObject({ rc: 0, digests: whole });
  });

  it('leaves the digests of one that it knows as they are', async () => {
    under.node.start(...under.installAgent('X', agent(`echo '${DESCRIBED}'`)));
    const known = { ...testResource('X'), parameters: PARAMETERS, digests: bare };
    expect((await under.run('X', 'start', known)).digests).toEqual(bare);
    expect(timesAsked()).toBe(0);
  });

  it('leaves them as they are where the server makes them in another way', async () => {
    under.node.start(...under.installAgent('X', agent(`echo '${DESCRIBED}'`)));
    expect((await run('X', 'start', { digests: { opDigest: 'of-another-age' } })).digests).toEqual({ opDigest: 'of-another-age' });
  });

  it.each([
    ['fails', 'exit 1'],
    ['prints something else', 'echo usage'],
    ['prints no end', `echo '${DESCRIBED.slice(0, 60)}'`],
  ])('is done as ever where the meta-data action %s, which is not asked again', async (_, told) => {
    const process = under.node.start(...under.installAgent('X', agent(told)));
    for (const id of ['a', 'b']) {
      const resource = { ...testResource('X').resource, id, historyId: id };
      expect(await run('X', 'start', { resource })).toMatchObject({ status: 'done', rc: 0, digests: bare });
    }
    expect(timesAsked()).toBe(1);
    expect(process.log.match(/what a resource agent takes can not be read/g)).toHaveLength(1);
  });

  it('is reported within its own time where the meta-data action hangs', async () => {
    under.node.start(...under.installAgent('X', agent('sleep 60')));
    const beganAt = performance.now();
    expect(await run('X', 'start', { timeoutMs: 1_000 })).toMatchObject({ status: 'done', rc: 0, digests: bare });
    expect(performance.now() - beganAt).toBeLessThan(3_500);
  });

  it('holds up no stop of what it has started', async () => {
    under.node.start(...under.installAgent('X', agent('sleep 60', 'touch "$1";')));
    const did = (what: string): boolean => existsSync(join(under.node.directory, what));
    under.server.order(operation('X', 'start', undescribed('X')));
    await until(() => did('start') && timesAsked() === 1, 'it is started, and asked what it takes');
    under.server.endLease('declared-down');
    await until(() => did('stop'), 'it is stopped', 3_500);
  });

  it('is reported with what the beginning of a megabyte says, or without', async () => {
    const long = `printf '%s' '${DESCRIBED.replace('</resource-agent>', '')}<longdesc>'; head -c 1000000 /dev/zero | tr '\\0' x; echo '</longdesc></resource-agent>'`;
    under.installAgent('Long', agent(long));
    const many = `echo '${metadata('@').split('@')[0] ?? ''}'; i=0; while [ $i -lt 20000 ]; do echo "<parameter name='p$i'/>"; i=$((i+1)); done; echo '${metadata('@').split('@')[1] ?? ''}'`;
    under.node.start(...under.installAgent('Many', agent(many)));
    expect((await run('Long', 'start')).digests).toEqual(whole);
    expect((await run('Many', 'start')).digests).toEqual(bare);
  });

  it('says what the version says that was run', async () => {
    const replace = (told: string, otherwise = ''): void => {
      const path = join(under.node.directory, 'ocf/resource.d/test/X');
      writeFileSync(`${path}.new`, `#!/bin/sh\ncd '${under.node.directory}'\n${agent(told, otherwise)}\n`, { mode: 0o755 });
      renameSync(`${path}.new`, path);
    };
    under.node.start(...under.installAgent('X', agent(`echo '${DESCRIBED}'`)));
    expect((await run('X', 'start')).digests).toEqual(whole);
    const OTHER = metadata('<parameter name="dir" reloadable="1"/><parameter name="level"/>');
    replace(`echo '${OTHER}'`, 'touch runs; while [ -e wait ]; do sleep 0.05; done;');
    expect((await run('X', 'start')).digests).toEqual(operationDigests(COUNTED, 0, { restart: ['level'], secret: [] }));

    rmSync(join(under.node.directory, 'runs'));
    writeFileSync(join(under.node.directory, 'wait'), '');
    const start = operation('X', 'start', undescribed('X'));
    under.server.order(start);
    await until(() => existsSync(join(under.node.directory, 'runs')), 'it is being started');
    replace(`echo '${DESCRIBED}'`);
    renameSync(join(under.node.directory, 'wait'), join(under.node.directory, 'waited'));
    expect((await under.resultOf(start)).digests).toEqual(bare);
  });

  it('asks nothing that may not run on the node', async () => {
    under.node.start(...under.installAgent('X', agent(`echo '${DESCRIBED}'`)), '--allow', 'ocf:systole:Dummy');
    expect(await run('X', 'start')).toMatchObject({ status: 'not-installed', digests: bare });
    expect(timesAsked()).toBe(0);
  });
});
