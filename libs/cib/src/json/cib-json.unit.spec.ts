import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseXml } from '../xml/parse-xml.js';
import { sameXml } from '../xml/same-xml.js';
import { anyTree } from '../xml/trees.fixture.js';
import { CibJsonError, cibFromJson, cibToJson } from './cib-json.js';

function refusalOf(json: unknown): CibJsonError {
  try {
    cibFromJson(json);
  } catch (error) {
    if (error instanceof CibJsonError) return error;
    throw error;
  }
  throw new Error('the JSON was accepted');
}

describe('a CIB as JSON', () => {
  it('is readable', () => {
    expect(cibToJson(parseXml('<cib epoch="1"><!-- c --><configuration/></cib>'))).toEqual({
      element: 'cib',
      attributes: { epoch: '1' },
      children: [{ comment: ' c ' }, { element: 'configuration', attributes: {} }],
    });
  });

  it('gives every tree back, through text', () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        expect(sameXml(cibFromJson(JSON.parse(JSON.stringify(cibToJson(tree)))), tree)).toBe(true);
      }),
    );
  });

  it.each([
    [null, ''],
    [[], ''],
    [{ element: 'a b' }, '/element'],
    [{ element: 'a', text: 'x' }, ''],
    [{ element: 'a', attributes: { x: 1 } }, '/attributes/x'],
    [{ element: 'a', attributes: { 'x/y': '' } }, '/attributes/x~1y'],
    [{ element: 'a', attributes: { x: '\u0000' } }, '/attributes/x'],
    [{ element: 'a', attributes: { x: '\ud800' } }, '/attributes/x'],
    [{ element: 'a', children: {} }, '/children'],
    [{ element: 'a', children: [{ element: 'b' }, { comment: 'a--b' }] }, '/children/1/comment'],
    [{ element: 'a', children: [{ element: 'b', children: ['x'] }] }, '/children/0/children/0'],
    [JSON.parse('{"element":"a","attributes":{"__proto__":"x"}}') as unknown, '/attributes/__proto__'],
  ])('refuses %j and says where', (json, pointer) => {
    expect(refusalOf(json).pointer).toBe(pointer);
  });

  it('refuses deep nesting without exhausting the stack', () => {
    let json: unknown = { element: 'a' };
    for (let depth = 0; depth < 100_000; depth += 1) json = { element: 'a', children: [json] };
    expect(refusalOf(json).message).toContain('nested deeper');
  });
});
