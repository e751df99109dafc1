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

  it('refuses, strictly, text between elements, which it would lose: all of it, with lines and places', () => {
    const resources = (text: string): string =>
      `<cib validate-with="pacemaker-4.0" epoch="1" num_updates="0" admin_epoch="0">\n<configuration><crm_config/><nodes/>\n${text}<constraints/></configuration><status/></cib>`;
    const problemsOf = (text: string): unknown => {
      try {
        readCib(resources(text), { strict: true });
        return [];
      } catch (error) {
        return error instanceof CibRefused ? error.problems.map(({ path, line, message }) => [path, line, message.split(':')[0]]) : error;
      }
    };
    const db = '<primitive id="db" class="lsb" type="x">';
    expect(problemsOf(`<resources>stray\n${db}<![CDATA[ also\nthis ]]></primitive>&#65;</resources>`)).toEqual([
      ['/cib/configuration/resources', 3, '<resources> holds the text "stray"'],
      [`/cib/configuration/resources/primitive[@id='db']`, 4, '<primitive> holds the text "also this"'],
      ['/cib/configuration/resources', 5, '<resources> holds the text "&#65;"'],
    ]);
    expect(problemsOf(`<resources> \n\t<!-- a comment -->${db}<![CDATA[ ]]></primitive></resources>`)).toEqual([]);
    // What the scheduler would take is taken, as ever.
    expect(readCib(resources('<resources>stray</resources>')).document.name).toBe('cib');
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
