import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeptReport } from './output.js';

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
