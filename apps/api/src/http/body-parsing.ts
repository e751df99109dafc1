import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { Observable } from 'rxjs';
import { HttpProblem } from './problem.js';

/** Largest CIB, bytes. */
export const CIB_LIMIT = 64 * 1024 * 1024;
/** Largest other body, bytes. */
export const BODY_LIMIT = 1024 * 1024;
/** A compressed body may inflate to so many times its size, or to what any body may have; real configurations stay well below. */
export const INFLATION_LIMIT = 64;

const JSON_TYPES = ['application/json'];
const XML_TYPES = ['application/xml', 'text/xml'];

/** Where a CIB may be sent. */
const TAKES_CIB = /^\/v1\/(clusters\/[^/]+\/cib|simulate)\/?$/;

/**
 * Reads bodies: JSON everywhere, XML (as text) where a CIB may be sent. Anything else is refused with 415, what is too large with 413. It comes after the
 * guards: who may not do something is told so before anything of the body is read, inflated or parsed.
 */
@Injectable()
export class BodyParsing implements NestInterceptor<unknown, unknown> {
  async intercept(context: ExecutionContext, next: CallHandler<unknown>): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (hasBody(request)) await parsed(parserFor(request), request, http.getResponse<Response>());
    return next.handle();
  }
}

/** @throws {HttpProblem} 415 */
function parserFor(request: Request): RequestHandler {
  const takesCib = TAKES_CIB.test(request.path);
  const limit = inflatedLimit(request, takesCib ? CIB_LIMIT : BODY_LIMIT);
  if (request.is(JSON_TYPES) !== false) return express.json({ limit, type: JSON_TYPES, strict: false });
  if (takesCib && request.is(XML_TYPES) !== false) return express.text({ limit, type: XML_TYPES, defaultCharset: 'utf-8' });
  const taken = takesCib ? [...JSON_TYPES, ...XML_TYPES] : JSON_TYPES;
  const given = request.headers['content-type'] ?? 'a body without a Content-Type';
  throw new HttpProblem(415, 'unsupported-media-type', `${given} is not taken here: send ${taken.join(' or ')}`, {
    headers: { accept: taken.join(', ') },
  });
}

/** Of a compressed body whose size is not known in advance (chunked), nothing can be said but the least limit. */
function inflatedLimit(request: Request, limit: number): number {
  if ((request.headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity') return limit;
  const sent = Number(request.headers['content-length'] ?? '0');
  return Math.min(limit, Math.max(BODY_LIMIT, sent * INFLATION_LIMIT));
}

function parsed(parser: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    const next: NextFunction = (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(error instanceof Error ? error : new Error('the body could not be read', { cause: error }));
    };
    void parser(request, response, next);
  });
}

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? '0') > 0;
}
