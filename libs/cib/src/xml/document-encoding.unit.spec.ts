import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentText } from './document-encoding.js';

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();

describe('the text of a document, by its bytes', () => {
  it.each<[what: string, bytes: Uint8Array, text: string]>([
    ['in UTF-8 where it says nothing', Buffer.from('<cib a="café"/>'), '<cib a="café"/>'],
    ['in UTF-8 with its mark, which is left out', Buffer.from('\ufeff<cib a="é"/>'), '<cib a="é"/>'],
    ['in what it declares', latin1('<?xml version="1.0" encoding="ISO-8859-1"?><cib a="caf\xe9"/>'), '<cib a="café"/>'],
    ['in what it declares otherwise', latin1("<?xml version='1.0' encoding = 'windows-1252' ?><cib a=\"\x80\"/>"), '<cib a="€"/>'],
    ['in ASCII where it declares that', Buffer.from('<?xml version="1.0" encoding="US-ASCII"?><cib a="e"/>'), '<cib a="e"/>'],
    ['in UTF-16 by its mark', utf16('\ufeff<?xml version="1.0" encoding="UTF-16"?><cib a="é😀"/>'), '<cib a="é😀"/>'],
    ['in big-endian UTF-16 by its mark', swapped(utf16('\ufeff<?xml version="1.0" encoding="UTF-16"?><cib a="é"/>')), '<cib a="é"/>'],
    ['in UTF-16 by how it begins', utf16('<?xml version="1.0" encoding="UTF-16LE"?><cib a="é"/>'), '<cib a="é"/>'],
    [
      'in UTF-8 by its mark, whatever it declares',
      Buffer.from('\ufeff<?xml version="1.0" encoding="ISO-8859-1"?><cib a="é"/>'),
      '<cib a="é"/>',
    ],
    ['that is no XML', Buffer.from('description: é'), 'description: é'],
    ['that is empty', Buffer.alloc(0), ''],
  ])('is read %s', (_, bytes, text) => {
    expect(documentText(bytes).replace(/^<\?xml[^>]*\?>/, '')).toBe(text);
  });

  it('is declared as UTF-8 then, in which it is passed on', () => {
    expect(documentText(latin1('<?xml version="1.0" encoding="ISO-8859-1"?><cib/>'))).toBe('<?xml version="1.0" encoding="UTF-8"?><cib/>');
    expect(documentText(Buffer.from('<?xml version="1.0"?><cib/>'))).toBe('<?xml version="1.0"?><cib/>');
  });

  it.each<[what: string, bytes: Uint8Array, says: string]>([
    ['bytes that are no UTF-8', latin1('<cib a="caf\xe9"/>'), 'bytes that are no UTF-8'],
    ['bytes that are none of what is declared', latin1('<?xml version="1.0" encoding="EUC-JP"?><cib a="\xff"/>'), 'no EUC-JP'],
    ['an encoding that nobody knows', latin1('<?xml version="1.0" encoding="KLINGON"?><cib/>'), 'KLINGON, which is no known encoding'],
    [
      'a declaration of UTF-16 in bytes that are none',
      latin1('<?xml version="1.0" encoding="UTF-16"?><cib/>'),
      'declared as UTF-16, but is none',
    ],
    ...['US-ASCII', 'ascii', 'ANSI_X3.4-1968', 'iso646-us', 'IBM367', 'cp367', 'iso-ir-6', 'csASCII'].map(
      (name): [string, Uint8Array, string] => [
        `what is no ASCII, declared as ${name}`,
        Buffer.from(`<?xml version="1.0" encoding="${name}"?><cib a="é"/>`),
        `declared as ${name}, but holds other bytes`,
      ],
    ),
    ['two byte order marks', Buffer.from('\ufeff\ufeff<cib/>'), 'two byte order marks'],
    ['two byte order marks of UTF-16', utf16('\ufeff\ufeff<cib/>'), 'two byte order marks'],
    ['UTF-16 that ends amid a character', utf16('\ufeff<cib/>').subarray(0, -1), 'no UTF-16LE'],
  ])('is refused for %s', (_, bytes, says) => {
    expect(() => documentText(bytes)).toThrow(says);
  });

  it('is whatever was written, in each of them', () => {
    const text = fc.string({ unit: 'binary' }).filter((one) => one.isWellFormed() && !one.startsWith('\ufeff'));
    fc.assert(
      fc.property(text, (one) => {
        expect(documentText(Buffer.from(`<a>${one}`))).toBe(`<a>${one}`);
        expect(documentText(utf16(`\ufeff${one}`))).toBe(one);
        expect(documentText(swapped(utf16(`\ufeff${one}`)))).toBe(one);
      }),
      { numRuns: 100 },
    );
  });
});
