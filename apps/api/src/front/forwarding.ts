import {
  request as requestOf,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { networkOf } from '@systole/access';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { secretOf } from '../access/authentication.js';
import { isDuty } from '../access/request-rates.js';
import { cutOff } from '../http/cut-off.js';
import { HttpProblem } from '../http/problem.js';
import { isClosed, targetOf } from '../http/request-context.js';
import { headerOf, SHOWN_CERTIFICATE_HEADER, type ClientCertificates } from '../tls/client-certificates.js';
import type { HttpMetrics } from '../metrics/http-metrics.js';
import type { KeptAnswers } from './kept-answers.js';
import type { OperatorsAddress, OperatorsApi } from './operators-api.js';
import { OPERATORS_AWAY, OPERATORS_BUSY } from './operators-away.js';
import { isFull, type OwnedRequest } from './patient-agent.js';
import { RESTS_ON_HEADER } from './rests-on.js';

/**
 * What the front answers besides agents' duties: what else a node reports, which counts against the same budgets; whether the process lives, and what it
 * has counted.
 */
const OWN = /^\/(v1\/agent\/attributes|health\/(live|ready|ready\/operators)|metrics)$/;

/** Of one connection only (RFC 9110 §7.6.1), and what the front has answered itself. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade', 'expect'],
  SHOWN_CERTIFICATE_HEADER,
  RESTS_ON_HEADER,
]);

/** How long nothing may be heard of a request that was passed on, ms: longer than whatever an answer may wait for; event streams show that they live. */
const ANSWERS_WITHIN_MS = 15 * 60_000;

/**
 * Lets through to this thread what agents' leases depend on, and passes everything else on, piece by piece in both directions. What it does not know by its
 * exact path is passed on too: the operators' thread knows all routes, and has none of these (see agents-elsewhere.ts).
 */
export function forwarding(
  operators: Pick<OperatorsApi, 'available'>,
  certificates: ClientCertificates,
  kept: Pick<KeptAnswers, 'keep'>,
  metrics: Pick<HttpMetrics, 'refused'>,
): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (isDuty(request.path) || OWN.test(request.path)) next();
    else void forward(operators, certificates, kept, metrics, request, response);
  };
}

async function forward(
  operators: Pick<OperatorsApi, 'available'>,
  certificates: ClientCertificates,
  kept: Pick<KeptAnswers, 'keep'>,
  metrics: Pick<HttpMetrics, 'refused'>,
  request: Request,
  response: Response,
): Promise<void> {
  const address = await operators.available();
  if (address === undefined) {
    metrics.refused(OPERATORS_AWAY.code);
    refuse(request, response, OPERATORS_AWAY);
    return;
  }
  if (isClosed(response)) return;
  let upstream: ClientRequest;
  try {
    upstream = passedOn(address, certificates, request);
  } catch (error) {
    const detail = `the request can't be passed on: ${error instanceof Error ? error.message : String(error)}`;
    refuse(request, response, new HttpProblem(400, 'malformed-request', detail));
    return;
  }
  upstream.once('response', (answer) => {
    const last = answer.headers.connection === 'close' ? { connection: 'close' } : {};
    response.writeHead(answer.statusCode ?? 500, answer.statusMessage, { ...endToEnd(answer.headers), ...last });
    kept.keep(request, answer);
    // So that an event stream begins at once; what has a length comes in one piece with its headers.
    if (answer.headers['content-length'] === undefined) response.flushHeaders();
    answer.on('error', () => undefined).pipe(response);
    // Cut off there is cut off here: half an answer must not look like a whole one.
    answer.once('close', () => {
      if (!answer.complete) cutOff(response);
    });
  });
  upstream.on('error', (error) => {
    if (response.headersSent) {
      cutOff(response);
      return;
    }
    const problem = isFull(error) ? OPERATORS_BUSY : OPERATORS_AWAY;
    if (!isClosed(response)) metrics.refused(problem.code);
    refuse(request, response, problem);
  });
  response.once('close', () => {
    // Whoever has gone, or was refused before all was sent: nobody needs the rest.
    request.unpipe(upstream);
    request.resume();
    if (!response.writableFinished || !request.complete) upstream.destroy();
  });
  request.pipe(upstream);
}

/** Has a request without a body answered once more in the operators' thread, for nobody but those who will ask the same; what can't be had is done without. */
export function renewing(
  operators: Pick<OperatorsApi, 'available'>,
  certificates: ClientCertificates,
  kept: Pick<KeptAnswers, 'keep' | 'forget'>,
) {
  return async (request: IncomingMessage): Promise<void> => {
    const address = await operators.available();
    if (address === undefined) return;
    await new Promise<void>((resolve) => {
      const upstream = passedOn(address, certificates, request);
      upstream.once('response', (answer) => {
        if (answer.statusCode === 200 || answer.statusCode === 304) kept.keep(request, answer);
        else kept.forget(request);
        answer.on('error', () => undefined).resume();
      });
      upstream.on('error', () => undefined);
      upstream.once('close', resolve);
      upstream.end();
    });
  };
}

/** A request to the operators' thread, without its body. @throws {TypeError} for what Node does not let be said */
function passedOn({ socketPath, agent }: OperatorsAddress, certificates: ClientCertificates, request: IncomingMessage): ClientRequest {
  const options: OwnedRequest = {
    socketPath,
    agent,
    method: request.method,
    path: targetOf(request),
    headers: headersOf(request, certificates),
    owner: secretOf(request) ?? networkOf(request.socket.remoteAddress ?? ''),
  };
  const upstream = requestOf(options);
  upstream.setTimeout(ANSWERS_WITHIN_MS, () => upstream.destroy());
  return upstream;
}

/** The client's address is added where the operators' thread looks for it, and what it has shown of itself. */
function headersOf(request: IncomingMessage, certificates: ClientCertificates): OutgoingHttpHeaders {
  const shown = certificates.shownBy(request);
  const before = request.headers['x-forwarded-for'];
  const address = request.socket.remoteAddress ?? '';
  const told = shown === undefined ? {} : { [SHOWN_CERTIFICATE_HEADER]: headerOf(shown) };
  return { ...endToEnd(request.headers), ...told, 'x-forwarded-for': before === undefined ? address : `${String(before)}, ${address}` };
}

function endToEnd(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
}

function refuse(request: Request, response: Response, problem: HttpProblem): void {
  if (isClosed(response)) return;
  response
    .writeHead(problem.status, { ...problem.headers, 'content-type': 'application/problem+json', 'cache-control': 'no-store' })
    .end(JSON.stringify(problem.document(request.path)));
  request.resume();
}
