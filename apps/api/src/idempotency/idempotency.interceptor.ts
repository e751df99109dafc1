import { createHash, createHmac } from 'node:crypto';
import {
  applyDecorators,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { IdempotencyKeys, type KeyClaim, type SeenKey, type StoredAnswer } from '@systole/access';
import { ClusterCatalog } from '@systole/read-models';
import type { Request, Response } from 'express';
import { catchError, concatMap, from, of, throwError, type Observable } from 'rxjs';
import { problemOf } from '../http/problem-of.js';
import { HttpProblem } from '../http/problem.js';

const KEY = /^[\x21-\x7e]{1,255}$/;
/** Whoever sends it asks only what became of an earlier request. */
const REPLAY_ONLY = 'Idempotency-Replay-Only';
/** Headers that belong to the answer. */
const KEPT_HEADERS = ['etag', 'location'];

/**
 * `Idempotency-Key` on writes: a request that is sent again with the same key gets the first one's answer and is not done again. Only answers that
 * changed something are kept; after a refusal the same key may be used again. Secrets (member `secret`) are never stored, so a repeated
 * request does not show them a second time.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor<unknown, unknown> {
  constructor(
    private readonly keys: IdempotencyKeys,
    private readonly catalog: ClusterCatalog,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler<unknown>): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const key = request.header('idempotency-key');
    const tokenId = request.principal?.tokenId;
    const replayOnly = isReplayOnly(request);
    if (key === undefined || tokenId === undefined) {
      if (replayOnly) throw malformed(REPLAY_ONLY, 'asks about a request by its Idempotency-Key, and there is none: nothing was done');
      return next.handle();
    }
    if (!KEY.test(key)) throw malformed('Idempotency-Key', 'must have 1 to 255 printable characters without spaces');
    const asked = [tokenId, key, fingerprint(request), await this.#clusterOf(request)] as const;
    const found = replayOnly ? await this.keys.look(...asked) : await this.keys.begin(...asked);
    switch (found.state) {
      case 'none':
      case 'unknown':
        throw unanswered(found);
      case 'begun':
        if (found.repeated) request.repeated = true;
        return next.handle().pipe(
          concatMap((body) => from(keepAnswer(found.claim, body, request, response))),
          catchError((error: unknown) =>
            from(letGo(found.claim, error, request).catch(() => undefined)).pipe(concatMap(() => throwError(() => error))),
          ),
        );
      case 'mismatch':
        throw new HttpProblem(422, 'idempotency-key-reused', 'the Idempotency-Key was used for another request: use a new key for each');
      case 'other-cluster': {
        const detail =
          'the Idempotency-Key was used for a cluster that is deleted, and the cluster of that name is another one now: use a new key for each request';
        throw new HttpProblem(422, 'idempotency-key-reused', detail);
      }
      case 'running':
        throw new HttpProblem(409, 'request-running', 'the request with this Idempotency-Key is being worked on: ask again in a moment', {
          headers: { 'retry-after': '1' },
        });
      case 'done':
        return of(again(found.answer, response));
    }
  }

  /** Names are given again: a key is of the cluster that had the name. Undefined for what is about none, and for one that is deleted. */
  async #clusterOf({ params }: Request): Promise<string | undefined> {
    const named: unknown = params['cluster'];
    return typeof named === 'string' && named.length <= 255 ? (await this.catalog.find(named))?.id : undefined;
  }
}

/**
 * Whether only an answer is asked for. Whoever means that must not have a write carried out because he spelled it in another way.
 *
 * @throws {HttpProblem} 400 for anything but `true`
 */
function isReplayOnly(request: Request): boolean {
  const value = request.header(REPLAY_ONLY);
  if (value === undefined) return false;
  if (value !== 'true') throw malformed(REPLAY_ONLY, 'must be true, or left out: nothing was done');
  return true;
}

