import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLongJson, jsonPieces } from './json-pieces.js';
import { RawJson } from './raw-json.js';

const textOf = (value: unknown): string => Buffer.concat([...jsonPieces(value)]).toString('utf8');

describe('an answer that is written piece by piece', () => {
  it('is the text that is written in one go', () => {
    const long = fc
      .array(fc.jsonValue(), { minLength: 1 })
      .map((values) => Array.from({ length: 3_000 }, (_, index) => values[index % values.length]));
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), long, fc.dictionary(fc.string(), long)), (value) => {
        expect(textOf(value)).toBe(JSON.stringify(value));
      }),
      { numRuns: 50 },
    );
  });

  it('leaves out what has no JSON, as ever, and writes dates as their text', () => {
    const many = Array.from({ length: 3_000 }, (_, index) => ({ index, at: new Date(0), none: undefined }));
    for (const value of [{ none: undefined, many, at: new Date(0) }, { none: undefined }, many])
      expect(textOf(value)).toBe(JSON.stringify(value));
  });

  it('holds what is text already as it is, and who writes it in one go writes the same', () => {
    const part = new RawJson(new TextEncoder().encode('{"synapses":[1,2,"é"]}'));
    const value = { number: 1, graph: part, schedule: { nodes: [] } };
    expect(textOf(value)).toBe('{"number":1,"graph":{"synapses":[1,2,"é"]},"schedule":{"nodes":[]}}');
    expect(JSON.stringify(value)).toBe(textOf(value));
  });

  it('comes in pieces that are each small', () => {
    const resources = Array.from({ length: 20_000 }, (_, index) => ({ id: `r${index}`, activeOn: ['n1'], role: 'Started' }));
    const raw = new RawJson(new TextEncoder().encode(JSON.stringify(resources)));
    for (const piece of jsonPieces({ resources, raw })) expect(piece.length).toBeLessThan(200_000);
  });

  it('is only what is long', () => {
    expect(isLongJson({ a: [1, 2, { b: 'c' }] })).toBe(false);
    expect(isLongJson({ text: 'x'.repeat(1_000_000) })).toBe(true);
    expect(isLongJson(Array.from({ length: 10_000 }, () => 1))).toBe(true);
    expect(isLongJson(undefined)).toBe(false);
  });
});
