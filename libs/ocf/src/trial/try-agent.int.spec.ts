import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { processStat } from '../process/process-group.js';
import type { AgentDirectories } from '../resource-agent/lookup.js';
import { canBootSystemd, RealSystemd } from '../testing/real-systemd.js';
import type { Check, CheckOutcome, TrialReport } from './trial.js';
import { tryAgent } from './try-agent.js';

const OWN_ROOT = fileURLToPath(new URL('../../../../agents/ocf', import.meta.url));
let directory: string;
let directories: AgentDirectories;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'systole-trial-spec-'));
  for (const name of ['ocf/resource.d/x', 'init.d']) mkdirSync(join(directory, name), { recursive: true });
  directories = { ocfRoots: ['/usr/lib/ocf', OWN_ROOT, join(directory, 'ocf')], lsb: join(directory, 'init.d'), fence: [] };
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

function trial(
  agent: string,
  parameters: Record<string, string> = {},
  stop = new AbortController().signal,
  progress: (check: Check) => void = () => undefined,
): Promise<TrialReport> {
  const [named = '', ...rest] = agent.split(':');
  const [provider, type = ''] = named === 'ocf' ? rest : [undefined, ...rest];
  const resource = { id: 'tried', class: named, type, ...(provider === undefined ? {} : { provider }) };
  return tryAgent({ resource, parameters, directories }, progress, stop);
}

function names({ checks }: TrialReport, outcome: CheckOutcome): readonly string[] {
  return checks.filter((check) => check.outcome === outcome).map(({ name }) => name);
}

const METADATA = `<?xml version="1.0"?><resource-agent name="NAME"><version>1.1</version><longdesc lang="en">l</longdesc><shortdesc lang="en">s</shortdesc>
<parameters/><actions>ACTIONS<action name="monitor" timeout="5s" interval="10s"/><action name="meta-data" timeout="5s"/></actions></resource-agent>`;
const BOTH = '<action name="start" timeout="5s"/><action name="stop" timeout="5s"/>';

function ocfAgent(name: string, script: string, actions = BOTH): void {
  const metadata = METADATA.replace('NAME', name).replace('ACTIONS', actions);
  const file = join(directory, 'ocf/resource.d/x', name);
  const head = `#!/bin/sh\npid=$HA_RSCTMP/pid\nalive() { [ -e $pid ] && grep -q '^State:.[^Z]' /proc/$(cat $pid)/status 2>/dev/null; }\n`;
  writeFileSync(file, `${head}[ "$1" = meta-data ] && { cat <<'END'\n${metadata}\nEND\nexit 0; }\n${script}`, { mode: 0o755 });
}

const DAEMON = '{ alive || { setsid sleep 1000 >/dev/null 2>&1 & echo $! >$pid; }; }';

/** Where nothing waits for orphans, what died can't be told from what lives, and that is said. */
const CRASH: readonly string[] = reapsOrphans() ? ['status after kill -9', 'stop after kill -9'] : [];

function reapsOrphans(): boolean {
  const { stdout } = spawnSync('/bin/sh', ['-c', 'setsid sleep 1000 >/dev/null 2>&1 & echo $!'], { encoding: 'utf8' });
  process.kill(Number(stdout), 'SIGKILL');
  spawnSync('/bin/sleep', ['0.3']);
  return processStat(Number(stdout)) === undefined;
}

describe("Systole's own agents", () => {
  it.each(['Dummy', 'Stateful'])('%s keeps what the standard demands', async (type) => {
    const report = await trial(`ocf:systole:${type}`);
    expect(report.untried).toBeUndefined();
    expect([...names(report, 'broken'), ...names(report, 'note')]).toEqual([]);
  });

  it.runIf(existsSync('/usr/sbin/ocf-tester')).each(['Dummy', 'Stateful'])('%s passes ocf-tester', (type) => {
    const env = { ...process.env, HA_RSCTMP: directory, HA_SBIN_DIR: join(directory, 'none') };
    const tested = spawnSync('/usr/sbin/ocf-tester', ['-n', 'tested', join(OWN_ROOT, 'resource.d/systole', type)], {
      encoding: 'utf8',
      env,
    });
    expect(tested.stdout).toContain('passed all tests');
    expect(tested.status).toBe(0);
  });
});

