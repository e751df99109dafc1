import type { IncomingMessage, ServerResponse } from 'node:http';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { RequestMethod } from '@nestjs/common';
import type { AgentPrincipal } from '@systole/access';
import { agentAsking } from '../access/access.guard.js';
import { admit, secretOf, type Doorkeeping } from '../access/authentication.js';
import { isDuty } from '../access/request-rates.js';
import type { RequestAudit } from '../audit/request-audit.js';
import type { BodiesInFlight } from '../http/bodies-in-flight.js';
import { jsonBody } from '../http/body-parsing.js';
import { answerProblem } from '../http/problem.filter.js';
import { correlationId, isClosed } from '../http/request-context.js';
import { REQUEST_ID_HEADER } from '../http/request-logging.js';
import type { HttpMetrics } from '../metrics/http-metrics.js';
import { bodyParserOf, parsedBody } from './agent-body.js';
import type { AgentController } from './agent.controller.js';
import type { NodeReportBudgets } from '../access/node-report-budgets.js';

export interface AgentDutiesParts {
  /** What every request goes through, in this order. Each goes on at once, and gives the answer no header. */
  readonly first: readonly ((request: IncomingMessage, response: ServerResponse, next: () => void) => void)[];
  /** Names and values of the headers that every answer has, besides its request's id. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly doorkeeping: Doorkeeping;
  readonly metrics: HttpMetrics;
  readonly audit: Pick<RequestAudit, 'refused'>;
  readonly controller: AgentController;
  readonly bodies: BodiesInFlight;
  readonly budgets: Pick<NodeReportBudgets, 'check'>;
}

/** What counts against the node's budget of results. */
const RESULTS = '/v1/agent/results';

type Handler = (body: object, agent: AgentPrincipal, request: IncomingMessage, response: ServerResponse) => Promise<object>;

/** A handler of the controller, with how its body is read. */
interface Duty {
  readonly path: string;
  readonly parse: NonNullable<ReturnType<typeof bodyParserOf>>;
  readonly handle: Handler;
}

/**
 * Serves what agents' leases depend on straight from their controller, before Express sees it: the same checks in the same order as on the way through the router, without its search among all
 * routes, without what Express and Nest put around a handler, which cost more than the poll itself. Whatever is not exactly one of these, parameters included, and whoever brings no token goes on
 * to the router, which answers it as everything.
 *
 * @returns serves a request, and says whether it does
 */
export function agentDuties({ first, headers, doorkeeping, metrics, audit, controller, bodies, budgets }: AgentDutiesParts) {
  const duties = dutiesOf(controller);
  const written = headers.flat();
  const serve = async (duty: Duty, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      await admit(doorkeeping, request, duty.path, response);
      if (isClosed(response)) return;
      const agent = agentAsking(request);
      bodies.announce(request);
      if (duty.path === RESULTS) budgets.check(agent, 'results');
      const body = parsedBody(duty.parse, await jsonBody(request, response, bodies));
      answer(response, await duty.handle(body, agent, request, response), [REQUEST_ID_HEADER, correlationId(request), ...written]);
    } catch (error) {
      if (!response.headersSent) {
        response.setHeader(REQUEST_ID_HEADER, correlationId(request));
        for (const [name, value] of headers) response.setHeader(name, value);
      }
      answerProblem(error, request, response, metrics, audit);
    }
  };
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const duty = request.method === 'POST' ? duties.get(request.url ?? '') : undefined;
    if (duty === undefined || secretOf(request) === undefined) return false;
    Object.assign(request, { route: duty });
    for (const handler of first) handler(request, response, nothing);
    void serve(duty, request, response);
    return true;
  };
}

/** By path, as the controller declares them. */
function dutiesOf(controller: AgentController): ReadonlyMap<string, Duty> {
  const prototype = Object.getPrototypeOf(controller) as object;
  const base = pathOf(controller.constructor);
  const duties = new Map<string, Duty>();
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const handler: unknown = Reflect.get(prototype, name);
    const parse = bodyParserOf(prototype, name);
    if (typeof handler !== 'function' || parse === undefined || Reflect.getMetadata(METHOD_METADATA, handler) !== RequestMethod.POST)
      continue;
    const path = `/${base}/${pathOf(handler)}`;
    if (isDuty(path)) duties.set(path, { path, parse, handle: (handler as Handler).bind(controller) });
  }
  return duties;
}

function pathOf(declared: object): string {
  return String(Reflect.getMetadata(PATH_METADATA, declared));
}

/** As Nest does, where the client is still there. @param headers names and values in turn */
function answer(response: ServerResponse, value: object, headers: readonly string[]): void {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(value);
  const own = ['content-type', 'application/json; charset=utf-8', 'content-length', String(Buffer.byteLength(text))];
  // All at once, and in one piece with what is said: headers that are set one by one are looked at twice.
  response.writeHead(200, [...headers, ...own]).end(text);
}

function nothing(): void {
  // The handlers before a duty go on at once.
}
