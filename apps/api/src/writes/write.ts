import { applyDecorators, HttpCode, SetMetadata, UseInterceptors, type Type } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, type ApiBodyOptions, type ApiResponseSchemaHost } from '@nestjs/swagger';
import { ApiIdempotencyKey } from '../idempotency/idempotency.interceptor.js';
import { ApiConfigurationMatch, ApiIfMatch } from '../openapi/headers.js';
import { ApiProblems } from '../openapi/responses.js';
import { ConfigurationMatch } from './configuration-match.js';
import { WriteResultDto } from './write.dto.js';

/**
 * What a write rests on. `cluster`: on any version of its cluster, unless `If-Match` names one. `configuration`: on the one that `If-Match` has to name, or `*`.
 * `none`: on nothing that has an ETag.
 */
export type RestsOn = 'cluster' | 'configuration' | 'none';

/** What a write was answered with. */
interface Answer {
  /** Default: 200. */
  readonly status?: 200 | 201 | 202 | 204;
  /** Nothing for 204. */
  readonly type?: Type<unknown>;
  /** Of more than one type. */
  readonly schema?: ApiResponseSchemaHost['schema'];
}

/** What a write is called, and what of it is not as with all others. */
export interface WriteRoute {
  /** Names it in the table of permissions, which says who may do it. */
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** Default: `cluster`. */
  readonly restsOn?: RestsOn;
  /** Where the handler's parameters do not say it. */
  readonly body?: ApiBodyOptions;
  /** Default: 200 with what was changed. */
  readonly answer?: Answer;
  /** What a dry run is answered with, by 200; as `answer` when left out. */
  readonly dryRun?: Type<unknown>;
  /** Statuses of refusals that the document does not give to every write of its kind (see general-answers.ts). */
  readonly refusals?: readonly number[];
}

const WRITE = 'systole/write';
const WRITES_NOTHING = 'systole/writes-nothing';

/**
 * What every route has by which operators write: who may do it, `Idempotency-Key`, what it rests on, its status, and what the document says of all that. The
 * verb and the path are Nest's (`@Post('…')`); the handler takes `dryRun` and a reason, and gives what `@Asking()` gives it to whoever does the write.
 */
export function Write({ operationId, summary, description, ...route }: WriteRoute): MethodDecorator {
  const { restsOn = 'cluster', body, answer = { type: WriteResultDto }, dryRun, refusals = [] } = route;
  const { status = 200, ...content } = answer;
  return applyDecorators(
    SetMetadata(WRITE, restsOn),
    HttpCode(status),
    ApiOperation({ operationId, summary, description }),
    ...conditionsOf(restsOn),
    ...(body === undefined ? [] : [ApiBody(body)]),
    ApiResponse({ status, ...content }),
    ...(dryRun === undefined ? [] : [ApiResponse({ status: 200, type: dryRun, description: 'Of a dry run.' })]),
    ApiProblems(...refusals, ...(restsOn === 'configuration' ? [428] : [])),
  );
}

/** Says of a route that looks like a write why it is none. */
export function WritesNothing(why: string): MethodDecorator {
  return SetMetadata(WRITES_NOTHING, why);
}

/** What a route says of itself by {@link Write} or {@link WritesNothing}; undefined for one that says neither. */
export function writingOf(handler: object): { readonly restsOn: RestsOn } | { readonly nothing: string } | undefined {
  const restsOn = Reflect.getMetadata(WRITE, handler) as RestsOn | undefined;
  if (restsOn !== undefined) return { restsOn };
  const nothing = Reflect.getMetadata(WRITES_NOTHING, handler) as string | undefined;
  return nothing === undefined ? undefined : { nothing };
}

/** The key goes before the condition: an answer that was kept is given again whatever else the request says. */
function conditionsOf(restsOn: RestsOn): readonly MethodDecorator[] {
  switch (restsOn) {
    case 'cluster':
      return [ApiIdempotencyKey(), ApiIfMatch()];
    case 'configuration':
      return [ApiConfigurationMatch(), ApiIdempotencyKey(), UseInterceptors(ConfigurationMatch)];
    case 'none':
      return [ApiIdempotencyKey()];
  }
}
