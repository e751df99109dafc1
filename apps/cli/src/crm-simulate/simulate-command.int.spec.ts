import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { OutputChunk } from '@systole/simulator';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandLine } from './command-line.js';
import { simulateCommand } from './simulate-command.js';

const CIB = `<cib validate-with="pacemaker-3.5" epoch="1" num_updates="0" admin_epoch="0" have-quorum="1">
  <configuration>
    <crm_config><cluster_property_set id="o"><nvpair id="o1" name="stonith-enabled" value="false"/></cluster_property_set></crm_config>
    <nodes><node id="1" uname="apple"/></nodes>
    <resources><primitive id="db" class="ocf" provider="systole" type="Dummy"/></resources>
    <constraints/>
  </configuration>
  <status><node_state id="1" uname="apple" in_ccm="true" crmd="online" join="member" expected="member"/></status>
</cib>`;

const CIB_AS_BZIP2 = [
  'QlpoOTFBWSZTWYUo2NwAAEFfgEAQUAPqBwQAAAC////gMAFZrSoSppGU9NNDCT1GmgANCJk01AAAPUAABKaQU2hPQAkaBk0aHDmAgaDMmiNq33',
  '3gBqr3lhKMCpw7nDn9PUaXZ2ZodZm3iocMyLEG2+u2yGW44kJ6XmR2qwh4Jjhcc6OTQlmNrVFioYIIo8AvhcEJnzKhH4ozah4wyKDmXeKtO3Zc',
  'j1brvk79+RCCSjoWskWrTF5YhDLGf2dEqlrb4G5HWNZNh0pLQ+PcPEusEqYjoaYhoFkRScTGGXQLdZZz1oK7zKM5XY0WcaIkbK8fdni2RpnOr3',
  'iLInOERuDonhGFGwKh+5cjEFtXEhUXbW3XbIwJGZHkT1k0VKAZufNSKaNgi5oWJL05jlXuumY57KwtahVx8BCdpTiamaqo+Ym0exQoXDTC9j98',
  'dLlR/i7kinChIQpRsbg=',
].join('');

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crm-simulate-'));
  writeFileSync(join(directory, 'in.xml'), CIB);
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

const path = (name: string): string => join(directory, name);

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Outcome {
  const texts = { stdout: '', stderr: '' };
  const write = ({ stream, text }: OutputChunk): void => {
    texts[stream] += text;
  };
  const code = simulateCommand(new CommandLine(args), environment, write);
  return { code, ...texts };
}

const simulate = (...args: string[]): Outcome => run(['-x', path('in.xml'), ...args]);

