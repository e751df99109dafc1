import type { OpenAPIObject } from '@nestjs/swagger';
import { titleOf } from '../http/problem.js';
import { schemaPath } from './schema-path.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Responses = Operation['responses'];
type Response = Responses[string];
type Headers = Readonly<Record<string, object>>;

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;
type Method = (typeof METHODS)[number];

/** Headers of answers, as components. */
const HEADERS = {
  RequestId: {
    description:
      'Id of the request, made by the server: the correlation id of all events that follow from it, and what the logs have it under.',
    schema: { type: 'string', example: '5f8e4a0c-7f0e-4b1c-9d36-0f4e2a0f9c11' },
  },
  RetryAfter: {
    description: 'After how many seconds to ask again; absent where that would not help.',
    schema: { type: 'integer', minimum: 1, example: 2 },
  },
  ClientRequestId: {
    description: 'The id that the client gave its request with X-Request-Id; absent where it gave none.',
    schema: { type: 'string', example: 'my-request-1' },
  },
  Vary: {
    description: 'By which headers of the request answers differ; absent where they do not.',
    schema: { type: 'string', example: 'Accept, Accept-Encoding' },
  },
  CacheControl: {
    description:
      'Whether the answer may be kept: `private, no-cache` for reads (by who asked, who asks each time whether it still holds); `no-store` for writes, refusals, exports, and what holds secrets.',
    schema: { type: 'string', example: 'private, no-cache' },
  },
  Accept: {
    description: 'Media types of bodies that are taken there (RFC 9110 §12.5.1).',
    schema: { type: 'string', example: 'application/json, application/xml' },
  },
  AcceptPatch: {
    description: 'Kinds of patches that are taken there (RFC 5789); absent where it is about another method.',
    schema: { type: 'string', example: 'application/merge-patch+json, application/json-patch+json' },
  },
  ContentDisposition: {
    description: 'The name under which to keep the file.',
    schema: { type: 'string', example: 'attachment; filename="web-events.ndjson"' },
  },
  IdempotencyReplayed: {
    description: '`true`: the answer to an earlier request with the same Idempotency-Key; absent: this one was carried out.',
    schema: { type: 'string', example: 'true' },
  },
  AccelBuffering: {
    description: '`no`: proxies are to pass on what is streamed at once.',
    schema: { type: 'string', example: 'no' },
  },
  Authenticate: {
    description: 'How to authenticate (RFC 6750).',
    schema: { type: 'string', example: 'Bearer realm="systole"' },
  },
  Location: {
    description: 'Where that is which was made.',
    schema: { type: 'string', example: '/v1/clusters/5f8e4a0c-7f0e-4b1c-9d36-0f4e2a0f9c11' },
  },
  ETag: {
    description:
      'The version that the answer is of, or that the request was judged against, and the form of a read; that of any form is good for If-Match. Absent where no version of a cluster is told of.',
    schema: { type: 'string', example: '"17_xml_gzip"' },
  },
} as const;

/** What any answer may have. */
const ALWAYS: Headers = {
  'X-Request-Id': headerReference('RequestId'),
  'X-Client-Request-Id': headerReference('ClientRequestId'),
  Vary: headerReference('Vary'),
  'Cache-Control': headerReference('CacheControl'),
};

const TAG: Headers = { ETag: headerReference('ETag') };

/** Headers of refusals, by status. */
const OF_REFUSALS: Readonly<Record<number, Headers>> = {
  401: { 'WWW-Authenticate': headerReference('Authenticate') },
  403: TAG,
  404: TAG,
  409: { ...TAG, 'Retry-After': headerReference('RetryAfter') },
  410: TAG,
  412: TAG,
  415: { Accept: headerReference('Accept'), 'Accept-Patch': headerReference('AcceptPatch') },
  422: TAG,
  429: { 'Retry-After': headerReference('RetryAfter') },
  503: { 'Retry-After': headerReference('RetryAfter') },
};

/**
 * Adds to each operation what any of its kind may be answered, whatever its handler does: the pipe's, the guards', the limits' refusals; and headers. Refusals become
 * components, each of which is said once.
 */
