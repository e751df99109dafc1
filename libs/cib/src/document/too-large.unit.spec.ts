import { describe, expect, it } from 'vitest';
import { element } from '../xml/element.js';
import { parseXml } from '../xml/parse-xml.js';
import { tooLarge } from './too-large.js';

const document = parseXml(`<cib>
  <configuration>
    <resources><clone id="a"/><clone id="b"/></resources>
  </configuration>
</cib>`);

describe('tooLarge', () => {
  it('names the place of an element of the document', () => {
    const clone = parseXml('<cib><clone id="x"/><clone id="x"/></cib>').children[1];
    if (clone?.kind !== 'element') throw new Error('no clone');
    expect(tooLarge({ ...document, children: [clone] }, clone, 'why').problems).toMatchObject([{ path: "/cib/clone[@id='x']" }]);
  });

  it('finds what an element was made from by its name and id', () => {
    const refused = tooLarge(document, element('clone', { id: 'b' }), 'clone-max is too high');
    expect(refused).toMatchObject({
      reason: 'too-large',
      message: "line 3, /cib/configuration/resources/clone[@id='b']: clone-max is too high",
      problems: [{ element: 'clone', id: 'b', message: 'clone-max is too high' }],
    });
  });

  it('names the document for what is nowhere in it', () => {
    expect(tooLarge(document, element('tag'), 'why').problems).toMatchObject([{ path: '/cib' }]);
  });
});
