import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import { isRefusal } from './refusal-level.js';
import { concernOf } from './request-concern.js';
import { isClosed, whenClosed } from './request-context.js';

/** An id that a client or proxy may give its request. */
const CLIENT_ID = /^[\x21-\x7e]{1,128}$/;
/** Asked so often that they would drown the rest. */
const QUIET = /^\/(v1\/agent\/poll|health\/|metrics)/;

/** The headers hold tokens. */
const serializers = {
  req: (request: { readonly id: unknown; readonly method: string; readonly url: string; readonly headers?: object }) => {
    const given = request.headers !== undefined && 'x-request-id' in request.headers ? request.headers['x-request-id'] : undefined;
    return {
      id: request.id,
      ...(typeof given === 'string' && CLIENT_ID.test(given) ? { clientId: given } : {}),
      method: request.method,
      url: request.url,
    };
  },
  res: (response: { readonly statusCode: number }) => ({ statusCode: response.statusCode }),
};

/** Goes on at once. */
type Handler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/**
 * Logs every request once it is answered, under an id that the answer carries and that all events it causes have as correlation id, with whom and what it is about ({@link concernOf}).
 *
 * @param idOf the id of a cluster that was found lately, by its name
 * @param identify gives a request its id
 */
export function requestLogging(
  logger: Logger,
  idOf: (name: string) => string | undefined = () => undefined,
  identify: typeof identified = identified,
): Handler {
  const each = pinoHttp({
    logger,
    genReqId: identify,
    customLogLevel: (request, response, error) => {
      if (error !== undefined || isBroken(request, response.statusCode)) return 'error';
      return QUIET.test(request.url ?? '') ? 'trace' : response.statusCode >= 400 ? 'info' : 'debug';
    },
    // Where no error is known one is made, with a stack.
    customErrorObject: (request, _response, _error, told: Readonly<Record<string, unknown>>) =>
      isRefusal(request) ? Object.fromEntries(Object.entries(told).filter(([name]) => name !== 'err')) : told,
    // Asked at the beginning, too, when nobody knows who asks; what was said then would stand twice in the line.
    customProps: (request, response) => (isClosed(response) || response.writableEnded ? concernOf(request, idOf) : {}),
    serializers,
  });
  const log = loggerOfRequest(logger, idOf);
  const quiet = quietLogging(logger, log, identify);
  return (request, response, next) => {
    const level = QUIET.test(request.url ?? '') ? 'trace' : 'debug';
    if (!logger.isLevelEnabled(level)) {
      quiet(request, response, next);
      return;
    }
    each(request, response, () => {
      Object.defineProperty(request, 'log', log);
      next();
    });
  };
}

function isBroken(request: IncomingMessage, status: number): boolean {
  return status >= 500 && !isRefusal(request);
}

/** Where what goes well is not logged: a logger of the request's own, which costs more than many a poll, is made when somebody has something to say. */
function quietLogging(logger: Logger, log: PropertyDescriptor, identify: typeof identified): Handler {
  return (request, response, next) => {
    const begun = Date.now();
    request.id = identify(request, response);
    // The same accessor for all: requests stay of one shape.
    Object.defineProperty(request, 'log', log);
    const { url = '' } = request;
    whenClosed(response, () => {
      const { statusCode } = response;
      if (statusCode < 400) return;
      const told = { res: response, responseTime: Date.now() - begun };
      if (isBroken(request, statusCode)) request.log.error(told, 'request errored');
      else if (!QUIET.test(url) && logger.isLevelEnabled('info')) request.log.info(told, 'request completed');
    });
    next();
  };
}

/** The logger of a request, made when somebody has something to say: by then it is known whose request it is. */
function loggerOfRequest(logger: Logger, idOf: (name: string) => string | undefined): PropertyDescriptor {
  return {
    configurable: true,
    get(this: IncomingMessage): Logger {
      const value = logger.child({ req: this, ...concernOf(this, idOf) }, { serializers });
      Object.defineProperty(this, 'log', { value });
      return value;
    },
  };
}

/** A new id: what follows from a request is found by it, so that nobody else may choose it. */
export function newRequestId(): string {
  return randomUUID();
}

/** The id that a client or a proxy gave the request; undefined for none, or one that is no printable text. */
export function clientRequestId(request: IncomingMessage): string | undefined {
  const given = request.headers[REQUEST_ID_HEADER];
  return typeof given === 'string' && CLIENT_ID.test(given) ? given : undefined;
}

/** The header of an answer that says which request it is for. */
export const REQUEST_ID_HEADER = 'x-request-id';
/** The header of an answer that repeats the id which its client gave the request. */
const CLIENT_REQUEST_ID_HEADER = 'x-client-request-id';
/** Headers of an answer that tell which request it is for. */
export const REQUEST_IDS: readonly string[] = [REQUEST_ID_HEADER, CLIENT_REQUEST_ID_HEADER];

/** The headers by which an answer tells which request it is for: names and values in turn. @param id of the request */
export function requestIdHeaders(request: IncomingMessage, id: string): readonly string[] {
  const given = clientRequestId(request);
  return [REQUEST_ID_HEADER, id, ...(given === undefined ? [] : [CLIENT_REQUEST_ID_HEADER, given])];
}

function identified(request: IncomingMessage, response: ServerResponse): string {
  const id = newRequestId();
  response.setHeader(REQUEST_ID_HEADER, id);
  const given = clientRequestId(request);
  if (given !== undefined) response.setHeader(CLIENT_REQUEST_ID_HEADER, given);
  return id;
}
