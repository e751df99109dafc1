import { applyDecorators } from '@nestjs/common';
import type { ExpressAdapter } from '@nestjs/platform-express';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import type { EpochVersion } from '@systole/cluster';
import type { Request, Response } from 'express';
import { etagOf, isKnown } from './etag.js';

/**
 * Has 304 answered by what {@link answerBy} says, and by nothing else. Express would answer it wherever there is an ETag, also where the tag is for `If-Match` and the answer may be another one at the same version (a status
 * goes by the time, too); and to nobody who sends `Cache-Control: no-cache`, as `fetch` does with every `If-None-Match`: it asks caches on the way not to answer, and this is the origin.
 */
export function revalidateByTag(express: ExpressAdapter): void {
  const { request } = express.getInstance<{ readonly request: object }>();
  Object.defineProperty(request, 'fresh', {
    configurable: true,
    get(this: Request): boolean {
      const { res } = this;
      return res?.notModified === true && res.statusCode === 200;
    },
  });
}

/**
 * Says of what version an answer is, all of which follows from that version and the request's address: who has it already is told so (RFC 9110 §13.1.2).
 *
 * @returns whether who asks has it: what is sent then need not be made
 */
export function answerBy(response: Response, version: EpochVersion): boolean {
  response.set('etag', etagOf(version));
  const { method } = response.req;
  response.notModified = (method === 'GET' || method === 'HEAD') && isKnown(version, response.req.get('if-none-match'));
  return response.notModified;
}

/** Of reads that use {@link answerBy}. */
export function ApiRevalidated(): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'ETag of an earlier answer to the same request: 304 while nothing has changed since.',
    }),
    ApiResponse({ status: 304, description: 'Nothing has changed since the ETag that was given.' }),
  );
}
