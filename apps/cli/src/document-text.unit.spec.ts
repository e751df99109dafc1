import { describe, expect, it } from 'vitest';
import { documentText } from './document-text.js';

const bytes = (latin1: string): Uint8Array => Buffer.from(latin1, 'latin1');

describe('the text of a document', () => {
  it('is read in the encoding that it declares, and is UTF-8 then', () => {
    expect(documentText(bytes('<?xml version="1.0" encoding="ISO-8859-1"?><cib a="caf\xe9"/>'), 'f')).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><cib a="café"/>',
    );
    expect(documentText(Buffer.from('<?xml version="1.0"?><cib a="café"/>'), 'f')).toBe('<?xml version="1.0"?><cib a="café"/>');
    expect(documentText(Buffer.from('\ufeff<cib a="é"/>'), 'f')).toBe('<cib a="é"/>');
    expect(documentText(Buffer.from('description: é'), 'f')).toBe('description: é');
  });

  it('is refused where its bytes are none of it, or nobody knows it', () => {
    expect(() => documentText(bytes('<cib a="caf\xe9"/>'), 'f.xml')).toThrow('f.xml holds bytes that are no UTF-8');
    expect(() => documentText(bytes('<?xml version="1.0" encoding="utf-8"?><cib a="\xc0\xaf"/>'), 'f')).toThrow('no UTF-8');
    expect(() => documentText(bytes('<?xml version="1.0" encoding="KLINGON"?><cib/>'), 'f')).toThrow('no known encoding');
  });
});
