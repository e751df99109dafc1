import { expect, it } from 'vitest';
import { printable, printableJson, printableLine, printableLines, shownAsOneLine, withoutLineFeeds } from './printable.js';

it('shows what would steer a terminal, and keeps what this program wrote', () => {
  expect(printable('a\u001b]0;title\u0007b\u009b31mc\u202ed\te\nf')).toBe('a␛]0;title␇b�31mc�d\te\nf');
  expect(printable('\u001b[8mhidden')).toBe('␛[8mhidden');
  expect(printable('\u001b[H\u001b[Jgone')).toBe('␛[H␛[Jgone');
  expect(printable('systole: refused\rsystole: done\r\n')).toBe('systole: refused␍systole: done\r\n');
  const ours = '\u001b[31mx\u001b[0m';
  expect(printable(ours)).toBe(ours);
});

it('shows what has no width: two names that differ look different', () => {
  for (const hidden of ['\u00ad', '\u200b', '\u200d', '\u2060', '\ufeff', '\u{e0061}', '\u3164', '\u034f']) {
    expect(printable(`alpha${hidden}`)).toBe('alpha\u{fffd}');
    expect(JSON.parse(printableJson(JSON.stringify(`alpha${hidden}`)))).toBe(`alpha${hidden}`);
    expect(printableJson(`"${hidden}"`)).toMatch(/^[\x20-\x7e]+$/);
  }
});

it('escapes it in JSON, which says the same', () => {
  const value = { text: 'a\u009b31m\u202e' };
  const shown = printableJson(JSON.stringify(value));
  expect([shown, JSON.parse(shown)]).toEqual(['{"text":"a\\u009b31m\\u202e"}', value]);
});

it('shows colours and lines that strangers have put in', () => {
  const given = { text: 'a\u001b[32mgreen\u001b[0m\r\nprod  settled\tx\u009b', list: [{ name: 'n\u202e1' }], count: 1 };
  expect(shownAsOneLine(given)).toEqual({ text: 'a␛[32mgreen␛[0m ↵ prod  settled x�', list: [{ name: 'n�1' }], count: 1 });
});

it('keeps a line one line, whatever strangers have put in to end it', () => {
  for (const end of ['\r', '\n', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029'])
    expect(printableLine(`reason${end}   999  user:admin`)).toBe('reason ↵    999  user:admin');
});

it('keeps the lines of a text that a program made of XML its own', () => {
  const xml = withoutLineFeeds('<lrm exit-reason="a&#10;  * Online: [ n9 ]&#xA;&#xd;b&#x2028;" other="&#100;"/>');
  expect(xml).toBe('<lrm exit-reason="a ↵   * Online: [ n9 ] ↵ b&#x2028;" other="&#100;"/>');
  expect(printableLines('one\u2028two\u009b1m\n\u202ethree\n')).toBe('one ↵ two�1m\n�three\n');
});