describe('an OCF agent that is tried', () => {
  it('is good when it has processes that may die', async () => {
    const script = `case $1 in start) ${DAEMON}; exit 0;; stop) alive && kill $(cat $pid); rm -f $pid; exit 0;; monitor) alive && exit 0; rm -f $pid; exit 7;; *) exit 3;; esac`;
    ocfAgent('Good', script);
    const report = await trial('ocf:x:Good');
    expect(names(report, 'broken')).toEqual([]);
    expect(names(report, 'kept')).toEqual(expect.arrayContaining([...CRASH, 'leftovers: processes']));
  });

  it.each([
    ['a helper that is gone at once', 'setsid sleep 1 >/dev/null 2>&1 &'],
    ['nothing', ':;'],
  ])('is not blamed for what was not tried when its start leaves %s', async (_, leave) => {
    ocfAgent(
      'Address',
      `case $1 in start) ${leave} touch $pid; exit 0;; stop) ${leave} rm -f $pid; exit 0;; monitor) [ -e $pid ] && exit 0; exit 7;; *) exit 3;; esac`,
    );
    const report = await trial('ocf:x:Address');
    expect(names(report, 'broken')).toEqual([]);
    expect(report.checks.find(({ name }) => name === 'a service whose processes died')).toMatchObject({
      outcome: 'skipped',
      seen: expect.stringContaining('no service process') as string,
    });
  });

  it('finds the directory for pid files that it finds in a cluster', async () => {
    ocfAgent('Placed', 'case $1 in start|stop) [ "$HA_VARRUN" = /var/run ] || exit 1; exit 0;; monitor) exit 7;; *) exit 3;; esac');
    expect((await trial('ocf:x:Placed')).checks.find(({ name }) => name === 'stop before start')).toMatchObject({ outcome: 'kept' });
  });

  it('is told what it breaks', async () => {
    const script = `case $1 in start) alive && exit 1; ${DAEMON}; exit 0;; stop) [ -e $pid ] || exit 1; rm -f $pid; exit 0;; monitor) [ -e $pid ] && exit 0; exit 7;; *) exit 1;; esac`;
    ocfAgent('Bad', script, '<action name="start" timeout="5s"/>');
    const report = await trial('ocf:x:Bad');
    expect(names(report, 'broken')).toEqual([
      'meta-data: actions',
      'an unknown action',
      'stop before start',
      'start again',
      'stop again',
      'leftovers: processes',
      ...CRASH.slice(0, 1),
    ]);
    expect(report.checks.find(({ name }) => name === 'leftovers: processes')?.seen).toMatch(/sleep 1000/);
    for (const { why } of report.checks.filter(({ name }) => CRASH.slice(0, 1).includes(name))) expect(why).toMatch(/killed: .*sleep 1000/);
  });

  it('has no longer than its meta-data says', async () => {
    ocfAgent(
      'Slow',
      'case $1 in start) sleep 30;; monitor) exit 7;; stop) exit 0;; *) exit 3;; esac',
      '<action name="start" timeout="1s"/><action name="stop" timeout="5s"/>',
    );
    const report = await trial('ocf:x:Slow');
    expect(report.untried).toMatch(/does not start here/);
    expect(report.checks.at(-1)).toMatchObject({
      name: 'start',
      outcome: 'broken',
      seen: expect.stringMatching(/timed out after 1000 ms/) as string,
    });
  });

  it('that runs already is left alone', async () => {
    ocfAgent('Busy', `case $1 in monitor) exit 0;; stop|start) touch ${directory}/touched; exit 0;; *) exit 3;; esac`);
    const report = await trial('ocf:x:Busy');
    expect(report.untried).toMatch(/runs already/);
    expect(existsSync(join(directory, 'touched'))).toBe(false);
  });

  it('is stopped when nobody wants to know any more', async () => {
    ocfAgent(
      'Good',
      `case $1 in start) touch ${directory}/runs; exit 0;; stop) rm -f ${directory}/runs; exit 0;; monitor) [ -e ${directory}/runs ] && exit 0; exit 7;; *) exit 3;; esac`,
    );
    const stop = new AbortController();
    const report = await trial('ocf:x:Good', {}, stop.signal, ({ name }) => {
      if (name === 'start') stop.abort();
    });
    expect(report.untried).toBe('interrupted');
    expect(existsSync(join(directory, 'runs'))).toBe(false);
  });

  it('whose meta-data is none says so, and is tried all the same', async () => {
    ocfAgent('Mute', 'case $1 in monitor) exit 7;; start) exit 1;; stop) exit 0;; *) exit 3;; esac');
    writeFileSync(
      join(directory, 'ocf/resource.d/x/Mute'),
      '#!/bin/sh\ncase $1 in monitor) exit 7;; start) exit 1;; stop) exit 0;; meta-data) echo hello;; *) exit 3;; esac\n',
      { mode: 0o755 },
    );
    const report = await trial('ocf:x:Mute');
    expect(names(report, 'broken')).toEqual(['meta-data', 'start']);
  });

  it('that is not there can not be tried', async () => {
    expect((await trial('ocf:x:None')).untried).toMatch(/not installed/);
    expect((await trial('stonith:fence_x')).untried).toMatch(/fence/);
  });
});

