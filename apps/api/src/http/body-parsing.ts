import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { HttpProblem } from './problem.js';

/** Largest CIB, bytes. */
export const CIB_LIMIT = 64 * 1024 * 1024;
/** Largest other body, bytes. */
export const BODY_LIMIT = 1024 * 1024;

const JSON_TYPES = ['application/json'];
const XML_TYPES = ['application/xml', 'text/xml'];

/** Where a CIB may be sent. */
const TAKES_CIB = /^\/v1\/(clusters\/[^/]+\/cib|simulate)\/?$/;

/** Reads bodies: JSON everywhere, XML (as text) where a CIB may be sent. Anything else is refused with 415, what is too large with 413. */
export function bodyParsing(): RequestHandler {
  const json = express.json({ limit: BODY_LIMIT, type: JSON_TYPES, strict: false });
  const cibJson = express.json({ limit: CIB_LIMIT, type: JSON_TYPES, strict: false });
  const cibXml = express.text({ limit: CIB_LIMIT, type: XML_TYPES, defaultCharset: 'utf-8' });
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!hasBody(request)) {
      next();
      return;
    }
    const takesCib = TAKES_CIB.test(request.path);
    if (request.is(JSON_TYPES) !== false) {
      (takesCib ? cibJson : json)(request, response, next);
    } else if (takesCib && request.is(XML_TYPES) !== false) {
      cibXml(request, response, next);
    } else {
      const taken = takesCib ? [...JSON_TYPES, ...XML_TYPES] : JSON_TYPES;
      const given = request.headers['content-type'] ?? 'a body without a Content-Type';
      next(
        new HttpProblem(415, 'unsupported-media-type', `${given} is not taken here: send ${taken.join(' or ')}`, {
          headers: { accept: taken.join(', ') },
        }),
      );
    }
  };
}

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? '0') > 0;
}
