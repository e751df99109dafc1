import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crm-simulate-'));
  writeFileSync(join(directory, 'in.xml'), CIB);
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

const path = (name: string): string => join(directory, name);

function simulate(...args: string[]): { code: number; stdout: string; stderr: string } {
  const texts = { stdout: '', stderr: '' };
  const write = ({ stream, text }: OutputChunk): void => {
    texts[stream] += text;
  };
  const code = simulateCommand(new CommandLine(['-x', path('in.xml'), ...args]), write);
  return { code, ...texts };
}

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
    [['-G', '/nowhere/at/all'], 73, 'Could not write /nowhere/at/all'],
  ])('refuses %j', (args, code, message) => {
    const result = simulate(...args);
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(message);
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
});
