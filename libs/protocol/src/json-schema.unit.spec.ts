import { describe, expect, it } from 'vitest';
import { messageSchemas, schemaReference } from './index.js';

describe('the schemas of the messages', () => {
  const schemas = messageSchemas();

  it('refer only to one another', () => {
    const references = [...JSON.stringify(schemas).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to = '']) => to);
    expect(references).toContain(schemaReference('AgentAction'));
    for (const reference of references) expect(Object.keys(schemas)).toContain(reference.replace('#/components/schemas/', ''));
  });

  it('say what has to be there and what is bounded', () => {
    expect(schemas['AgentPollRequest']).toMatchObject({
      required: ['incarnation', 'waitMs', 'known'],
      additionalProperties: false,
      properties: { known: { maxItems: 10_000 }, incarnation: { type: 'integer', minimum: 1 } },
    });
  });
});
