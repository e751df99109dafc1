import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { RequestMethod } from '@nestjs/common';
import type { AgentPrincipal } from '@systole/access';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { agentAsking } from '../access/access.guard.js';
import { admit, type Doorkeeping } from '../access/authentication.js';
import { isDuty } from '../access/request-rates.js';
import type { BodiesInFlight } from '../http/bodies-in-flight.js';
import { jsonBody } from '../http/body-parsing.js';
import { answerProblem } from '../http/problem.filter.js';
import { isClosed } from '../http/request-context.js';
import { refuseParameters } from '../http/query-refusal.js';
import type { HttpMetrics } from '../metrics/http-metrics.js';
import { bodyParserOf, parsedBody } from './agent-body.js';
import type { AgentController } from './agent.controller.js';
import type { NodeReportBudgets } from './node-report-budgets.js';

export interface AgentDutiesParts {
  /** What every request goes through, in this order. Each goes on at once. */
  readonly first: readonly RequestHandler[];
  readonly doorkeeping: Doorkeeping;
  readonly metrics: HttpMetrics;
  readonly controller: AgentController;
  readonly bodies: BodiesInFlight;
  readonly budgets: Pick<NodeReportBudgets, 'check'>;
}

/** What counts against the node's budget of results. */
const RESULTS = '/v1/agent/results';

type Handler = (body: object, agent: AgentPrincipal, request: Request, response: Response) => Promise<object>;

/** A handler of the controller, with how its body is read. */
interface Duty {
  readonly parse: NonNullable<ReturnType<typeof bodyParserOf>>;
  readonly handle: Handler;
}

/**
 * Serves what agents' leases depend on straight from their controller: the same checks in the same order as on the way through the router, without its search among all
 * routes and without what Nest puts around a handler, which cost more than the poll itself. Whatever is not exactly one of these goes on to the router.
 */
export function agentDuties({ first, doorkeeping, metrics, controller, bodies, budgets }: AgentDutiesParts): RequestHandler {
  const duties = dutiesOf(controller);
  const serve = async (duty: Duty, request: Request, response: Response): Promise<void> => {
    try {
      await admit(doorkeeping, request, response);
      if (isClosed(response)) return;
      const agent = agentAsking(request);
      if (request.url.includes('?')) refuseParameters(request.query);
      bodies.announce(request);
      if (request.path === RESULTS) budgets.check(agent, 'results');
      const body = parsedBody(duty.parse, await jsonBody(request, response, bodies));
      answer(response, await duty.handle(body, agent, request, response));
    } catch (error) {
      answerProblem(error, request, response, metrics);
    }
  };
  return (request: Request, response: Response, next: NextFunction): void => {
    const { path } = request;
    const duty = request.method === 'POST' ? duties.get(path) : undefined;
    if (duty === undefined) {
      next();
      return;
    }
    request.route = { path };
    for (const handler of first) void handler(request, response, nothing);
    void serve(duty, request, response);
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
    if (isDuty(path)) duties.set(path, { parse, handle: (handler as Handler).bind(controller) });
  }
  return duties;
}

function pathOf(declared: object): string {
  return String(Reflect.getMetadata(PATH_METADATA, declared));
}

/** As Nest does, where the client is still there. */
function answer(response: Response, value: object): void {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(value);
  response.statusCode = 200;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', Buffer.byteLength(text));
  response.end(text);
}

function nothing(): void {
  // The handlers before a duty go on at once.
}
