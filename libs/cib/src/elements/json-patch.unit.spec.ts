import { describe, expect, it } from 'vitest';
import { applyJsonPatch } from './json-patch.js';

function patched(json: unknown, ...patch: readonly unknown[]): unknown {
  const result = applyJsonPatch(json, patch, '/patch');
  return result.ok ? result.json : `${result.fault.kind} ${result.fault.pointer} ${result.fault.message}`;
}

describe('a JSON Patch', () => {
  /** RFC 6902, appendix A: what goes well. */
  it.each<[original: unknown, patch: readonly unknown[], result: unknown]>([
    [{ foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux' }], { foo: 'bar', baz: 'qux' }],
    [{ foo: ['bar', 'baz'] }, [{ op: 'add', path: '/foo/1', value: 'qux' }], { foo: ['bar', 'qux', 'baz'] }],
    [{ baz: 'qux', foo: 'bar' }, [{ op: 'remove', path: '/baz' }], { foo: 'bar' }],
    [{ foo: ['bar', 'qux', 'baz'] }, [{ op: 'remove', path: '/foo/1' }], { foo: ['bar', 'baz'] }],
    [{ baz: 'qux', foo: 'bar' }, [{ op: 'replace', path: '/baz', value: 'boo' }], { baz: 'boo', foo: 'bar' }],
    [
      { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
      [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
      { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
    ],
    [{ foo: ['all', 'grass', 'cows', 'eat'] }, [{ op: 'move', from: '/foo/1', path: '/foo/3' }], { foo: ['all', 'cows', 'eat', 'grass'] }],
    [{ baz: 'qux', foo: ['a', 2, 'c'] }, [{ op: 'test', path: '/foo/1', value: 2 }], { baz: 'qux', foo: ['a', 2, 'c'] }],
    [{ foo: 'bar' }, [{ op: 'add', path: '/child', value: { grandchild: {} } }], { foo: 'bar', child: { grandchild: {} } }],
    [{ foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux', xyz: 123 }], { foo: 'bar', baz: 'qux' }],
    [{ '/': 9, '~1': 10 }, [{ op: 'test', path: '/~01', value: 10 }], { '/': 9, '~1': 10 }],
    [{ foo: ['bar'] }, [{ op: 'add', path: '/foo/-', value: ['abc', 'def'] }], { foo: ['bar', ['abc', 'def']] }],
    [
      { a: { b: 1, c: 2 } },
      [
        { op: 'test', path: '/a', value: { c: 2, b: 1 } },
        { op: 'copy', from: '/a/b', path: '/d' },
      ],
      { a: { b: 1, c: 2 }, d: 1 },
    ],
    [{ a: 1 }, [{ op: 'add', path: '', value: ['all'] }], ['all']],
  ])('%j with %j is %j', (original, patch, result) => {
    expect(patched(original, ...patch)).toEqual(result);
  });

  it.each<[patch: unknown, said: string]>([
    [{ op: 'add', path: '/baz/bat', value: 'qux' }, 'invalid /patch/0 there is nothing at /baz'],
    [{ op: 'remove', path: '/baz' }, 'invalid /patch/0 there is nothing at /baz'],
    [{ op: 'replace', path: '/baz', value: 1 }, 'invalid /patch/0 there is nothing at /baz'],
    [{ op: 'add', path: '/list/3', value: 1 }, 'invalid /patch/0 there is nothing at /list/3: the list has 2 entries'],
    [{ op: 'remove', path: '/list/-' }, 'invalid /patch/0 there is nothing at /list/-: the list has 2 entries'],
    [{ op: 'remove', path: '/list/01' }, 'invalid /patch/0 there is nothing at /list/01: the list has 2 entries'],
    [{ op: 'move', from: '/list', path: '/list/0' }, 'invalid /patch/0 what is moved can not go into itself'],
    [{ op: 'remove', path: '' }, 'invalid /patch/0 the whole can not be removed'],
    [{ op: 'wish', path: '' }, 'invalid /patch/0 op must be one of add, remove, replace, move, copy, test'],
    [{ op: 'constructor', path: '' }, 'invalid /patch/0 op must be one of add, remove, replace, move, copy, test'],
    [{ op: 'add', path: '/a' }, 'invalid /patch/0 add needs the field value'],
    [{ op: 'add', path: 'a', value: 1 }, 'invalid /patch/0 path must be a JSON pointer, e.g. /meta_attributes/target-role'],
    [{ op: 'add', path: '/a~2', value: 1 }, 'invalid /patch/0 path must be a JSON pointer, e.g. /meta_attributes/target-role'],
    ['add', 'invalid /patch/0 must be an object with the field op'],
    [{ op: 'test', path: '/list/0', value: 'b' }, 'test-failed /patch/0 the test fails: /list/0 is another one'],
    [{ op: 'test', path: '/none', value: null }, 'test-failed /patch/0 the test fails: there is nothing at /none'],
    [
      { op: 'test', path: '/list/9/x', value: 'b' },
      'test-failed /patch/0 the test fails: there is nothing at /list/9: the list has 2 entries',
    ],
  ])('%j can not be applied', (operation, said) => {
    expect(patched({ list: ['a', 'b'] }, operation)).toBe(said);
  });

  it('is applied as a whole or not at all', () => {
    const original = { a: '1' };
    expect(patched(original, { op: 'replace', path: '/a', value: '2' }, { op: 'test', path: '/a', value: '1' })).toContain('/patch/1');
    expect(original).toEqual({ a: '1' });
  });

  it('finds nothing behind names of the language, and changes no prototype', () => {
    for (const path of ['/__proto__/polluted', '/constructor/prototype/polluted', '/toString', '/list/length', '/list/__proto__']) {
      expect(patched({ list: [] }, { op: 'replace', path, value: 'yes' })).toContain('there is nothing at');
    }
    const made = patched({}, { op: 'add', path: '/__proto__', value: { polluted: 'yes' } });
    expect([Object.getPrototypeOf(made), JSON.stringify(made)]).toEqual([Object.prototype, '{"__proto__":{"polluted":"yes"}}']);
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });

  it('grows to no more than can be held', () => {
    const doubling = Array.from({ length: 60 }, (_, index) => ({ op: 'copy', from: '', path: `/${String(index)}` }));
    const copies = Array.from({ length: 100 }, (_, index) => ({ op: 'copy', from: '/long', path: `/${String(index)}` }));
    expect(patched({ long: 'x'.repeat(10_000) }, ...copies)).toMatch(/^invalid \/patch\/50 the patch copies more than 500000 characters$/);
    expect(patched({ a: {} }, ...doubling)).toMatch(/^invalid \/patch\/\d+ the patch copies more than 100000 values$/);
    const deep = `/a${'/a'.repeat(70)}`;
    expect(patched({}, { op: 'test', path: deep, value: 1 })).toContain('deeper than 64 levels');
    const nested = JSON.parse('[{"op":"add","path":"/a","value":' + '['.repeat(5_000) + ']'.repeat(5_000) + '}]') as unknown[];
    expect(patched({}, ...nested)).toContain('deeper than 128 levels');
    expect(patched({}, ...Array.from({ length: 1_001 }, () => ({ op: 'test', path: '', value: {} })))).toContain(
      'more than 1000 operations',
    );
  });
});
