import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

type Json = Readonly<Record<string, unknown>>;

const DOCUMENT = new URL('../../../../openapi/openapi.json', import.meta.url);

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields without a description in a schema, and in all that is in it, by their places. */
function undescribedIn(schema: unknown, place: string, schemas: Json): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap((part, index) => undescribedIn(part, `${place}/${String(index)}`, schemas));
  if (!isObject(schema)) return [];
  const { properties, ...rest } = schema;
  const fields = isObject(properties) ? Object.entries(properties) : [];
  return [
    ...fields.flatMap(([name, field]) => [
      ...(isDescribed(field) || isDescribed(referred(field, schemas)) ? [] : [`${place}.${name}`]),
      ...undescribedIn(field, `${place}.${name}`, schemas),
    ]),
    ...['items', 'additionalProperties', 'oneOf', 'anyOf', 'allOf', 'not'].flatMap((keyword) =>
      undescribedIn(rest[keyword], place, schemas),
    ),
  ];
}

/** What a field that is nothing but a reference says of itself. */
function referred(field: unknown, schemas: Json): unknown {
  const reference = isObject(field) && typeof field['$ref'] === 'string' ? field['$ref'] : '';
  return schemas[reference.replace('#/components/schemas/', '')];
}

function isDescribed(field: unknown): boolean {
  return isObject(field) && typeof field['description'] === 'string' && field['description'].trim().length > 2;
}

describe('the OpenAPI document', () => {
  it('describes every field of every schema: what it means, its unit, when it is absent', async () => {
    const document = JSON.parse(await readFile(DOCUMENT, 'utf8')) as { readonly components: { readonly schemas: Json } };
    const { schemas } = document.components;
    expect(Object.keys(schemas).length).toBeGreaterThan(100);
    expect(Object.entries(schemas).flatMap(([name, schema]) => undescribedIn(schema, name, schemas))).toEqual([]);
  });

  it('says of every answer what it is', async () => {
    const document = JSON.parse(await readFile(DOCUMENT, 'utf8')) as { readonly paths: Readonly<Record<string, Json>> };
    const answers = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, operation]) => {
        const responses = isObject(operation) && isObject(operation['responses']) ? operation['responses'] : {};
        return Object.entries(responses).map(([status, response]) => ({ place: `${method} ${path} ${status}`, response }));
      }),
    );
    expect(answers.length).toBeGreaterThan(100);
    const bare = answers.filter(({ response }) => !(isObject(response) && response['$ref'] !== undefined) && !isDescribed(response));
    expect(bare.map(({ place }) => place)).toEqual([]);
  });

  it('describes every parameter of every operation', async () => {
    const document = JSON.parse(await readFile(DOCUMENT, 'utf8')) as { readonly paths: Readonly<Record<string, Json>> };
    const undescribed = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, operation]) => {
        const parameters =
          isObject(operation) && Array.isArray(operation['parameters']) ? (operation['parameters'] as readonly unknown[]) : [];
        return parameters
          .filter((parameter) => isObject(parameter) && parameter['$ref'] === undefined && !isDescribed(parameter))
          .map((parameter) => `${method} ${path} ${String((parameter as Json)['name'])}`);
      }),
    );
    expect(undescribed).toEqual([]);
  });
});
