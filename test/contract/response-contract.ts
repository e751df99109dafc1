import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describedResponse, routesOf, type ApiDocument, type Route, type Schema } from './api-document.js';

/** An answer, and what it was to. */
export interface Exchange {
  readonly method: string;
  /** Of the request, without its parameters. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** The body, where it is JSON and was read to its end. */
  readonly text?: string;
}

const DOCUMENT_ID = 'https://systole.test/openapi.json';

/** Answers that any path may have, also where there is no operation: nobody there, not allowed in, not so often, not now. */
const WITHOUT_OPERATION = new Set([400, 401, 403, 404, 405, 429, 503]);
/** Headers that say nothing of the answer to one operation: of the connection (RFC 9110 §7.6.1), of the content as such (RFC 9110 §8), of browsers' rules for pages and other origins; and with what the front tells itself. */
const OF_ANY_SERVER =
  /^(connection|keep-alive|transfer-encoding|trailer|upgrade|date|content-(type|length|encoding)|access-control-.*|content-security-policy|cross-origin-.*|origin-agent-cluster|referrer-policy|strict-transport-security|x-content-type-options|x-dns-prefetch-control|x-download-options|x-frame-options|x-permitted-cross-domain-policies|x-xss-protection)$/;

/** Headers that come with a status. */
const COMES_WITH: Readonly<Record<number, string>> = { 401: 'www-authenticate', 405: 'allow', 429: 'retry-after' };

/**
 * Compares answers with the document: a status, a header, a media type, a field that it does not have is a fault, and so is a field that is not as it says. Objects whose fields the document names
 * may have no others: what it does not say nobody can rely on.
 */
export class ResponseContract {
  readonly #ajv: Ajv2020;
  readonly #parts: ReadonlySet<string>;
  readonly #routes: readonly (Route & { readonly pattern: RegExp; readonly fixed: number })[];
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(private readonly document: ApiDocument) {
    this.#ajv = new Ajv2020({ strict: false, allErrors: false, discriminator: false, validateFormats: true });
    formats.default(this.#ajv);
    const { schemas } = document.components;
    this.#parts = new Set(partsIn(schemas));
    this.#ajv.addSchema({ $id: DOCUMENT_ID, components: { schemas: closed(schemas, this.#parts) } });
    this.#routes = routesOf(document)
      .map((route) => ({ ...route, pattern: patternOf(route.path), fixed: fixedParts(route.path) }))
      .sort((left, right) => right.fixed - left.fixed);
  }

  /** The operation that a request is for; undefined when there is none: a path that fits without parameters is meant, whatever methods another one has. */
  routeOf(method: string, path: string): Route | undefined {
    const asked = method === 'HEAD' ? 'get' : method.toLowerCase();
    const fitting = this.#routes.filter((route) => route.pattern.test(path));
    return fitting.find((route) => route.method === asked && route.fixed === fitting[0]?.fixed);
  }

  /** What of an answer the document does not have, in words; undefined when it has everything. */
  faultOf(exchange: Exchange): string | undefined {
    const { method, path, status, headers } = exchange;
    const needed = COMES_WITH[status];
    if (needed !== undefined && !headers.has(needed)) return `${status} without ${needed}`;
    if (!headers.has('x-request-id')) return 'no X-Request-Id';
    const route = this.routeOf(method, path);
    if (route === undefined) return this.#faultWithoutRoute(exchange);
    const described = describedResponse(this.document, route.operation, status);
    if (described === undefined) return `status ${status} is not described`;
    const known = new Set(Object.keys(described.headers ?? {}).map((name) => name.toLowerCase()));
    const unknown = [...headers.keys()].find((name) => !known.has(name) && !OF_ANY_SERVER.test(name));
    if (unknown !== undefined) return `the header ${unknown} is not described`;
    if (method === 'HEAD') return undefined;
    const type = mediaTypeOf(headers);
    const { content } = described;
    if (content === undefined) return type === undefined || exchange.text === '' ? undefined : `a body of ${type} where none is described`;
    const media = type === undefined ? undefined : content[type];
    if (media === undefined) return `media type ${type ?? '(none)'} is not described: ${Object.keys(content).join(', ')} are`;
    return type === undefined || exchange.text === undefined || !isJson(type)
      ? undefined
      : this.#faultOfBody(`${route.operation.operationId} ${status} ${type}`, media.schema, exchange.text);
  }

  #faultWithoutRoute({ method, path, status, headers, text }: Exchange): string | undefined {
    if (method === 'OPTIONS' && status === 204) return headers.has('allow') ? undefined : 'OPTIONS without Allow';
    if (!WITHOUT_OPERATION.has(status)) return `status ${status}, where there is no operation ${method} ${path}`;
    if (method === 'HEAD') return undefined;
    if (mediaTypeOf(headers) !== PROBLEM) return 'a refusal that is no problem document';
    return text === undefined ? undefined : this.#faultOfBody('problem', { $ref: '#/components/schemas/ProblemDto' }, text);
  }

