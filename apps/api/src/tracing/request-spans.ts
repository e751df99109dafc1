import { BEGINNING } from '@systole/control-plane';
import { callersTrace, correlationWithin, type Traces } from '@systole/tracing';
import type { RequestHandler } from 'express';
import { correlationId, whenClosed } from '../http/request-context.js';
import { REQUEST_ID_HEADER } from '../http/request-logging.js';
import { routeOf } from '../metrics/http-metrics.js';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Traces what operators ask for: what may change something, and of reads those that are a part of a trace which their caller keeps. To be asked once it is known who asks.
 *
 * The request's id is given the caller's trace: it is the correlation id of what follows from it, so that all who go on with that know the trace.
 */
export function requestSpans(traces: Pick<Traces, 'wants' | 'endedFor'>): RequestHandler {
  return (request, response, next) => {
    const caller = callersTrace(request.header('traceparent'));
    const mayChange = !READS.has(request.method);
    if (request.principal?.kind !== 'operator' || !(mayChange || caller?.sampled === true)) {
      next();
      return;
    }
    if (caller !== undefined) {
      request.id = correlationWithin(correlationId(request), caller);
      response.setHeader(REQUEST_ID_HEADER, request.id);
    }
    const id = correlationId(request);
    if (traces.wants(id)) {
      const startedAt = Date.now();
      const begun = performance.now();
      whenClosed(response, () => {
        const route = routeOf(request);
        const { statusCode } = response;
        const span = { correlationId: id, key: BEGINNING, name: `${request.method} ${route}`, failed: statusCode >= 500 };
        const attributes = { 'http.request.method': request.method, 'http.route': route, 'http.response.status_code': statusCode };
        traces.endedFor({ ...span, startedAt, endedAt: startedAt + performance.now() - begun, attributes }, caller);
      });
    }
    next();
  };
}
