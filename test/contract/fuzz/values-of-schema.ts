import fc from 'fast-check';
import type { ApiDocument, Schema } from '../api-document.js';

/** Names that mean something in the cluster that requests are for: what is made at random alone would hardly ever name anything that is there. */
const KNOWN = [
  'web',
  'fence',
  'db',
  'app',
  'app-clone',
  'ip',
  'n1',
  'n2',
  '1',
  '2',
  'web-on-n1',
  'web-monitor',
  'ticketA',
  'cib-bootstrap-options',
];
const WORDS = [
  ...KNOWN,
  ...[
    'ocf',
    'systole',
    'Dummy',
    'stonith',
    'INFINITY',
    '-INFINITY',
    '100',
    '10s',
    'true',
    'false',
    'monitor',
    'start',
    'Started',
    'Stopped',
  ],
  ...['target-role', 'no-quorum-policy', 'priority', '#uname', 'eq', 'reboot', 'off', '1h', '0', 'standby', 'maintenance'],
];

/** A name, of something that is there as a rule. */
export const knownName: fc.Arbitrary<string> = fc.constantFrom(...KNOWN);

/** How far references are followed: below that, only what must be there. */
const DEPTH = 5;
const OPTIONAL_SHARE = 0.35;

/** Values that fit the schemas of a document, or nearly: patterns are taken from examples, or not at all. */
export class ValuesOfSchema {
  constructor(private readonly document: ApiDocument) {}

  of(schema: Schema, depth = 0): fc.Arbitrary<unknown> {
    const { $ref, allOf, oneOf, anyOf, example, type } = schema;
    if (schema['const'] !== undefined) return fc.constant(schema['const']);
    if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as readonly unknown[]));
    if (typeof $ref === 'string') return this.of(this.document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}, depth + 1);
    if (isSchemas(allOf)) return this.#together(allOf, depth);
    const choices = isSchemas(oneOf) ? oneOf : isSchemas(anyOf) ? anyOf : undefined;
    if (choices !== undefined) return fc.oneof(...choices.map((choice) => this.of(choice, depth)));
    if (example !== undefined && type !== 'object') {
      return fc.oneof({ weight: 1, arbitrary: fc.constant(example) }, { weight: 2, arbitrary: this.#ofType(schema, depth) });
    }
    return this.#ofType(schema, depth);
  }

  #ofType(schema: Schema, depth: number): fc.Arbitrary<unknown> {
    const { type } = schema;
    const types: unknown[] = Array.isArray(type) ? type : [type];
    switch (types[0]) {
      case 'string':
        return textOf(schema);
      case 'integer': {
        const [least, most] = [numberIn(schema['minimum'], -5), numberIn(schema['maximum'], 1_000_000)];
        return fc.integer({ min: Math.min(least, most), max: most });
      }
      case 'number':
        return fc.double({ noNaN: true, noDefaultInfinity: true });
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'array':
        return fc.array(this.of((schema['items'] as Schema | undefined) ?? {}, depth + 1), { maxLength: depth > DEPTH ? 0 : 3 });
      default:
        return this.#object(schema, depth);
    }
  }

  #object(schema: Schema, depth: number): fc.Arbitrary<unknown> {
    const properties = (schema['properties'] as Readonly<Record<string, Schema>> | undefined) ?? {};
    const required = new Set((schema['required'] as readonly string[] | undefined) ?? []);
    const share = depth > DEPTH ? 0 : OPTIONAL_SHARE;
    const fields = Object.entries(properties).flatMap(([name, of]): readonly (readonly [string, fc.Arbitrary<unknown>])[] => {
      if (!required.has(name) && share === 0) return [];
      const value = this.of(of, depth + 1);
      return [[name, required.has(name) ? value : fc.option(value, { nil: undefined, freq: Math.round(1 / share) - 1 })]];
    });
    const named = fc.record(Object.fromEntries(fields));
    const { additionalProperties } = schema;
    if (typeof additionalProperties !== 'object' || additionalProperties === null || depth > DEPTH) return named;
    const others = fc.dictionary(fc.constantFrom(...WORDS), this.of(additionalProperties as Schema, depth + 1), { maxKeys: 2 });
    return fc.tuple(named, others).map(([left, right]) => ({ ...right, ...left }));
  }

  #together(parts: readonly Schema[], depth: number): fc.Arbitrary<unknown> {
    return fc.tuple(...parts.map((part) => this.of(part, depth))).map((values) => Object.assign({}, ...values) as unknown);
  }
}

function textOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema['format'] === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (schema['format'] === 'uuid') return fc.uuid();
  const most = Math.min(numberIn(schema['maxLength'], 40), 40);
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...WORDS) },
    { weight: 1, arbitrary: fc.string({ minLength: Math.min(numberIn(schema['minLength'], 0), most), maxLength: most }) },
  );
}

function numberIn(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

function isSchemas(value: unknown): value is readonly Schema[] {
  return Array.isArray(value) && value.length > 0;
}
