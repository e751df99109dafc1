import { element, parseXml, serializeXml } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { Draft } from './draft.js';
import { mergeRepeated } from './merge-repeated.js';

const document = parseXml('<a><b id="1"><c/></b><!-- kept --><b id="2"/></a>');

describe('Draft', () => {
  it('gives back the very element when nothing was changed', () => {
    const draft = new Draft(document);
    draft.byId('b', '1');
    expect(draft.first('b')?.finish()).toBe(document.children[0]);
  });

  it('shares what was not touched and leaves the original alone', () => {
    const draft = new Draft(document);
    draft.byId('b', '2')?.set('x', 'y');
    const changed = draft.finish();
    expect(serializeXml(changed)).toBe('<a>\n  <b id="1">\n    <c/>\n  </b>\n  <!-- kept -->\n  <b id="2" x="y"/>\n</a>\n');
    expect(changed.children[0]).toBe(document.children[0]);
    expect(serializeXml(document)).not.toContain('x="y"');
  });

  it('finds what was appended, and no longer what was removed', () => {
    const draft = new Draft(document);
    expect(draft.byId('b', '3')).toBeUndefined();
    draft.append(element('b', { id: '3' }));
    expect(draft.byId('b', '3')?.get('id')).toBe('3');
    draft.remove('b');
    expect(draft.byId('b', '3')).toBeUndefined();
    expect(draft.finish().children).toEqual([{ kind: 'comment', text: ' kept ' }]);
  });

  it('finds by id only what is there once', () => {
    const draft = new Draft(parseXml('<a><b id="1" n="first"/><b id="1" n="second"/></a>'));
    expect(draft.byId('b', '1')?.get('n')).toBe('first');
    expect(draft.onlyById('b', '1')).toBeUndefined();
  });
});

describe('mergeRepeated', () => {
  it('returns an element without repetitions as it is', () => {
    expect(mergeRepeated(document)).toBe(document);
  });

  it('merges every repetition into the first of its kind, and keeps it', () => {
    const merged = mergeRepeated(parseXml('<a><b id="1" x="1"><c id="c" n="1"/></b><b id="1" y="2"><c id="c" n="2"/><d id="d"/></b></a>'));
    expect(serializeXml(merged)).toBe(
      serializeXml(
        parseXml('<a><b id="1" x="1" y="2"><c id="c" n="2"/><d id="d"/></b><b id="1" y="2"><c id="c" n="2"/><d id="d"/></b></a>'),
      ),
    );
  });
});
