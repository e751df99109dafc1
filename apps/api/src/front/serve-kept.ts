import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EventStore } from '@systole/event-store';
import { admit, type Doorkeeping } from '../access/authentication.js';
import { correlationId, isClosed, wholePathOf } from '../http/request-context.js';
import { requestIdHeaders } from '../http/request-logging.js';
import type { HttpMetrics } from '../metrics/http-metrics.js';
import type { KeptAnswer, KeptAnswers } from './kept-answers.js';

export interface ServeKeptParts {
  readonly kept: KeptAnswers;
  readonly store: Pick<EventStore, 'head'>;
  readonly doorkeeping: Doorkeeping;
  readonly metrics: Pick<HttpMetrics, 'measure' | 'givenAgain'>;
  /** Has the operators' thread answer the same request once more, for the answer to be kept. */
  readonly renew: (request: IncomingMessage) => Promise<void>;
  /** Gives a request its id, and the answer no header. */
  readonly logging: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
}

/**
 * Gives kept answers again, in the front: the token is found and counted as for every request, and the newest event of the cluster compared with the one that the
 * answer rests on, both together with all who ask in the same turn. What is not so any more, and whoever is not let in, is passed on as everything else is: it is
 * refused in one place. An answer that tells of the time, too, is made anew aside when it is no longer fresh: nobody waits for it, and it is not asked for by all at once.
 *
 * @returns serves a request, and says whether it does; `others` serves it where it turns out that it does not
 */
export function serveKept({ kept, store, doorkeeping, metrics, renew, logging }: ServeKeptParts) {
  const serve = async (answer: KeptAnswer, request: IncomingMessage, response: ServerResponse, others: () => void): Promise<void> => {
    const begun = performance.now();
    const holds = stillHolds(store, answer);
    const isAdmitted = admit(doorkeeping, request, wholePathOf(request), response).then(
      () => true,
      () => false,
    );
    if (!(await isAdmitted) || !(await holds)) {
      kept.forget(request);
      if (!isClosed(response)) others();
      return;
    }
    if (isClosed(response)) return;
    Object.assign(request, { route: { path: answer.basis.route } });
    metrics.measure(request, response, begun);
    metrics.givenAgain();
    logging(request, response, nothing);
    const length = answer.status === 304 ? [] : ['content-length', String(answer.body.length)];
    response
      .writeHead(answer.status, [...requestIdHeaders(request, correlationId(request)), ...answer.headers, ...length])
      .end(answer.body);
    const renewed = kept.renewal(answer);
    if (renewed !== undefined) renew(request).then(renewed, renewed);
  };
  return (request: IncomingMessage, response: ServerResponse, others: () => void): boolean => {
    const answer = kept.find(request);
    if (answer === undefined) return false;
    void serve(answer, request, response, others);
    return true;
  };
}

/** Where nobody can tell, whoever makes the answer anew says why. */
async function stillHolds(store: Pick<EventStore, 'head'>, { basis: { clusterId, headHash } }: KeptAnswer): Promise<boolean> {
  try {
    // The hash alone: of a cluster in which much happens the front reads no event for that.
    return (await store.head(clusterId))?.hash === headHash;
  } catch {
    return false;
  }
}

function nothing(): void {
  // The handler before an answer goes on at once.
}
