import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeptReport } from './output.js';

const PROGRAM = fileURLToPath(new URL('../../dist/crm-simulate/main.js', import.meta.url));
const STEERING = `<cib validate-with="pacemaker-3.0" crm_feature_set="3.19.0" epoch="1" num_updates="0" admin_epoch="0"><configuration><crm_config/><nodes><node id="1" uname="n\u009b2J1"/></nodes><resources/><constraints/></configuration><status/></cib>`;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crm-simulate-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

describe('KeptReport', () => {
  it('writes all that it was given, in pieces', () => {
    const line = `${'é'.repeat(40_000)}\n`;
    const file = join(directory, 'report');
    const report = new KeptReport();
    for (let count = 0; count < 700; count++) report.add(line);
    report.save(file);
    expect(readFileSync(file).length).toBe(700 * 80_001);
  });

  it('writes an empty file for an empty report', () => {
    const file = join(directory, 'report');
    new KeptReport().save(file);
    expect(readFileSync(file, 'utf8')).toBe('');
  });
});

it('shows a terminal what would steer it, and gives everybody else every byte', () => {
  const file = join(directory, 'cib.xml');
  writeFileSync(file, STEERING);
  const command = [process.execPath, PROGRAM, '-x', file];
  const piped = execFileSync(command[0] ?? '', command.slice(1), { encoding: 'utf8' });
  expect(piped).toContain('n\u009b2J1');
  const shown = execFileSync('script', ['-qec', command.join(' '), '/dev/null'], { encoding: 'utf8' });
  expect(shown).toContain('n\u{FFFD}2J1');
  expect(shown.replaceAll('\r\n', '\n')).toBe(piped.replaceAll('\u009b', '\u{FFFD}'));
});
