import type { RequestHandler } from 'express';
import { HttpProblem } from './problem.js';

/** No fragment, no back slash, nothing but printable ASCII (RFC 9112 §3.2, RFC 3986): readers differ about where the path ends in all else. */
const CLEAR = /^[!"$-[\]-~]*$/;

/** Refuses requests whose target is no URI: what is routed, recorded and allowed has to be one path for everybody. */
export function clearTargets(): RequestHandler {
  return (request, _response, next) => {
    if (CLEAR.test(request.originalUrl)) {
      next();
      return;
    }
    const detail =
      'the target of the request is no URI: it may have neither a fragment (#) nor a back slash, and other characters than those of ASCII as %XX';
    next(new HttpProblem(400, 'malformed-request', detail));
  };
}
