import { RequestMethod, type INestApplication } from '@nestjs/common';
import { INTERCEPTORS_METADATA } from '@nestjs/common/constants.js';
import { NestFactory } from '@nestjs/core';
import { permissionFor } from '@systole/access';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiModule } from '../api.module.js';
import { IdempotencyInterceptor } from '../idempotency/idempotency.interceptor.js';
import { documentOf } from '../openapi/document.js';
import { operationIdOf } from '../openapi/operation-id.js';
import { registeredRoutes } from '../testing/registered-routes.js';
import { writingOf } from './write.js';

/** A route by which operators may change something, by its verb. */
interface OperatorRoute {
  readonly operationId: string;
  readonly handler: object;
}

type Json = Readonly<Record<string, unknown>>;

/** Whoever only computes is named here as well as at its route, so that nobody gets out of what all writes have without being seen. */
const WRITE_NOTHING = ['simulate', 'tryLosses', 'whatIf'];

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function routesIn(app: INestApplication): readonly OperatorRoute[] {
  return registeredRoutes(app).flatMap(({ controller, name, handler, verb }) => {
    if (verb === RequestMethod.GET) return [];
    const operationId = operationIdOf(handler) ?? `${controller}.${name}`;
    return permissionFor(operationId).who === 'agent' ? [] : [{ operationId, handler }];
  });
}

/** All names of fields and parameters that an operation of the document takes, by where they stand. */
function takenBy(operation: Json, schemas: Json): { readonly headers: readonly string[]; readonly fields: readonly string[] } {
  const parameters = (operation['parameters'] ?? []) as readonly { readonly name: string; readonly in: string }[];
  const named = (place: string): readonly string[] => parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
  return { headers: named('header'), fields: [...named('query'), ...fieldsIn(operation['requestBody'], schemas)] };
}

function fieldsIn(part: unknown, schemas: Json): readonly string[] {
  if (!isObject(part)) return [];
  const fields = new Map<string, unknown>(Object.entries(part));
  const reference = fields.get('$ref');
  if (typeof reference === 'string') return fieldsIn(schemas[reference.replace('#/components/schemas/', '')], schemas);
  const properties = fields.get('properties');
  if (isObject(properties)) return Object.keys(properties);
  return [...fields.values()].flatMap((inner) => fieldsIn(inner, schemas));
}

describe('every route by which operators may write', () => {
  let app: INestApplication;
  let routes: readonly OperatorRoute[];

  beforeAll(async () => {
    app = await NestFactory.create(ApiModule.withoutServices(), { preview: true, abortOnError: false, logger: false });
    routes = routesIn(app);
  });
  afterAll(() => app.close());

  it('bears @Write(), or says by @WritesNothing() why it is none', () => {
    expect(routes.length).toBeGreaterThan(60);
    expect(routes.filter(({ handler }) => writingOf(handler) === undefined).map(({ operationId }) => operationId)).toEqual([]);
    const exceptions = routes.filter(({ handler }) => 'nothing' in (writingOf(handler) ?? {}));
    expect(exceptions.map(({ operationId }) => operationId).sort()).toEqual(WRITE_NOTHING);
  });

  it('takes an Idempotency-Key, a dry run and a reason', () => {
    const { paths, components } = documentOf(app);
    const operations = Object.values(paths).flatMap((item) => Object.values(item) as readonly Json[]);
    const writes = routes.filter(({ handler }) => 'restsOn' in (writingOf(handler) ?? {}));
    const lacking = writes.flatMap(({ operationId }) => {
      const operation = operations.find((described) => described['operationId'] === operationId) ?? {};
      const { headers, fields } = takenBy(operation, components?.schemas ?? {});
      const missing = [
        ...['Idempotency-Key', 'Idempotency-Replay-Only'].filter((name) => !headers.includes(name)),
        ...['dryRun', 'reason'].filter((name) => !fields.includes(name)),
      ];
      return missing.length === 0 ? [] : [`${operationId}: ${missing.join(', ')}`];
    });
    expect(lacking).toEqual([]);
  });

  it('of the configuration rests on the version of that', () => {
    const { paths } = documentOf(app);
    const ofConfiguration = Object.entries(paths).flatMap(([path, item]) =>
      /^\/v1\/clusters\/\{cluster\}\/(?:configuration|cib|restore)\b/.test(path)
        ? (Object.values(item) as readonly Json[]).map(({ operationId }) => operationId)
        : [],
    );
    const others = routes.filter(({ operationId, handler }) => {
      const writing = writingOf(handler) ?? {};
      return (
        ofConfiguration.includes(operationId) && !('nothing' in writing) && !('restsOn' in writing && writing.restsOn === 'configuration')
      );
    });
    expect(ofConfiguration.length).toBeGreaterThan(15);
    expect(others.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('answers an earlier request with the same Idempotency-Key before it asks for If-Match', () => {
    const writes = routes.filter(({ handler }) => 'restsOn' in (writingOf(handler) ?? {}));
    const first = writes.map(({ handler }) => (Reflect.getMetadata(INTERCEPTORS_METADATA, handler) as readonly unknown[])[0]);
    expect(new Set(first)).toEqual(new Set([IdempotencyInterceptor]));
  });
});
