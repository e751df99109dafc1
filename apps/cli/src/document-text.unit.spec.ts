import { describe, expect, it } from 'vitest';
import { documentText } from './document-text.js';

const bytes = (latin1: string): Uint8Array => Buffer.from(latin1, 'latin1');

describe('the text of a document', () => {
  it('is read in the encoding that it declares, and is UTF-8 then', () => {
    expect(documentText(bytes('<?xml version="1.0" encoding="ISO-8859-1"?><cib a="caf\xe9"/>'), 'f')).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><cib a="café"/>',
    );
    expect(documentText(Buffer.from('description: é'), 'f')).toBe('description: é');
  });

  it('is refused by its name where its bytes are none of it', () => {
    expect(() => documentText(bytes('<cib a="caf\xe9"/>'), 'f.xml')).toThrow('f.xml: the document holds bytes that are no UTF-8');
  });
});
