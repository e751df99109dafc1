import { expect, it } from 'vitest';
import { columns } from './columns.js';

it('columns are as wide as what they hold is shown: no colour, and wide signs twice', () => {
  expect(
    columns(
      [
        ['NODE', '\u001b[1mSTATE\u001b[22m', 'x'],
        ['n1', '\u001b[32mup\u001b[39m', ''],
        ['漢字漢', '', 'y'],
      ],
      2,
    ),
  ).toEqual(['  NODE    \u001b[1mSTATE\u001b[22m  x', '  n1      \u001b[32mup\u001b[39m', '  漢字漢         y']);
});

it('a cell of several lines makes its row as high, and an empty column is as wide as one sign', () => {
  expect(
    columns([
      ['a\nlonger', '', 'z'],
      ['b', '', 'y'],
    ]),
  ).toEqual(['a          z', 'longer', 'b          y']);
});
