import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { FencingAnswer, ToolRequest } from '@systole/protocol';
import { describe, expect, it } from 'vitest';
import { ServerRefused } from '../server/server-connection.js';
import { runTool } from './run-tool.js';
import type { ToolCluster, ToolResult } from './tool.js';
import type { AskedFor } from './writes/cluster-connection.js';

const SCHEMA = '/usr/share/pacemaker/api/api-result.rng';
const LINT = '/usr/bin/xmllint';

const CIB = `<cib validate-with="none"><configuration><crm_config/><nodes><node id="1" uname="n1"/><node id="2" uname="n2"/></nodes><resources>
  <primitive id="gun" class="stonith" type="fence_dummy"/><primitive id="web" class="ocf" provider="systole" type="Dummy"/>
</resources><constraints/></configuration><status/></cib>`;

/** 2026-11-27 14:14:56 UTC. */
const THEN = 1_795_788_896;
const by = { client: 'systole', delegate: 'n1' } as const;
const PENDING = { action: 'reboot', target: 'n3', status: 'pending', ...by } as const;
const DONE = { action: 'off', target: 'n2', status: 'success', completedAt: THEN, ...by } as const;
const FAILED = { action: 'off', target: 'n2', status: 'failed', reason: 'no <power>', completedAt: THEN - 60, ...by } as const;
const ON = { action: 'on', target: 'n2', status: 'success', completedAt: THEN + 60, ...by } as const;
const ALL = [PENDING, ON, DONE, FAILED];

interface Ran extends ToolResult {
  /** Nodes whose fencing was asked for. */
  readonly about: readonly (string | undefined)[];
  readonly requests: readonly (readonly [ToolRequest, AskedFor])[];
}

/** Runs a command line, its words apart by blanks, where all that was fenced is in `history`. */
async function run(line: string, more: Partial<ToolCluster> = {}, env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const about: (string | undefined)[] = [];
  const requests: (readonly [ToolRequest, AskedFor])[] = [];
  const [tool = '', ...args] = line.split(' ');
  const ended = await runTool(
    { tool, args, env },
    {
      ...{ node: 'n1', nodeId: '1', clusterName: 'west', cib: () => Promise.resolve(CIB) },
      setAttributes: () => Promise.reject(new Error('no attribute is set')),
      transient: { read: () => Promise.resolve([]), own: { get: () => undefined, names: [], set: () => Promise.resolve() } },
      request: (request, of) => {
        requests.push([request, of]);
        return Promise.resolve({ changed: true });
      },
      fencing: (node): Promise<FencingAnswer> => {
        about.push(node);
        const history = ALL.filter(({ target }) => node === undefined || target === node);
        return Promise.resolve({ history, ...(node === undefined ? {} : { devices: node === 'n2' ? ['gun', 'axe'] : [] }) });
      },
      ...more,
    },
  );
  return { ...ended, about, requests };
}

const LINES = {
  pending: 'reboot of n3 pending: delegate=n1, client=systole, origin=systole\n',
  on: "turning on of n2 successful: delegate=n1, client=systole, origin=systole, completed='2026-11-27 14:15:56Z'\n",
  done: "turning off of n2 successful: delegate=n1, client=systole, origin=systole, completed='2026-11-27 14:14:56Z'\n",
  failed: "turning off of n2 failed (no <power>): delegate=n1, client=systole, origin=systole, completed='2026-11-27 14:13:56Z'\n",
};

describe('stonith_admin about fencing', () => {
  it.each([
    ['-H *', undefined, `${LINES.pending}${LINES.on}${LINES.done}${LINES.failed}4 events found\n`],
    [
      '--history=* --broadcast --verbose',
      undefined,
      `gather fencing-history from all nodes\n${LINES.pending}${LINES.on}${LINES.done}${LINES.failed}4 events found\n`,
    ],
    ['--history n3', 'n3', `${LINES.pending}1 event found\n`],
    ['-H n1 -V', 'n1', '0 events found\n'],
    ['-H n2 --quiet', 'n2', '1795788896\n'],
    ['-H n3 --quiet', 'n3', ''],
    ['-l n1 -q', 'n1', '0 fence devices found\n'],
    ['--last n2', 'n2', 'Node n2 last fenced at: Fri Nov 27 14:14:56 2026\n'],
    ['-h n3', 'n3', 'Node n3 has never been fenced\n'],
    ['-h nobody', 'nobody', 'Node nobody has never been fenced\n'],
    ['-l n2', 'n2', 'gun\naxe\n2 fence devices found\n'],
    ['--list n1', 'n1', '0 fence devices found\n'],
  ])('%s', async (args, of, stdout) => {
    expect(await run(`stonith_admin ${args}`)).toEqual({ stdout, stderr: '', exitCode: 0, about: [of], requests: [] });
  });

  it.each([
    ['-H n2', { ask: 'clear-fencing-history', node: 'n2' }, 'cleaning up fencing-history for node n2\n'],
    [
      '--history * --broadcast',
      { ask: 'clear-fencing-history' },
      'cleaning up fencing-history for node *\ngather fencing-history from all nodes\n',
    ],
    ['-H n3 -q', { ask: 'clear-fencing-history', node: 'n3' }, ''],
  ])('%s --cleanup notes that it was seen, and why', async (args, request, stdout) => {
    const ran = await run(`stonith_admin ${args} --cleanup`, {}, { SYSTOLE_REASON: 'mended' });
    expect(ran).toMatchObject({ stdout, stderr: '', exitCode: 0, about: [] });
    expect(ran.requests).toEqual([[request, { tool: 'stonith_admin', reason: 'mended' }]]);
  });

  it.each([
    ['-F n1 -B n2', 64, 'one thing at a time: --fence, --reboot'],
    ['-L -H *', 64, 'one thing at a time: --list-registered, --history'],
    ['-c', 64, '--cleanup goes with --history'],
    ['-L --broadcast', 64, '--broadcast goes with --history'],
    ['--history=', 64, 'the name of the node is needed'],
    ['--list=', 64, 'the name of the node is needed'],
    ['-s gun', 3, '--list NODE'],
  ])('%s is refused', async (args, exitCode, words) => {
    const ran = await run(`stonith_admin ${args}`);
    expect(ran).toMatchObject({ stdout: '', exitCode, about: [], requests: [] });
    expect(ran.stderr).toContain(words);
  });

  it.each(['-H *', '--last n2', '-l n2'])('%s of a server that is older is not passed off as nothing', async (args) => {
    const refused = new ServerRefused(404, 'https://systole.dev/problems/no-such-route', 'there is no /v1/agent/fencing');
    const ran = await run(`stonith_admin ${args}`, { fencing: () => Promise.reject(refused) });
    expect(ran).toMatchObject({ stdout: '', exitCode: 3 });
    expect(ran.stderr).toContain('update the server; until then "systole fencing" has it');
    const gone = new ServerRefused(404, 'https://systole.dev/problems/cluster-not-found', 'there is no west');
    const other = await run(`stonith_admin ${args}`, { fencing: () => Promise.reject(gone) });
    expect(other.stderr).toContain('there is no west');
  });

  it('says of a file in the place of the cluster that nobody was fenced there', async () => {
    const ran = await run('stonith_admin -H *', {}, { CIB_file: '/copy.xml' });
    expect(ran).toMatchObject({ stdout: '', exitCode: 3, about: [] });
    expect(ran.stderr).toContain('without CIB_file');
  });
});