  #faultOfBody(key: string, schema: Schema, text: string): string | undefined {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return 'the body is no JSON';
    }
    const validate = this.#validatorOf(key, schema);
    if (validate(value)) return undefined;
    const [error] = validate.errors ?? [];
    return `${error?.instancePath ?? ''} ${error?.message ?? 'does not fit'} (${JSON.stringify(error?.params)})`;
  }

  #validatorOf(key: string, schema: Schema): ValidateFunction {
    const known = this.#validators.get(key);
    if (known !== undefined) return known;
    const made = this.#ajv.compile(absolute(closed(schema, this.#parts)) as object);
    this.#validators.set(key, made);
    return made;
  }
}

const PROBLEM = 'application/problem+json';

function isJson(type: string): boolean {
  return type === 'application/json' || type === PROBLEM;
}

function mediaTypeOf(headers: Headers): string | undefined {
  return headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
}

function patternOf(path: string): RegExp {
  const parts = path.split('/').map((part) => (part.startsWith('{') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${parts.join('/')}$`);
}

/** Of two paths that fit, the one with more parts that are no parameters is meant. */
function fixedParts(path: string): number {
  return path.split('/').filter((part) => !part.startsWith('{')).length;
}

/**
 * The schemas, with objects that name their fields closed. What is put together by `allOf` is closed as a whole, and its parts stay open.
 * @param parts names of the components that are such parts
 */
function closed(schema: unknown, parts: ReadonlySet<string>, name?: string): unknown {
  if (Array.isArray(schema)) return schema.map((one: unknown) => closed(one, parts, name));
  if (typeof schema !== 'object' || schema === null) return schema;
  if (name !== undefined && LITERAL.has(name)) return schema;
  const { allOf, properties, additionalProperties } = schema as Schema;
  const entries = Object.entries(schema).map(([key, value]: readonly [string, unknown]) => [key, closed(value, parts, key)]);
  if (name === 'allOf' || (name !== undefined && parts.has(name))) return Object.fromEntries(entries) as unknown;
  if (Array.isArray(allOf)) return Object.fromEntries([...entries, ['unevaluatedProperties', false]]) as unknown;
  const namesFields = typeof properties === 'object' && properties !== null && additionalProperties === undefined;
  return Object.fromEntries([...entries, ...(namesFields ? [['additionalProperties', false]] : [])]) as unknown;
}

/** What holds values, and no schemas. */
const LITERAL: ReadonlySet<string> = new Set(['enum', 'const', 'example', 'default', 'mapping']);

/** Names of the components that others put together by `allOf`. */
function partsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(partsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { allOf } = value as Schema;
  const own = Array.isArray(allOf) ? allOf.flatMap((part: Schema) => (typeof part['$ref'] === 'string' ? [nameIn(part['$ref'])] : [])) : [];
  return [...own, ...Object.values(value).flatMap(partsIn)];
}

function nameIn(reference: string): string {
  return reference.split('/').at(-1) ?? '';
}

function absolute(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(absolute);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]: readonly [string, unknown]) => [
      name,
      name === '$ref' && typeof value === 'string' && value.startsWith('#') ? `${DOCUMENT_ID}${value}` : absolute(value),
    ]),
  );
}
