import { expect, it } from 'vitest';
import { coloured } from './paint.js';
import { printable, printableJson } from './printable.js';

it('shows what would steer a terminal, and keeps what this program wrote', () => {
  expect(printable('a\u001b]0;title\u0007b\u009b31mc\u202ed\te\nf')).toBe('a␛]0;title␇b�31mc�d\te\nf');
  expect(printable('\u001b[8mhidden')).toBe('␛[8mhidden');
  const ours = `${coloured('red', 'x')}\u001b[H\u001b[J`;
  expect(printable(ours)).toBe(ours);
});

it('escapes it in JSON, which says the same', () => {
  const value = { text: 'a\u009b31m\u202e' };
  const shown = printableJson(JSON.stringify(value));
  expect([shown, JSON.parse(shown)]).toEqual(['{"text":"a\\u009b31m\\u202e"}', value]);
});
