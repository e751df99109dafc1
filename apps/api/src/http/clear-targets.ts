import { LIMITS } from '@systole/protocol';
import type { Request, RequestHandler } from 'express';
import { illFormedIn } from './percent-encoding.js';
import { HttpProblem, MORE_ERRORS, type ProblemIssue } from './problem.js';

/** No fragment, no back slash, nothing but printable ASCII (RFC 9112 §3.2, RFC 3986): readers differ about where the path ends in all else. */
const CLEAR = /^[!"$-[\]-~]*$/;
/** The reader of queries passes over what comes after so many, without a word. */
const MOST_PARAMETERS = 1_000;
/** How much of a name is repeated, characters. */
const SHOWN = 80;

/** Refuses requests whose target is no URI, or can't be decoded: what is routed, recorded and allowed has to be one path for everybody, and nothing of it another text than the one that was sent. */
export function clearTargets(): RequestHandler {
  return (request, _response, next) => {
    next(faultOf(request));
  };
}

function faultOf({ originalUrl }: Pick<Request, 'originalUrl'>): HttpProblem | undefined {
  if (!CLEAR.test(originalUrl)) {
    const detail =
      'the target of the request is no URI: it may have neither a fragment (#) nor a back slash, and other characters than those of ASCII as %XX';
    return new HttpProblem(400, 'malformed-request', detail);
  }
  const mark = originalUrl.indexOf('?');
  const path = mark === -1 ? originalUrl : originalUrl.slice(0, mark);
  return faultOfPath(path) ?? (mark === -1 ? undefined : faultOfQuery(originalUrl.slice(mark + 1)));
}

function faultOfPath(path: string): HttpProblem | undefined {
  const wrong = illFormedIn(path);
  if (wrong === undefined) return undefined;
  const detail = `the path can't be decoded: ${wrong.text} ${wrong.why} (after ${wrong.at} characters)`;
  return new HttpProblem(400, 'malformed-request', detail);
}

function faultOfQuery(query: string): HttpProblem | undefined {
  const parts = query.split('&');
  if (parts.length > MOST_PARAMETERS) {
    return new HttpProblem(
      400,
      'malformed-request',
      `the query has more than ${MOST_PARAMETERS} parameters: those after would not be read`,
    );
  }
  if (!query.includes('%')) return undefined;
  const errors = parts.flatMap(faultsOfParameter);
  const [first] = errors;
  if (first === undefined) return undefined;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return new HttpProblem(400, 'invalid-parameter', `${first.parameter ?? ''} ${first.detail}${more}`, {
    errors: errors.slice(0, LIMITS.faults),
    extensions: errors.length > LIMITS.faults ? MORE_ERRORS : {},
  });
}

function faultsOfParameter(part: string): readonly ProblemIssue[] {
  const equals = part.indexOf('=');
  const name = equals === -1 ? part : part.slice(0, equals);
  const ofName = illFormedIn(name);
  if (ofName !== undefined) {
    return [{ parameter: name.slice(0, SHOWN), detail: `has a name that can't be decoded: ${ofName.text} ${ofName.why}` }];
  }
  const wrong = illFormedIn(part.slice(name.length + 1));
  if (wrong === undefined) return [];
  const parameter = decodeURIComponent(name.replaceAll('+', ' ')).slice(0, SHOWN);
  return [{ parameter, detail: `has a value that can't be decoded: ${wrong.text} ${wrong.why} (after ${wrong.at} characters)` }];
}
