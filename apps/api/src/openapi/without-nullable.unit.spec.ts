import { describe, expect, it } from 'vitest';
import { withoutNullable } from './without-nullable.js';

describe('a description in the words of OpenAPI 3.1', () => {
  it('names null among the types of what may be null', () => {
    expect(withoutNullable({ a: { type: 'string', nullable: true, maxLength: 3 }, b: [{ nullable: true, $ref: '#/x' }] })).toEqual({
      a: { type: ['string', 'null'], maxLength: 3 },
      b: [{ anyOf: [{ $ref: '#/x' }, { type: 'null' }] }],
    });
    expect(withoutNullable({ type: 'string', enum: ['a'], nullable: true })).toEqual({ type: ['string', 'null'], enum: ['a', null] });
  });

  it('leaves alone what may not, and a property of that name', () => {
    expect(withoutNullable({ type: 'string', enum: ['a'], nullable: false })).toEqual({ type: 'string', enum: ['a'] });
    const properties = { nullable: { type: 'boolean' }, type: { type: 'string' } };
    expect(withoutNullable({ type: 'object', properties })).toEqual({ type: 'object', properties });
  });
});
