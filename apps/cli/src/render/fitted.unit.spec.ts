import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { fitted } from './fitted.js';
import { coloured } from './paint.js';

describe('fitted', () => {
  it('leaves lines as they are where there is room, and where nobody knows how much', () => {
    const lines = ['one', coloured('green', 'two')];
    expect(fitted(lines, { columns: 80, rows: 24 })).toEqual(lines);
    expect(fitted(lines, undefined)).toEqual(lines);
    expect(fitted(lines, { columns: 0, rows: 0 })).toEqual(lines);
  });

  it('cuts what is too wide, colours not counted and ended, wide signs counted as two', () => {
    const cut = (line: string, columns: number): string => fitted([line], { columns, rows: 5 })[0] ?? '';
    expect(cut('abcdef', 4)).toBe('abc…');
    expect(cut(coloured('red', 'abcdef'), 4)).toBe('\u001b[31mabc\u001b[0m…');
    expect(cut('漢字漢字', 4)).toBe('漢…');
    expect(cut('a\tb', 80)).toBe('a    b');
    for (const line of ['漢字漢字', coloured('green', 'e\u0301e\u0301e\u0301e\u0301'), '\tx'])
      for (const columns of [1, 2, 3]) expect(stringWidth(cut(line, columns))).toBeLessThanOrEqual(columns);
  });

  it('counts what is too much, so that the screen never scrolls', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}\nmore`);
    const shown = fitted(lines, { columns: 200, rows: 10 });
    expect(shown.length).toBe(10);
    expect(shown[0]).toBe('line 0');
    expect(shown[9]).toMatch(/^… and 191 more lines/);
  });
});
