import type { NestExpressApplication } from '@nestjs/platform-express';
import type { EventStore } from '@systole/event-store';
import type { ClusterEvent } from '@systole/cluster';
import type { Traces } from '@systole/tracing';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import { authentication, tokensPassedOn, withoutToken, type Doorkeeping } from './access/authentication.js';
import { AgentController } from './agent/agent.controller.js';
import { agentDuties } from './agent/agent-duties.js';
import type { NodeReportBudgets } from './access/node-report-budgets.js';
import type { RequestAudit } from './audit/request-audit.js';
import { agentsElsewhere } from './front/agents-elsewhere.js';
import { ahead } from './front/ahead.js';
import { forwarding, renewing } from './front/forwarding.js';
import { KeptAnswers } from './front/kept-answers.js';
import type { OperatorsApi } from './front/operators-api.js';
import { serveKept } from './front/serve-kept.js';
import { ClusterLookup } from './reads/cluster-lookup.js';
import type { HttpMetrics } from './metrics/http-metrics.js';
import { requestSpans } from './tracing/request-spans.js';
import { BodiesInFlight } from './http/bodies-in-flight.js';
import { clearTargets } from './http/clear-targets.js';
import { compressedAnswers } from './http/compressed-answers.js';
import { crossOrigin } from './http/cross-origin.js';
import { oneAtATime } from './http/one-at-a-time.js';
import { noteReceived } from './http/received-at.js';
import { newRequestId, requestLogging } from './http/request-logging.js';
import { cachingTold, KEPT_BY_NOBODY, securityHeaders, withHeaders } from './http/web-pages.js';

/** What requests meet on their way to the handlers. */
export interface RequestPath {
  readonly app: NestExpressApplication;
  /** Behind the front, which did already what is done once for each request. */
  readonly behind: boolean;
  /** The thread that serves operators; undefined: this one does. */
  readonly operators: OperatorsApi | undefined;
  readonly store: EventStore<ClusterEvent>;
  readonly doorkeeping: Doorkeeping;
  readonly budgets: NodeReportBudgets;
  readonly metrics: HttpMetrics;
  readonly audit: RequestAudit;
  /** Where requests of operators are traced; undefined: nowhere. */
  readonly traces: Traces | undefined;
  readonly log: Logger;
  /** Whose pages may use the API from a browser. */
  readonly corsOrigins: readonly string[] | undefined;
  /** What digests of requests are made with; undefined: there are no keys. */
  readonly digestKey: Buffer | undefined;
}

/** Lays the way of requests: agents' duties ahead of all else, kept answers, what is passed on, then who asks. */
export function layRequestPath(path: RequestPath): void {
  const { app, behind, operators, doorkeeping, metrics, audit, log, digestKey } = path;
  const headers = securityHeaders();
  const kept = operators === undefined ? undefined : new KeptAnswers();
  const { certificates, rates } = doorkeeping;
  const lookup = app.get(ClusterLookup);
  const idOf = (name: string): string | undefined => lookup.idFoundFor(name);
  if (!behind) {
    const parts = { controller: app.get(AgentController), bodies: app.get(BodiesInFlight), budgets: path.budgets };
    const logging = requestLogging(log, idOf, newRequestId);
    if (operators !== undefined && kept !== undefined) {
      const renew = renewing(operators, certificates, kept);
      ahead(app.getHttpServer(), serveKept({ kept, store: path.store, doorkeeping, metrics, renew, logging }));
      metrics.show('systole_kept_answers_bytes', 'Bytes of answers that the front keeps for who asks again.', () => kept.bytes);
    }
    ahead(
      app.getHttpServer(),
      agentDuties({ first: [metrics.middleware, logging], headers: [...headers, KEPT_BY_NOBODY], doorkeeping, metrics, audit, ...parts }),
    );
  }
  oneAtATime(app.getHttpServer(), () => {
    metrics.refused('pipelining');
  });
  noteReceived(app.getHttpServer());
  if (!behind) app.use(withoutToken(rates, metrics, audit));
  if (operators !== undefined && kept !== undefined)
    app.use(tokensPassedOn(doorkeeping), forwarding(operators, certificates, kept, metrics));
  app.use(metrics.middleware, requestLogging(log, idOf), withHeaders(headers), cachingTold(), clearTargets(), compressedAnswers());
  if (path.corsOrigins !== undefined) app.use(crossOrigin(path.corsOrigins));
  if (digestKey !== undefined) {
    app.use((request: Request, _: Response, next: NextFunction) => {
      request.digestKey = digestKey;
      next();
    });
  }
  app.use('/v1', authentication(doorkeeping));
  // Who has no token has nothing traced, and no say in which trace it would be.
  if (path.traces !== undefined) app.use('/v1', requestSpans(path.traces));
  app.use('/v1', audit.middleware);
  if (behind) app.use('/v1/agent', agentsElsewhere());
}
