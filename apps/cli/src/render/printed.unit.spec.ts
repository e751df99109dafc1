import { expect, it } from 'vitest';
import { printedLines } from './printed.js';

it('what an agent printed when it failed is shown line by line, and harmless', () => {
  const output = 'starting\n\u001b[2Jno such database\n';
  const lines = printedLines({ kind: 'failure', event: { data: { output } } });
  expect(lines.map((line) => line.trim())).toEqual(['| starting', expect.stringMatching(/^\| .*no such database$/)]);
  expect(lines.join('')).not.toContain('\u001b');
});

it('what went well, or said nothing, shows nothing', () => {
  expect(printedLines({ kind: 'operation', event: { data: { output: 'x' } } })).toEqual([]);
  expect(printedLines({ kind: 'failure', event: { data: {} } })).toEqual([]);
});
