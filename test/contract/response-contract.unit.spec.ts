import { describe, expect, it } from 'vitest';
import type { ApiDocument } from './api-document.js';
import { ResponseContract, type Exchange } from './response-contract.js';

const HEADERS = { 'X-Request-Id': {}, ETag: {} };
const json = (schema: object): object => ({ headers: HEADERS, content: { 'application/json': { schema } } });
const DOCUMENT = {
  paths: {
    '/v1/things/{thing}': {
      get: {
        operationId: 'getThing',
        responses: { 200: json({ $ref: '#/components/schemas/Thing' }), 404: { $ref: '#/components/responses/NotFound' } },
      },
    },
    '/v1/things/best': {
      get: { operationId: 'getBest', responses: { 200: json({ $ref: '#/components/schemas/NamedThing' }), 204: { headers: HEADERS } } },
    },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        properties: { size: { type: 'integer' }, made: { type: 'string', format: 'date-time' } },
        required: ['size'],
      },
      NamedThing: {
        allOf: [{ $ref: '#/components/schemas/Base' }, { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }],
      },
      Base: { type: 'object', properties: { weight: { type: 'number' } } },
      ProblemDto: { type: 'object', properties: { type: { type: 'string' }, status: { type: 'integer' } }, required: ['type', 'status'] },
    },
    responses: {
      NotFound: { headers: HEADERS, content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDto' } } } },
    },
  },
} as unknown as ApiDocument;

const PROBLEM = { type: 'about:blank', status: 404 };

describe('the contract of answers', () => {
  const contract = new ResponseContract(DOCUMENT);
  const faultOf = (
    path: string,
    status: number,
    body?: unknown,
    more: { readonly method?: string; readonly headers?: Record<string, string> } = {},
  ): string | undefined => {
    const isProblem = status >= 400;
    const type = body === undefined ? {} : { 'content-type': isProblem ? 'application/problem+json' : 'application/json; charset=utf-8' };
    const exchange: Exchange = {
      method: more.method ?? 'GET',
      path,
      status,
      headers: new Headers({ 'x-request-id': 'r', ...type, ...more.headers }),
      ...(body === undefined ? {} : { text: typeof body === 'string' ? body : JSON.stringify(body) }),
    };
    return contract.faultOf(exchange);
  };

  it('lets pass what the document has', () => {
    expect(faultOf('/v1/things/a', 200, { size: 1, made: '2026-01-01T00:00:00Z' })).toBeUndefined();
    expect(faultOf('/v1/things/a', 404, PROBLEM)).toBeUndefined();
    expect(faultOf('/v1/things/best', 200, { name: 'a', weight: 1.5 })).toBeUndefined();
    expect(faultOf('/v1/things/best', 204)).toBeUndefined();
    expect(faultOf('/v1/things/a', 200, undefined, { method: 'HEAD' })).toBeUndefined();
    expect(faultOf('/v1/things/a', 204, undefined, { method: 'OPTIONS', headers: { allow: 'GET' } })).toBeUndefined();
    expect(faultOf('/v1/others', 404, PROBLEM)).toBeUndefined();
  });

  it.each([
    ['a status', '/v1/things/a', 201, { size: 1 }, 'status 201'],
    ['a field of another type', '/v1/things/a', 200, { size: '1' }, '/size must be integer'],
    ['a field that is missing', '/v1/things/a', 200, {}, "'size'"],
    ['a field that is not described', '/v1/things/a', 200, { size: 1, colour: 'red' }, 'colour'],
    ['such a field of what is put together', '/v1/things/best', 200, { name: 'a', size: 1 }, 'size'],
    ['a date that is none', '/v1/things/a', 200, { size: 1, made: 'yesterday' }, 'date-time'],
    ['what is no JSON', '/v1/things/a', 200, 'oops', 'no JSON'],
    ['a body where none is described', '/v1/things/best', 204, {}, 'a body'],
    ['a success where there is no operation', '/v1/others', 200, {}, 'no operation'],
    ['a refusal without what comes with it', '/v1/things/a', 429, PROBLEM, 'retry-after'],
  ])('finds %s', (_, path, status, body, words) => {
    expect(faultOf(path, status, body)).toContain(words);
  });

  it('finds a header that is not described, whatever the letters; what any server sends is none', () => {
    const thing = { size: 1 };
    expect(faultOf('/v1/things/a', 200, thing, { headers: { etag: '"1"', date: 'x', vary: 'Accept' } })).toBe(
      'the header vary is not described',
    );
    expect(faultOf('/v1/things/a', 200, thing, { headers: { etag: '"1"', date: 'x', 'content-encoding': 'gzip' } })).toBeUndefined();
    expect(faultOf('/v1/things/a', 404, PROBLEM, { headers: { 'retry-after': '1' } })).toContain('retry-after');
    expect(faultOf('/v1/things/a', 200, undefined, { method: 'HEAD', headers: { location: '/' } })).toContain('location');
  });

  it('finds another media type, and an answer without the id of its request', () => {
    expect(faultOf('/v1/things/a', 200, undefined, { headers: { 'content-type': 'text/html' } })).toContain('text/html');
    expect(contract.faultOf({ method: 'GET', path: '/v1/things/a', status: 200, headers: new Headers() })).toContain('X-Request-Id');
  });
});