/** Why there is no answer to give again. Only the request itself looks for what an earlier attempt has done, for it does what it does not find. */
function unanswered({ state }: Extract<SeenKey, { readonly state: 'none' | 'unknown' }>): HttpProblem {
  if (state === 'none') {
    const detail = 'no request with this Idempotency-Key was done: none has come, or it was refused, or that is more than 24 hours ago';
    return new HttpProblem(404, 'request-not-found', detail);
  }
  const detail = `the request with this Idempotency-Key ended without saying how, and may have been done: sent again without ${REPLAY_ONLY} it is looked for, and done only where it was not`;
  return new HttpProblem(409, 'request-outcome-unknown', detail);
}

function malformed(header: string, detail: string): HttpProblem {
  return new HttpProblem(400, 'malformed-header', `${header} ${detail}`, { errors: [{ header, detail }] });
}

async function keepAnswer(claim: KeyClaim, body: unknown, request: Request, response: Response): Promise<unknown> {
  try {
    await claim.finish({ status: response.statusCode, headers: headersOf(response), body: withoutSecret(body) });
  } catch (error) {
    request.log.warn({ err: error }, 'the answer to a request with an Idempotency-Key could not be kept');
  }
  return body;
}

/**
 * What was refused changed nothing: the key may be used again. Of what broke nobody knows: the next attempt looks for it. So it does after one that was refused before it was looked for what an earlier
 * one has done, and after one that failed when it had written.
 */
async function letGo(claim: KeyClaim, error: unknown, { repeated, written }: Pick<Request, 'repeated' | 'written'>): Promise<void> {
  const problem = problemOf(error);
  const isKnown = repeated !== true && written !== true && problem !== undefined && problem.extensions['outcome'] === undefined;
  await (isKnown ? claim.release() : claim.abandon());
}

/** Lets the write be repeated safely. */
export function ApiIdempotencyKey(): MethodDecorator {
  return applyDecorators(
    UseInterceptors(IdempotencyInterceptor),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew.',
      schema: { type: 'string', maxLength: 255 },
    }),
    ApiHeader({
      name: 'Idempotency-Replay-Only',
      required: false,
      description:
        '`true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400.',
      schema: { type: 'string', enum: ['true'] },
    }),
  );
}

/** How a command is told of the request that asks for it; undefined without an Idempotency-Key. */
export function attemptOf(request: Request): { readonly id: string; readonly repeated: boolean } | undefined {
  const id = requestId(request);
  return id === undefined ? undefined : { id, repeated: request.repeated === true };
}

/** An id that follows from a request with an Idempotency-Key: the same for each of its attempts, another for every other request and token. */
export function requestId(request: Request): string | undefined {
  const key = request.header('idempotency-key');
  const tokenId = request.principal?.tokenId;
  if (key === undefined || tokenId === undefined) return undefined;
  const hex = createHash('sha256').update(`${tokenId}\n${key}\n`, 'utf8').update(fingerprint(request)).digest('hex');
  // A UUID of version 8: its bits are the caller's own.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Ids of events follow from it: with a key, so that nobody finds out by it what a password was. */
function fingerprint(request: Request): Buffer {
  const body: unknown = request.body;
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? null);
  const { digestKey } = request;
  const digest = digestKey === undefined ? createHash('sha256') : createHmac('sha256', digestKey);
  return digest.update(`${request.method}\n${request.originalUrl}\n${text}`, 'utf8').digest();
}

function headersOf(response: Response): Readonly<Record<string, string>> {
  return Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = response.getHeader(name);
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

/** Empty for an answer without a body. */
function withoutSecret(body: unknown): string {
  return body === undefined ? '' : JSON.stringify(body, (name, value: unknown) => (name === 'secret' ? undefined : value));
}

function again(answer: StoredAnswer, response: Response): unknown {
  response.status(answer.status).set({ ...answer.headers, 'idempotency-replayed': 'true' });
  return answer.body === '' ? undefined : (JSON.parse(answer.body) as unknown);
}