export function withGeneralAnswers(document: OpenAPIObject): OpenAPIObject {
  const statuses = new Set<number>();
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => {
      const operations = METHODS.flatMap((method) => {
        const operation = item[method];
        if (operation === undefined) return [];
        const refusals = new Set([...declared(operation), ...generalRefusals(method, path, operation)]);
        for (const status of refusals) statuses.add(status);
        return [[method, { ...operation, responses: responsesOf(path, operation, refusals) }] as const];
      });
      return [path, { ...item, ...Object.fromEntries(operations) }];
    }),
  );
  const responses = Object.fromEntries([...statuses].map((status) => [componentOf(status), refusal(status)]));
  const components = { ...document.components, responses, headers: HEADERS } as NonNullable<OpenAPIObject['components']>;
  return { ...document, paths, components };
}

/** What may come of the way to the handler and back. */
function generalRefusals(method: Method, path: string, { security = [], parameters = [] }: Operation): readonly number[] {
  return [
    // Unknown parameters, texts that nobody carries, headers that are none.
    400,
    ...(security.length === 0 ? [] : [401, 403]),
    ...(path.includes('{') ? [404] : []),
    ...(takes(parameters, 'Idempotency-Key') ? [409] : []),
    ...(takes(parameters, 'If-Match') || takes(parameters, 'If-None-Match') ? [412] : []),
    ...(takes(parameters, 'If-Match') && method !== 'get' ? [409] : []),
    // Also where no body is taken: one that comes all the same is read, and refused for what is in it.
    ...(method === 'get' ? [] : [413, 415, 422, 501]),
    429,
    503,
  ];
}

function takes(parameters: NonNullable<Operation['parameters']>, header: string): boolean {
  return parameters.some((parameter) => 'name' in parameter && parameter.name === header);
}

/** Statuses that the handler's own declaration has as plain refusals. */
function declared({ responses }: Operation): readonly number[] {
  return Object.entries(responses).flatMap(([status, response]) => (isPlainRefusal(Number(status), response) ? [Number(status)] : []));
}

function isPlainRefusal(status: number, response: Response): boolean {
  return response !== undefined && 'description' in response && status >= 400 && response.description === titleOf(status);
}

function responsesOf(path: string, { responses, parameters = [] }: Operation, refusals: ReadonlySet<number>): Responses {
  const isTagged = '304' in responses || takes(parameters, 'If-Match') || (path.startsWith('/v1/clusters') && !isStreamed(responses));
  const headers: Headers = {
    ...ALWAYS,
    ...(isTagged ? TAG : {}),
    ...(takes(parameters, 'Idempotency-Key') ? { 'Idempotency-Replayed': headerReference('IdempotencyReplayed') } : {}),
    ...(path.endsWith('/export') ? { 'Content-Disposition': headerReference('ContentDisposition') } : {}),
    ...(isStreamed(responses) ? { 'X-Accel-Buffering': headerReference('AccelBuffering') } : {}),
  };
  const own = Object.entries(responses).flatMap(([status, response]) =>
    response === undefined || refusals.has(Number(status))
      ? []
      : [
          [
            status,
            withHeaders(
              withDescription(response, status),
              status === '201' ? { ...headers, Location: headerReference('Location') } : headers,
            ),
          ] as const,
        ],
  );
  const general = [...refusals].map((status) => [String(status), { $ref: `#/components/responses/${componentOf(status)}` }] as const);
  return Object.fromEntries([...own, ...general]);
}

/** Whether it is an answer without an end: events as they happen. */
function isStreamed(responses: Responses): boolean {
  return Object.values(responses).some(
    (response) => response !== undefined && 'content' in response && 'text/event-stream' in (response.content ?? {}),
  );
}

/** What the status alone says; handlers say more where there is more to say. */
const SUCCESSES: Readonly<Record<string, string>> = {
  200: 'What was asked for, or what became of it.',
  201: 'It was made.',
  204: 'It was done; there is nothing to tell.',
};

function withDescription(response: NonNullable<Response>, status: string): NonNullable<Response> {
  return '$ref' in response || response.description.trim() !== ''
    ? response
    : { ...response, description: SUCCESSES[status] ?? titleOf(Number(status)) };
}

function withHeaders(response: NonNullable<Response>, headers: Headers): NonNullable<Response> {
  return '$ref' in response ? response : { ...response, headers: { ...headers, ...response.headers } };
}

function refusal(status: number): object {
  return {
    description: titleOf(status),
    headers: { ...ALWAYS, ...OF_REFUSALS[status] },
    content: { 'application/problem+json': { schema: { $ref: schemaPath('ProblemDto') } } },
  };
}

/** `NotFound` for 404. */
function componentOf(status: number): string {
  return titleOf(status)
    .split(' ')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

function headerReference(name: keyof typeof HEADERS): { readonly $ref: string } {
  return { $ref: `#/components/headers/${name}` };
}
