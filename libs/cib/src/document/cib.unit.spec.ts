import { describe, expect, it } from 'vitest';
import { CibRefused } from './cib-refused.js';
import { readCib } from './cib.js';

function refusalOf(text: string): CibRefused {
  try {
    readCib(text);
  } catch (error) {
    if (error instanceof CibRefused) return error;
    throw error;
  }
  throw new Error('the document was accepted');
}

describe('readCib', () => {
  it('adds a missing status section and names the current schema', () => {
    const { document } = readCib('<cib validate-with="pacemaker-3.5"><configuration/></cib>');
    expect(document.attributes['validate-with']).toBe('pacemaker-4.0');
    expect(document.children.map((child) => child.kind === 'element' && child.name)).toEqual(['configuration', 'status']);
  });

  it('leaves a current document as it is, and one of schema none', () => {
    for (const schema of ['pacemaker-4.0', 'none']) {
      const { document } = readCib(`<cib validate-with="${schema}"><configuration/><status/></cib>`);
      expect(readCib(document).document).toBe(document);
    }
  });

  it.each([
    ['<resources/>', 'not-a-cib'],
    ['<cib/>', 'unknown-schema'],
    ['<cib validate-with="pacemaker-0.7"/>', 'unknown-schema'],
    ['<cib validate-with="pacemaker-1.1"/>', 'unknown-schema'],
  ])('refuses %s', (text, reason) => {
    expect(refusalOf(text).reason).toBe(reason);
  });
});