describe('crm_simulate', () => {
  it('shows the status alone when nothing else is asked for', () => {
    const { code, stdout } = simulate();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Current cluster status:\n/);
    expect(stdout).not.toContain('Transition Summary');
  });

  it('saves the graph, the drawing and both CIBs', () => {
    expect(simulate('-S', '-u', 'pear', '-D', path('g.dot'), '-G', path('g.xml'), '-I', path('i.xml'), '-O', path('o.xml')).code).toBe(0);
    expect(readFileSync(path('g.dot'), 'utf8')).toContain('"db_start_0 apple"');
    expect(readFileSync(path('g.xml'), 'utf8')).toMatch(/^<transition_graph /);
    expect(readFileSync(path('i.xml'), 'utf8')).toContain('uname="pear"');
    expect(readFileSync(path('i.xml'), 'utf8')).not.toContain('lrm_rsc_op');
    expect(readFileSync(path('o.xml'), 'utf8')).toContain('operation_key="db_start_0"');
  });

  it('goes on where it ended when the result replaces the input', () => {
    simulate('-X');
    const { stdout } = simulate('-S');
    expect(stdout).toContain('Started apple');
    expect(stdout).toContain('Transition Summary:\n\nExecuting Cluster Transition:\n\nRevised');
  });

  it.each([
    ['a file that is not there', 65, undefined, 'Could not read input XML'],
    ['broken XML', 65, '<cib', 'Could not read input XML'],
    ['an invalid CIB', 78, CIB.replace('<constraints/>', '<constraint/>'), 'Cannot upgrade configuration (claiming pacemaker-3.5 schema)'],
  ])('ends with a code for %s', (_case, code, text, message) => {
    if (text === undefined) rmSync(path('in.xml'));
    else writeFileSync(path('in.xml'), text);
    const result = simulate('-S');
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(message);
    expect(result.stdout).toBe('');
  });

  it.each([
    [['-t', 'never'], 64, '"never" is no date or time'],
    [['-d', 'nowhere'], 1, 'node "nowhere" is neither in the status nor in the configuration'],
    [['-G', '/nowhere/at/all'], 74, 'Could not write /nowhere/at/all'],
    [['-D', '/nowhere/at/all'], 74, 'Could not write /nowhere/at/all'],
    [['-I', '/nowhere/at/all'], 105, 'Could not write /nowhere/at/all'],
    [['-O', '/'], 1, 'Could not write /: '],
  ])('refuses %j', (args, code, message) => {
    const result = simulate(...args);
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(message);
  });

  it.each([
    [['-q', 'maybe'], '--quorum takes true or false, not "maybe"'],
    [['-w', '--output-as=json'], '--watchdog takes true or false'],
    [['-u', ''], '--node-up needs a name'],
    [['-F', 'db_start@n1=1'], 'RESOURCE_TASK_INTERVAL@NODE=RC'],
  ])('refuses %j as a wrong use', (args, message) => {
    expect(() => simulate('-S', ...args)).toThrow(message);
  });

  it('stores a truth in a word that can be read again', () => {
    expect(simulate('-q', 'yes', '-O', path('out.xml')).code).toBe(0);
    expect(readFileSync(path('out.xml'), 'utf8')).toContain('have-quorum="true"');
  });

  it('lists what is wrong with a CIB, each with its line, but no more than can be read', () => {
    writeFileSync(path('in.xml'), CIB.replace('<node id="1" uname="apple"/>', '<node id="1"/>').replace('<constraints/>', '<constraint/>'));
    const lines = simulate().stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toBe(`${path('in.xml')}:4: /cib/configuration/nodes/node[@id='1']: <node> needs the attribute uname`);
    expect(lines[1]).toContain(`${path('in.xml')}:6: /cib/configuration/constraint`);
    const many = Array.from({ length: 30 }, (_, index) => `<node id="${index}"/>`).join('');
    writeFileSync(path('in.xml'), CIB.replace('<node id="1" uname="apple"/>', many));
    expect(simulate().stderr).toContain('\n... and 10 more\nCannot upgrade');
  });

  it('refuses a CIB that asks for more than can be scheduled', () => {
    const clone = '<clone id="c"><meta_attributes id="m"><nvpair id="m1" name="clone-max" value="1000000000"/></meta_attributes>';
    writeFileSync(path('in.xml'), CIB.replace('<primitive id="db"', `${clone}<primitive id="db"`).replace('Dummy"/>', 'Dummy"/></clone>'));
    const { code, stderr } = simulate('-S');
    expect(code).toBe(78);
    expect(stderr).toContain("line 5, /cib/configuration/resources/clone[@id='c']: ");
    expect(stderr).toContain('lower clone-max');
  });

  it('tells of an error in the format that was asked for', () => {
    writeFileSync(path('in.xml'), '<nothing/>');
    expect(simulate('--output-as=xml').stdout).toContain('<status code="78" message="Invalid configuration">');
    expect(JSON.parse(simulate('--output-as=json').stdout)).toMatchObject({ status: { code: 78, message: 'Invalid configuration' } });
  });

  it('says so when a CIB asks not to be validated', () => {
    writeFileSync(path('in.xml'), CIB.replace('pacemaker-3.5', 'none'));
    expect(simulate('-sQ').stderr).toMatch(/^Schema validation of configuration is disabled/);
  });

  it.each([
    ['gzip', gzipSync(CIB)],
    ['bzip2, as Pacemaker keeps the inputs of its scheduler', Buffer.from(CIB_AS_BZIP2, 'base64')],
  ])('reads a CIB that was compressed with %s', (_name, bytes) => {
    writeFileSync(path('in.xml'), bytes);
    expect(simulate('-R')).toEqual({ code: 0, stdout: expect.stringContaining('* Start      db      ( apple )') as string, stderr: '' });
  });

  it('reads a CIB in the encoding that it declares, and refuses one whose bytes are none of it', () => {
    const named = CIB.replace(/^(<\?xml[^>]*\?>\s*)?/, '').replaceAll('apple', 'apfel\xe4');
    const declared = `<?xml version="1.0" encoding="ISO-8859-1"?>${named}`;
    for (const bytes of [
      Buffer.from(declared, 'latin1'),
      gzipSync(Buffer.from(declared, 'latin1')),
      Buffer.from(`\ufeff${named}`, 'utf16le'),
    ]) {
      writeFileSync(path('in.xml'), bytes);
      expect(simulate('-R')).toEqual({ code: 0, stdout: expect.stringContaining('( apfelä )') as string, stderr: '' });
    }
    writeFileSync(path('in.xml'), Buffer.from(named, 'latin1'));
    const { code, stderr } = simulate();
    expect(code).toBe(65);
    expect(stderr).toContain('the document holds bytes that are no UTF-8');
  });

  it('says which file is damaged, and how', () => {
    writeFileSync(path('in.xml'), Buffer.from(CIB_AS_BZIP2, 'base64').subarray(0, 200));
    const { code, stderr } = simulate();
    expect(code).toBe(65);
    expect(stderr).toContain(`${path('in.xml')}: `);
  });

  it('takes the CIB that the environment names for that of the running cluster', () => {
    expect(run(['-L', '-R'], { CIB_file: path('in.xml') }).stdout).toContain('* Start      db');
    writeFileSync(path('shadow.test'), CIB);
    expect(run(['-L', '-R'], { CIB_shadow: 'test', CIB_shadow_dir: directory }).stdout).toContain('* Start      db');
  });

  it('says how to name a CIB when there is no running cluster', () => {
    const { code, stderr } = run(['--live-check']);
    expect(code).toBe(66);
    expect(stderr).toContain('there is no running cluster to ask. Name a file (--xml-file');
  });

  it('replaces no input that has no name', () => {
    expect(() => run(['-X'])).toThrow('--in-place needs a file to store the result in');
  });

  it('refuses an output format that it does not know', () => {
    expect(() => simulate('--output-as=yaml')).toThrow('Unknown output format: choose text, xml or json');
  });

  it('tells what is wrong with the configuration when it is to be verbose, once', () => {
    writeFileSync(path('in.xml'), CIB.replace('value="false"', 'value="true"'));
    expect(simulate('-S').stderr).toBe('');
    expect(simulate('-SV').stderr).toMatch(/^error: No resource is started or stopped: [^\n]*\n$/);
    expect(simulate('-V').stderr).toBe(simulate('-SV').stderr);
  });

  it('says why nothing is scheduled for a CIB that is too new', () => {
    writeFileSync(path('in.xml'), CIB.replace('<cib ', '<cib crm_feature_set="99.0.0" '));
    expect(simulate('-R').stderr).toMatch(/^error: Nothing is scheduled: the CIB's feature set 99\.0\.0 is newer/);
  });
});
