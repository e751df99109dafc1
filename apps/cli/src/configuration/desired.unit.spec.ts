import { describe, expect, it } from 'vitest';
import { desiredIn, withDesired } from './desired.js';

const db = { element: 'primitive', id: 'db', class: 'ocf', type: 'x' };
const ip = { id: 'ip', class: 'ocf', type: 'x' };
const group = { element: 'group', id: 'g', primitive: [ip] };
const order = { element: 'rsc_order', id: 'o', first: 'db', then: 'g' };
const PRESENT = { properties: { cluster_property_set: { a: '1', b: '2' } }, resources: [db, group], constraints: [order] };

const apply = (json: unknown, prune = false): unknown => withDesired(PRESENT, desiredIn(json), prune);

describe('what a file desires', () => {
  it('replaces elements of the same ids where they stand, and adds others', () => {
    const more = { ...db, type: 'y' };
    expect(apply(more)).toEqual({ ...PRESENT, resources: [more, group] });
    expect(apply([{ element: 'primitive', ...ip, type: 'y' }])).toEqual({
      ...PRESENT,
      resources: [db, { ...group, primitive: [{ ...ip, type: 'y' }] }],
    });
    expect(apply([{ ...db, id: 'new' }])).toEqual({ ...PRESENT, resources: [db, group, { ...db, id: 'new' }] });
  });

  it('moves resources to where it has them', () => {
    const member = { id: 'db', class: 'ocf', type: 'x' };
    const moved = { ...PRESENT, resources: [{ ...group, primitive: [ip, member] }] };
    expect(apply({ ...db, parent: 'g' })).toEqual(moved);
    expect(apply({ ...group, primitive: [ip, member] })).toEqual(moved);
    expect(apply({ element: 'primitive', ...ip, parent: null })).toEqual({
      ...PRESENT,
      resources: [db, { ...group, primitive: [] }, { element: 'primitive', ...ip }],
    });
    expect(() => apply({ ...db, parent: 'gone' })).toThrow('there is no "gone"');
  });

  it('sets the options that it names, and takes nothing away unless it shall', () => {
    expect(apply({ properties: { cluster_property_set: { b: null, c: '3' } } })).toEqual({
      ...PRESENT,
      properties: { cluster_property_set: { a: '1', c: '3' } },
    });
    expect(apply({ properties: { cluster_property_set: { c: '3' } }, resources: [db] }, true)).toEqual({
      ...PRESENT,
      properties: { cluster_property_set: { c: '3' } },
      resources: [db],
    });
  });

  it('is there once, however often it is applied', () => {
    expect(apply([{ element: 'rsc_order', first: 'db', then: 'g' }])).toEqual(PRESENT);
  });

  it.each([null, 'text', 7, [7], [{ id: 'x' }], { element: 'wish' }])('is not %j', (json) => {
    expect(() => desiredIn(json)).toThrow(/element/);
  });
});
