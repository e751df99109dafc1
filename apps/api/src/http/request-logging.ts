import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { pinoHttp, type HttpLogger } from 'pino-http';

/** An id that a client or proxy may give its request. */
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;
/** Asked so often that they would drown the rest. */
const QUIET = /^\/(v1\/agent\/poll|health\/|metrics)/;

/** Logs every request once it is answered, under an id that the answer carries and that all events it causes have as correlation id. */
export function requestLogging(logger: Logger): HttpLogger {
  return pinoHttp({
    logger,
    genReqId: (request: IncomingMessage, response: ServerResponse) => {
      const given = request.headers['x-request-id'];
      const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
      response.setHeader('x-request-id', id);
      return id;
    },
    customLogLevel: (request, response, error) => {
      if (error !== undefined || response.statusCode >= 500) return 'error';
      return QUIET.test(request.url ?? '') ? 'trace' : response.statusCode >= 400 ? 'info' : 'debug';
    },
    // The headers hold tokens.
    serializers: {
      req: (request: { readonly id: unknown; readonly method: string; readonly url: string }) => ({
        id: request.id,
        method: request.method,
        url: request.url,
      }),
      res: (response: { readonly statusCode: number }) => ({ statusCode: response.statusCode }),
    },
  });
}