describe('an init script that is tried', () => {
  const HEADER = '### BEGIN INIT INFO\n# Provides: web\n# Short-Description: a web\n### END INIT INFO\n';
  const script = (body: string, header = HEADER): void => {
    const head = `#!/bin/sh\n${header}pid=${directory}/pid\nalive() { [ -e $pid ] && grep -q '^State:.[^Z]' /proc/$(cat $pid)/status 2>/dev/null; }\nup() { ${DAEMON}; }\ndown() { alive && kill $(cat $pid); rm -f $pid; }\n`;
    writeFileSync(join(directory, 'init.d/web'), `${head}${body}\n`, { mode: 0o755 });
  };

  it('is good when it does what the LSB says', async () => {
    script(
      'case $1 in start) up; exit 0;; stop) down; exit 0;; restart|force-reload) down; up; exit 0;; status) alive && exit 0; [ -e $pid ] && exit 1; exit 3;; *) exit 2;; esac',
    );
    const report = await trial('lsb:web');
    expect(report.untried).toBeUndefined();
    expect([...names(report, 'broken'), ...names(report, 'note')]).toEqual([]);
    expect(names(report, 'kept')).toEqual(expect.arrayContaining([...CRASH]));
  });

  it('is told what it breaks', async () => {
    script(
      'case $1 in start) alive && exit 1; up; exit 0;; stop) [ -e $pid ] || exit 1; down; exit 0;; restart) down; up; exit 0;; status) [ -e $pid ] && exit 0; exit 1;; *) exit 0;; esac',
      '',
    );
    const report = await trial('lsb:web');
    expect(names(report, 'note')).toEqual(['header']);
    expect(names(report, 'broken')).toEqual([
      'status before start',
      'stop before start',
      'start again',
      'status after stop',
      'stop again',
      'an unknown action',
      ...CRASH.slice(0, 1),
    ]);
  });
});

describe.runIf(canBootSystemd())('a unit that is tried', () => {
  let systemd: RealSystemd;
  beforeAll(async () => {
    systemd = await RealSystemd.boot();
  });
  afterAll(() => systemd.stop());

  it('is good, or is told what it breaks', async () => {
    directories = { ...directories, systemd: systemd.access };
    systemd.unit('good.service', '[Service]\nExecStart=/bin/sleep 1000\n');
    const good = await trial('systemd:good');
    expect(good.untried).toBeUndefined();
    expect(names(good, 'broken')).toEqual([]);
    systemd.unit('hollow.service', '[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/bin/sh -c "sleep 1000 &"\n');
    expect(names(await trial('systemd:hollow'), 'broken')).toEqual(['monitor after kill -9']);
    expect((await trial('systemd:nowhere')).untried).toMatch(/no unit nowhere/);
    expect(systemd.property('hollow', 'ActiveState')).toBe('inactive');
  });
});
