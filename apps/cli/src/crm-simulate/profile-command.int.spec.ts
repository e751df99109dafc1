import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandLine } from './command-line.js';
import { profileCommand } from './profile-command.js';

const CIB = `<cib validate-with="pacemaker-3.5" epoch="1" num_updates="0" admin_epoch="0" have-quorum="1">
  <configuration><crm_config/><nodes/><resources/><constraints/></configuration><status/></cib>`;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crm-simulate-'));
  for (const name of ['b.xml', 'a.xml', '.hidden.xml', 'notes.txt']) writeFileSync(join(directory, name), CIB);
  mkdirSync(join(directory, 'more'));
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

function profile(...args: string[]): { code: number; stdout: string; stderr: string } {
  const texts = { stdout: '', stderr: '' };
  const code = profileCommand(new CommandLine(args), directory, ({ stream, text }) => {
    texts[stream] += text;
  });
  return { code, ...texts };
}

describe('crm_simulate --profile', () => {
  it('says how long each XML file takes', () => {
    const { code, stdout } = profile('--repeat', '2');
    expect(code).toBe(0);
    expect(stdout.replaceAll(directory, 'DIR').replace(/\d+\.\d\d/g, 'N')).toBe(`Timings:
  * Testing DIR/a.xml ... N secs
  * Testing DIR/b.xml ... N secs
`);
  });

  it('goes on after a file that it can not read', () => {
    writeFileSync(join(directory, 'a.xml'), '<cib');
    const { code, stdout, stderr } = profile();
    expect(code).toBe(65);
    expect(stdout).toContain('b.xml');
    expect(stderr).toContain('a.xml: ');
  });

  it('has the form of the reference in XML, and one of its own in JSON', () => {
    expect(profile('--output-as=xml').stdout).toMatch(
      /<timings>\n {4}<timing file=".*a\.xml" duration="\d+\.\d{6}"\/>\n[^]*<status code="0"/,
    );
    expect(JSON.parse(profile('--output-as=json').stdout)).toMatchObject({ timings: [{}, {}], status: { code: 0 } });
  });

  it.each([
    [['--repeat', '0'], '--repeat needs a number of 1 or more, not "0"'],
    [['--repeat', 'x'], '--repeat needs a number of 1 or more, not "x"'],
  ])('refuses %j', (args, message) => {
    expect(() => profile(...args)).toThrow(message);
  });

  it('refuses a directory that is not there', () => {
    const missing = join(directory, 'nowhere');
    expect(() => profileCommand(new CommandLine([]), missing, () => undefined)).toThrow(`Could not read the directory ${missing}`);
  });
});