describe('stonith_admin in XML', () => {
  const inXml = async (args: string): Promise<string> => (await run(`stonith_admin ${args} --output-as=xml`)).stdout;

  it('lists events and devices', async () => {
    const request = 'stonith_admin -H n2 --output-as=xml';
    expect(await inXml('-H n2')).toBe(`<pacemaker-result api-version="2.25" request="${request}">
  <list name="fencing history" count="3">
    <fence_event action="on" target="n2" client="systole" origin="systole" status="success" delegate="n1" completed="2026-11-27 14:15:56Z"/>
    <fence_event action="off" target="n2" client="systole" origin="systole" status="success" delegate="n1" completed="2026-11-27 14:14:56Z"/>
    <fence_event action="off" target="n2" client="systole" origin="systole" status="failed" delegate="n1" exit-reason="no &lt;power&gt;" completed="2026-11-27 14:13:56Z"/>
  </list>
  <status code="0" message="OK"/>
</pacemaker-result>
`);
    expect(await inXml('-l n2')).toContain('<list name="registered fence devices" count="2">\n    <item name="device">gun</item>');
    expect(await inXml('-L')).toContain('<list name="registered fence devices" count="1">\n    <item name="device">gun</item>');
    expect(await inXml('--last n2')).toContain('<last-fenced target="n2" when="2026-11-27 14:14:56Z"/>');
    expect(await inXml('--last n1')).not.toContain('last-fenced ');
  });

  const EVERY = ['-H *', '-H n1', '-H n2 --quiet', '-h n2', '-h n1', '-l n2', '-l n1', '-L', '-I', '-Q gun', '-Q none', '-M'];

  it.skipIf(!existsSync(SCHEMA) || !existsSync(LINT))('conforms to the schema of Pacemaker’s tools', async () => {
    for (const args of [...EVERY, '-M -a fence_nope', '-H n1 --cleanup', '-F n2', '-F n1 -B n2']) {
      const input = await inXml(args);
      expect(() => execFileSync(LINT, ['--relaxng', SCHEMA, '--noout', '-'], { input, stdio: 'pipe' }), input).not.toThrow();
    }
  });
});

describe('crm_mon about fencing', () => {
  it.each([
    ['crm_mon -1 -m', ['Failed Fencing Actions', 'Pending Fencing Actions', 'Fencing History']],
    ['crm_mon -1 -m1', ['Failed Fencing Actions', 'Pending Fencing Actions']],
    ['crm_mon -1 --include=none,fencing-pending', ['Pending Fencing Actions']],
  ])('%s asks for it and shows it', async (line, titles) => {
    const { stdout, exitCode, about } = await run(line);
    expect([exitCode, about]).toEqual([0, [undefined]]);
    expect(stdout.match(/^.*Fencing.*(?=:$)/gm)).toEqual(titles);
    expect(stdout).toContain(`  * ${LINES.pending}`);
  });

  it('shows it in XML, too', async () => {
    expect((await run('crm_mon -m --output-as=xml')).stdout).toContain('<fence_event action="reboot" target="n3"');
  });

  it('asks for nothing that is not shown, and of no file', async () => {
    expect((await run('crm_mon -1')).about).toEqual([]);
    expect((await run('crm_mon -1 -m0')).about).toEqual([]);
    expect(await run('crm_mon -1 -m', {}, { CIB_file: '/nowhere.xml' })).toMatchObject({ exitCode: 66, about: [] });
  });
});
