import type { OpenAPIObject } from '@nestjs/swagger';
import { EVENT_TYPES } from '../events/event-types.js';
import { EVENT_TYPES_SCHEMAS } from './event-types/index.js';
import { schemaPath } from './schema-path.js';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Fields = Readonly<Record<string, object>>;

/** What `EventDto` is declared as: the fields that all events have, with any type and any data. */
const DECLARED = 'EventDto';

/**
 * Schemas of events: `EventDto` as one of all types, told apart by `type`, each with data of its own.
 *
 * @throws {Error} where a type that events use has the name of another schema
 */
export function eventSchemas(declared: Schemas): Schemas {
  const any = declared[DECLARED];
  if (any === undefined || '$ref' in any || any.properties === undefined) return {};
  const { properties, required = [] } = any as { readonly properties: Fields; readonly required?: readonly string[] };
  const types = new Set(EVENT_TYPES);
  const parts = Object.entries(EVENT_TYPES_SCHEMAS).filter(([name]) => !types.has(name));
  const taken = parts.find(([name]) => declared[name] !== undefined);
  if (taken !== undefined) throw new Error(`the schema ${taken[0]} of an event has the name of another one: rename one of them`);
  const each = EVENT_TYPES.map((type) => [
    nameOf(type),
    {
      type: 'object',
      description: describedAs(type),
      properties: { ...properties, type: { type: 'string', enum: [type], description: 'What happened.' }, data: dataOf(type) },
      required,
    },
  ]);
  const union = {
    description: 'An event of a cluster. Later versions have more types: whoever does not know one passes it over.',
    oneOf: EVENT_TYPES.map((type) => ({ $ref: schemaPath(nameOf(type)) })),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(EVENT_TYPES.map((type) => [type, schemaPath(nameOf(type))])),
    },
  };
  return { ...(Object.fromEntries([...parts, ...each]) as Schemas), [DECLARED]: union };
}

function nameOf(type: string): string {
  return `${type}Event`;
}

function describedAs(type: string): string {
  const { description } = EVENT_TYPES_SCHEMAS[type] ?? {};
  return typeof description === 'string' ? description : `An event of the type ${type}.`;
}

function dataOf(type: string): object {
  const { properties } = (EVENT_TYPES_SCHEMAS[type] ?? {}) as { readonly properties?: Fields };
  return { description: 'The particulars.', ...(properties?.['data'] ?? { type: 'object' }) };
}
