/**
 * The document in the words of OpenAPI 3.1, where a value that may be null has that among its types: `nullable` of 3.0, which the decorators write, means nothing there.
 *
 * @see https://spec.openapis.org/oas/v3.1.1#schema-object
 */
export function withoutNullable<T>(document: T): T;
export function withoutNullable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => withoutNullable(item));
  if (typeof value !== 'object' || value === null) return value;
  const fields: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).map(([name, of]: readonly [string, unknown]) => [name, withoutNullable(of)]),
  );
  const { nullable, type, enum: values, ...rest } = fields;
  // A property of that name is a schema, not a flag.
  if (typeof nullable !== 'boolean') return fields;
  if (!nullable) return { ...rest, ...(type === undefined ? {} : { type }), ...(values === undefined ? {} : { enum: values }) };
  if (typeof type !== 'string') return { anyOf: [{ ...rest }, { type: 'null' }] };
  return { ...rest, type: [type, 'null'], ...(Array.isArray(values) ? { enum: [...(values as readonly unknown[]), null] } : {}) };
}
