import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Request, type Response } from 'express';
import type { Observable } from 'rxjs';
import type { CibText } from '../computing/task.js';
import { BODY_LIMIT, CIB_LIMIT, INFLATION_LIMIT, tooLarge } from './body-limits.js';
import { BodiesInFlight } from './bodies-in-flight.js';
import { argumentOf } from './handler-arguments.js';
import { jsonValue } from './json-value.js';
import { LARGE_CHARS } from './large-bodies.js';
import { HttpProblem } from './problem.js';
import { patchTypesAt } from './patch-types.js';
import { readBody } from './read-body.js';
import { noteWhole } from './received-at.js';
import { pathOf } from './request-context.js';
import { requireDeclaredUtf8 } from './utf-8.js';
import { refuseFields } from './request-validation.pipe.js';

const JSON_TYPES = ['application/json'];
const XML_TYPES = ['application/xml', 'text/xml'];

/** Where a CIB is sent. */
const TAKES_CIB = /^\/v1\/(clusters\/[^/]+\/cib|simulate)$/;

/** Where an element of a configuration, or all of it, is sent as a whole: as JSON, or as XML, which stays text. */
const TAKES_ELEMENT = /^\/v1\/clusters\/[^/]+\/configuration(\/(?!batch$)[^/]+(\/[^/]+)?)?$/;

/**
 * Reads bodies: JSON everywhere; a CIB, as XML or JSON, and an element as XML stay text (`CibText`); a CIB is read in a thread of its own. Anything else is refused with 415, what is
 * too large with 413; and where a handler takes no body, one with anything in it with 422: who sends `dryRun` there must not have it done. It comes after the
 * guards: who may not do something is told so before anything of the body is read, inflated or parsed.
 */
@Injectable()
export class BodyParsing implements NestInterceptor<unknown, unknown> {
  constructor(private readonly inFlight: BodiesInFlight) {}

  async intercept(context: ExecutionContext, next: CallHandler<unknown>): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (hasBody(request)) {
      request.body = await readAs(isCibAt(request), request, http.getResponse<Response>(), this.inFlight);
      noteWhole(request);
      if (!isCibAt(request) && argumentOf(context, RouteParamtypes.BODY) === undefined) refuseFields(request.body);
    }
    return next.handle();
  }
}

/** The JSON that a request brings, within the limits of all bodies; undefined when it brings none. @throws {HttpProblem} */
export async function jsonBody(request: IncomingMessage, response: ServerResponse, inFlight: BodiesInFlight): Promise<unknown> {
  return hasBody(request) ? readAs(false, request, response, inFlight) : undefined;
}

/** @throws {HttpProblem} */
async function readAs(isCib: boolean, request: IncomingMessage, response: ServerResponse, inFlight: BodiesInFlight): Promise<unknown> {
  const format = formatOf(request, isCib || (request.method !== 'PATCH' && TAKES_ELEMENT.test(pathOf(request))));
  const limit = inflatedLimit(request, isCib ? CIB_LIMIT : BODY_LIMIT);
  const body = await readBody(request, { limit, tooLarge, count: inFlight.counter(request, response) });
  if (format === 'xml') requireDeclaredUtf8(body, request.headers['content-type']);
  const { text } = body;
  if (isCib || format === 'xml') return { format, text } satisfies CibText;
  if (text.length >= LARGE_CHARS) await inFlight.turn(request, response);
  return jsonValue(text);
}

function isCibAt(request: Request): boolean {
  return TAKES_CIB.test(request.path);
}

/** @throws {HttpProblem} 415 */
function formatOf(request: IncomingMessage, mayBeXml: boolean): CibText['format'] {
  const isPatch = request.method === 'PATCH';
  const jsonTypes = isPatch ? [...patchTypesAt(pathOf(request))] : JSON_TYPES;
  if (isOf(request, jsonTypes)) return 'json';
  if (mayBeXml && isOf(request, XML_TYPES)) return 'xml';
  const taken = mayBeXml ? [...jsonTypes, ...XML_TYPES] : jsonTypes;
  const given = request.headers['content-type'] ?? 'a body without a Content-Type';
  throw new HttpProblem(415, 'unsupported-media-type', `${given} is not taken here: send ${taken.join(' or ')}`, {
    headers: { accept: taken.join(', '), ...(isPatch ? { 'accept-patch': taken.join(', ') } : {}) },
  });
}

/** As Express finds it out, also for a request that it has not seen. */
function isOf(request: IncomingMessage, types: string[]): boolean {
  return types.includes(request.headers['content-type'] ?? '') || express.request.is.call(request as Request, types) !== false;
}

/** Of a compressed body whose size is not known in advance (chunked), nothing can be said but the least limit. */
function inflatedLimit(request: IncomingMessage, limit: number): number {
  if ((request.headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity') return limit;
  const sent = Number(request.headers['content-length'] ?? '0');
  return Math.min(limit, Math.max(BODY_LIMIT, sent * INFLATION_LIMIT));
}

/** A body of a GET means nothing, so nothing is done with it. */
function hasBody(request: IncomingMessage): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false;
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? '0') > 0;
}
