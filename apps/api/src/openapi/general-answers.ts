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
  Authenticate: {
    description: 'How to authenticate (RFC 6750).',
    schema: { type: 'string', example: 'Bearer realm="systole"' },
  },
  Location: {
    description: 'Where that is which was made.',
    schema: { type: 'string', example: '/v1/clusters/5f8e4a0c-7f0e-4b1c-9d36-0f4e2a0f9c11' },
  },
  ETag: {
    description: 'The version that the answer is of, or that the request was judged against; for If-Match.',
    schema: { type: 'string', example: '"17"' },
  },
} as const;

const REQUEST_ID: Headers = { 'X-Request-Id': headerReference('RequestId') };

/** Headers of refusals, by status. */
const OF_REFUSALS: Readonly<Record<number, Headers>> = {
  401: { 'WWW-Authenticate': headerReference('Authenticate') },
  409: { ETag: headerReference('ETag'), 'Retry-After': headerReference('RetryAfter') },
  412: { ETag: headerReference('ETag') },
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
        return [[method, { ...operation, responses: responsesOf(operation, refusals) }] as const];
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
    ...(method === 'get' ? [] : [413, 415, 422]),
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

function responsesOf({ responses, parameters = [] }: Operation, refusals: ReadonlySet<number>): Responses {
  const isTagged = '304' in responses || takes(parameters, 'If-Match');
  const headers = isTagged ? { ...REQUEST_ID, ETag: headerReference('ETag') } : REQUEST_ID;
  const own = Object.entries(responses).flatMap(([status, response]) =>
    response === undefined || refusals.has(Number(status))
      ? []
      : [[status, withHeaders(response, status === '201' ? { ...headers, Location: headerReference('Location') } : headers)] as const],
  );
  const general = [...refusals].map((status) => [String(status), { $ref: `#/components/responses/${componentOf(status)}` }] as const);
  return Object.fromEntries([...own, ...general]);
}

function withHeaders(response: NonNullable<Response>, headers: Headers): NonNullable<Response> {
  return '$ref' in response ? response : { ...response, headers: { ...headers, ...response.headers } };
}

function refusal(status: number): object {
  return {
    description: titleOf(status),
    headers: { ...REQUEST_ID, ...OF_REFUSALS[status] },
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
