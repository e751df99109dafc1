import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import { RequestAudit } from '../audit/request-audit.js';
import { HttpMetrics } from '../metrics/http-metrics.js';
import { allowedMethods, isUnrouted, methodNotAllowed } from './allowed-methods.js';
import { patchTypesAt } from './patch-types.js';
import { cutOff } from './cut-off.js';
import { HttpProblem } from './problem.js';
import { correlationId, wholePathOf } from './request-context.js';
import { problemOf } from './problem-of.js';
import { noteRefusal, refusalLevel } from './refusal-level.js';

/** The one place where errors become answers. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly metrics: HttpMetrics,
    private readonly audit: RequestAudit,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const allowed = isUnrouted(error) || isMistaken(error, request) ? allowedMethods(request) : [];
    if (request.method === 'OPTIONS' && allowed.length > 0) {
      if (allowed.includes('PATCH')) response.set('accept-patch', patchTypesAt(request.path).join(', '));
      response.status(204).set('allow', allowed.join(', ')).end();
      return;
    }
    answerProblem(allowed.length > 0 ? methodNotAllowed(request, allowed) : error, request, response, this.metrics, this.audit);
  }
}

/** Whether nothing was found for a request because it came to a route that takes anything there, while the one that its path names has other methods. */
function isMistaken(error: unknown, request: Request): boolean {
  return error instanceof HttpProblem && error.status === 404 && !allowedMethods(request).includes(request.method);
}

/** Headers that may be set already when it turns out that there is no such answer. */
const OF_WHAT_WAS_ASKED_FOR = ['etag', 'content-disposition'] as const;

/** Answers with what was thrown. What nobody foresaw is logged in full and told in general. */
export function answerProblem(
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
  metrics: Pick<HttpMetrics, 'refused'>,
  audit: Pick<RequestAudit, 'refused'>,
): void {
  const problem = problemOf(error) ?? unforeseen(request);
  if (problem.status === 429 || problem.status === 503) metrics.refused(problem.code);
  audit.refused(request, problem);
  logProblem(error, problem, request);
  if (response.headersSent) {
    cutOff(response);
    return;
  }
  for (const name of OF_WHAT_WAS_ASKED_FOR) response.removeHeader(name);
  const text = JSON.stringify(problem.document(instanceOf(request)));
  response.statusCode = problem.status;
  const headers = {
    ...problem.headers,
    'cache-control': 'no-store',
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
  };
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.end(text);
}

/** What broke, with all that is known of it; of what is no defect only that it was refused, so that nobody is woken by whoever asks for much, or hangs up. */
function logProblem(error: unknown, { status, code, message }: HttpProblem, request: IncomingMessage): void {
  const level = refusalLevel(code);
  if (level !== undefined) {
    noteRefusal(request);
    request.log[level]({ problem: code }, message);
  } else if (status >= 500) request.log.error({ err: error }, message);
}

function unforeseen(request: IncomingMessage): HttpProblem {
  return new HttpProblem(
    500,
    'internal',
    `something broke that should not have; the server's log tells more under ${correlationId(request)}`,
  );
}

/** The request's path, with its id as fragment: what to look for in logs. */
function instanceOf(request: IncomingMessage): string {
  return `${wholePathOf(request)}#${correlationId(request)}`;
}
