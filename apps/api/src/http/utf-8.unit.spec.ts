import { describe, expect, it } from 'vitest';
import { requireDeclaredUtf8, requireUtf8, Utf8Reader } from './utf-8.js';

const read = (...pieces: readonly Uint8Array[]): string => {
  const reader = new Utf8Reader();
  return pieces.map((piece) => reader.next(piece)).join('') + reader.end();
};
const byteByByte = (bytes: Uint8Array): string => read(...Array.from(bytes, (byte) => Uint8Array.of(byte)));

describe('UTF-8', () => {
  it('is read in whatever pieces it comes', () => {
    const text = 'a\u00e9\u20ac\ufffd\ufeff😀z';
    const bytes = Buffer.from(text);
    expect([read(bytes), byteByByte(bytes), read(), read(Buffer.alloc(0))]).toEqual([text, text, '', '']);
    for (let cut = 0; cut <= bytes.length; cut++) expect(read(bytes.subarray(0, cut), bytes.subarray(cut))).toBe(text);
  });

  it('may begin with a byte order mark, which is no part of it', () => {
    const bytes = Buffer.from('\ufeff{}');
    expect([read(bytes), byteByByte(bytes)]).toEqual(['{}', '{}']);
  });

  it.each<[text: string, isAscii: boolean]>([
    ['', true],
    ['<a b="c"/>\0\x7f', true],
    ['\ufeff<a/>', true],
    ['\x80', false],
    ['<a b="\u00e9"/>', false],
    ['a\u20ac', false],
    ['😀a', false],
    ['\ufeff\ufeff', false],
    ['\ufeff\u00e9', false],
  ])('is known to be ASCII or not, in whatever pieces it comes: %j', (text, isAscii) => {
    const bytes = Buffer.from(text);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const reader = new Utf8Reader();
      reader.next(bytes.subarray(0, cut));
      reader.next(bytes.subarray(cut));
      reader.end();
      expect(reader.isAscii).toBe(isAscii);
    }
  });

  it('is known to be so without a look at the text: the body of a whole cluster has 64 MiB', () => {
    const text = '<?xml version="1.0" encoding="ISO-8859-1"?>'.padEnd(1_000, ' ');
    const unread = {
      get text(): string {
        throw new Error('it was looked at');
      },
      isAscii: true,
    };
    expect(() => {
      requireDeclaredUtf8(unread, 'application/xml');
    }).not.toThrow();
    const refused = expect.objectContaining({ status: 415 }) as Error;
    expect(() => {
      requireDeclaredUtf8({ text, isAscii: false }, 'application/xml');
    }).toThrow(refused);
    expect(() => {
      requireDeclaredUtf8({ text, isAscii: false }, 'application/xml; charset=utf-8');
    }).not.toThrow();
  });

  it.each<[string, readonly number[], number]>([
    ['Latin 1', [0x22, 0xe9, 0x22], 1],
    ['an overlong slash', [0x61, 0xc0, 0xaf], 1],
    ['half a surrogate pair', [0x61, 0x62, 0xed, 0xa0, 0x80], 2],
    ['beyond Unicode', [0xf4, 0x90, 0x80, 0x80], 0],
    ['what is cut off', [0x61, 0xe2, 0x82], 1],
    ['a continuation of nothing', [0xc3, 0xa9, 0x80], 2],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00], 0],
    ['what comes after a byte order mark and a true replacement', [0xef, 0xbb, 0xbf, 0xef, 0xbf, 0xbd, 0xef, 0xbf, 0x61], 6],
  ])('is not: %s', (_, bytes, place) => {
    const where = expect.objectContaining({ status: 400, message: expect.stringContaining(`at byte ${place},`) as string }) as Error;
    const at = (reading: () => string): unknown => {
      try {
        return reading();
      } catch (error) {
        return error;
      }
    };
    expect(at(() => read(Uint8Array.from(bytes)))).toEqual(where);
    expect(at(() => byteByByte(Uint8Array.from(bytes)))).toEqual(where);
  });

  it.each([undefined, 'application/json', 'application/json; charset=utf-8', 'application/json;charset="UTF8"', 'a/b; x=1; Charset=Utf-8'])(
    'is what %s says',
    (type) => {
      expect(() => {
        requireUtf8(type);
      }).not.toThrow();
    },
  );

  it.each(['a/b; charset=utf-8; charset=utf-8', 'a/b;x=1;CHARSET=utf-8;x="2"', 'a/b; x="\\""; x=1'])(
    'is not what a type says with a parameter twice: %s',
    (type) => {
      expect(() => {
        requireUtf8(type);
      }).toThrow(expect.objectContaining({ status: 415 }) as Error);
    },
  );

  it('is looked for in time that grows with the length of the type', () => {
    for (const part of [';', '; ', ';a', ';a=', '="', ';x="\\', '; x = ']) {
      const before = process.cpuUsage().user;
      expect(() => {
        requireUtf8(`a/b${part.repeat(16_000 / part.length)}`);
      }).not.toThrow(RangeError);
      expect(process.cpuUsage().user - before).toBeLessThan(1_000_000);
    }
  });

  it.each(['iso-8859-1', '"windows-1252"', 'utf-16', 'us-ascii', 'nonsense'])('is all that is taken, and no %s', (charset) => {
    expect(() => {
      requireUtf8(`application/json; charset=${charset}`);
    }).toThrow(expect.objectContaining({ status: 415 }) as Error);
  });
});
