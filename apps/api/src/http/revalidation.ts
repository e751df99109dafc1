import { applyDecorators } from '@nestjs/common';
import type { ExpressAdapter } from '@nestjs/platform-express';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import { versionText, type EpochVersion } from '@systole/cluster';
import type { Request, Response } from 'express';
import { ApiProblems } from '../openapi/responses.js';
import { etagOf, expectedVersions, knownTag, type Form, type Making } from './etag.js';
import { HttpProblem } from './problem.js';

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
 * Says of what version an answer is: the `ETag` for `If-Match`, which a read may come with, too (RFC 9110 §13.1.1).
 * A tag of another form of that version will do for it.
 *
 * @param form of the answer
 * @param making of an answer that may be another one at the same version
 * @throws {HttpProblem} 412 where a read asks for another version
 */
export function tagBy(response: Response, version: EpochVersion, form: Form = 'json', making?: Making): void {
  const tag = etagOf(version, form, making);
  const expected = isRead(response.req) ? expectedVersions(response.req.get('if-match')) : undefined;
  if (expected?.some((one) => etagOf(one) === etagOf(version)) === false) {
    const detail = `this is version ${versionText(version)}, not ${expected.map(versionText).join(', ')}`;
    throw new HttpProblem(412, 'version-mismatch', `${detail}: ask without If-Match for what is there`, { headers: { etag: tag } });
  }
  response.set('etag', tag);
}

/**
 * Says of what version an answer is, all of which follows from that version and the request's address: who has it already is told so (RFC 9110 §13.1.2).
 *
 * @param form of the answer: who has another one is sent this one
 * @returns whether who asks has it: what is sent then need not be made
 * @throws {HttpProblem} 412 as {@link tagBy}
 */
export function answerBy(response: Response, version: EpochVersion, form: Form = 'json'): boolean {
  // A 304 names it like the answer that it stands for, though there is nothing to compress in it (RFC 9110 §15.4.5).
  tagBy(response.vary('Accept-Encoding'), version, form);
  const { req } = response;
  const known = isRead(req)
    ? knownTag(version, form, req.get('if-none-match'), (coding) => req.acceptsEncodings(coding) !== false)
    : undefined;
  response.notModified = known !== undefined;
  if (known !== undefined) response.set('etag', known);
  return response.notModified;
}

/** In which of its forms who asks takes something; undefined for none. */
export function acceptedForm(request: Request): Form | undefined {
  const accepted = request.accepts(['application/json', 'application/xml', 'text/xml']);
  if (accepted === false) return undefined;
  return accepted === 'application/json' ? 'json' : 'xml';
}

function isRead({ method }: Pick<Request, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Of reads that use {@link tagBy}. */
export function ApiTagged(): MethodDecorator {
  return applyDecorators(
    ApiHeader({ name: 'If-Match', required: false, description: 'ETag that the answer must have: 412 where it would have another one.' }),
    ApiProblems(412),
  );
}

/** Of reads that use {@link answerBy}. */
export function ApiRevalidated(): MethodDecorator {
  return applyDecorators(
    ApiTagged(),
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'ETag of an earlier answer to the same request: 304 while nothing has changed since.',
    }),
    ApiResponse({ status: 304, description: 'Nothing has changed since the ETag that was given.' }),
  );
}
