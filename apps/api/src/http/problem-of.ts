import { HttpException } from '@nestjs/common';
import { TokensLost } from '@systole/access';
import { UnknownEventType } from '@systole/cluster';
import {
  CarriedOutLate,
  CommandContention,
  LogTooNew,
  LogWentBack,
  OutcomeUnknown,
  ReportBudgetSpent,
  ServerOverloaded,
} from '@systole/control-plane';
import { SchemaMissing, storeError, StoreUnavailable, UnknownSchemaVersion } from '@systole/event-store';
import { FoldContradicted } from '@systole/read-models';
import { HttpProblem } from './problem.js';

/** What middleware throws, e.g. the router for a path that can't be decoded. */
interface MiddlewareError {
  readonly status: number;
  readonly message: string;
}

function isMiddlewareError(error: unknown): error is MiddlewareError {
  return error instanceof Error && 'status' in error && typeof error.status === 'number';
}

const RETRY_LATER = { 'retry-after': '2' };

/** Turns whatever was thrown into a problem; undefined for what nobody foresaw. */
export function problemOf(error: unknown): HttpProblem | undefined {
  if (error instanceof HttpProblem) return error;
  if (error instanceof CommandContention) {
    return new HttpProblem(503, 'contention', error.message, { headers: RETRY_LATER, cause: error });
  }
  if (error instanceof CarriedOutLate) {
    return new HttpProblem(503, 'write-overtaken', error.message, { headers: RETRY_LATER, cause: error });
  }
  if (error instanceof FoldContradicted || error instanceof LogWentBack) {
    const detail = `${error.message}. A new epoch of it begins within seconds: ask again`;
    return new HttpProblem(503, 'log-went-back', detail, { headers: RETRY_LATER, cause: error });
  }
  if (error instanceof LogTooNew || error instanceof UnknownEventType || error instanceof UnknownSchemaVersion) {
    // Behind a balancer another connection may lead to a server of the newer release.
    return new HttpProblem(503, 'log-too-new', error.message, { headers: { ...RETRY_LATER, connection: 'close' }, cause: error });
  }
  if (error instanceof ReportBudgetSpent) {
    const { spent, retryAfterMs } = error;
    return new HttpProblem(429, 'report-budget-spent', error.message, {
      headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) },
      extensions: { budget: spent },
      cause: error,
    });
  }
  if (error instanceof ServerOverloaded) {
    const headers = { 'retry-after': String(Math.ceil(error.retryAfterMs / 1_000)) };
    return new HttpProblem(503, 'overloaded', error.message, { headers, cause: error });
  }
  if (error instanceof OutcomeUnknown) {
    return new HttpProblem(503, 'database-unavailable', `${error.message}; look before you try again`, {
      headers: RETRY_LATER,
      extensions: { outcome: 'unknown' },
      cause: error,
    });
  }
  if (error instanceof TokensLost) return new HttpProblem(503, 'tokens-lost', error.message, { headers: RETRY_LATER, cause: error });
  if (error instanceof StoreUnavailable) return ofStore(error, error.message);
  if (error instanceof SchemaMissing) return new HttpProblem(503, 'schema-missing', error.message, { cause: error });
  if (error instanceof HttpException) return ofNest(error);
  if (isMiddlewareError(error)) return ofMiddleware(error);
  // Of a statement that is none of the event log: nobody knows here whether it was to change anything.
  const ofDatabase = storeError(error, 'append');
  if (ofDatabase instanceof StoreUnavailable) return ofStore(ofDatabase, `${ofDatabase.reason}: try again later`);
  return ofDatabase instanceof SchemaMissing ? problemOf(ofDatabase) : undefined;
}

/** Why something could not be looked at, for people: nothing of what became of a write, for this was none. */
export function reasonOf(error: unknown): string {
  const ofDatabase = storeError(error, 'read');
  if (ofDatabase instanceof StoreUnavailable) return ofDatabase.reason;
  return problemOf(error)?.message ?? 'the server met an error that its log names';
}

function ofStore(error: StoreUnavailable, detail: string): HttpProblem {
  const { trouble, outcome } = error;
  const code = trouble === 'other-installation' ? trouble : 'database-unavailable';
  return new HttpProblem(503, code, detail, { headers: RETRY_LATER, extensions: { outcome, trouble }, cause: error });
}

function ofNest(error: HttpException): HttpProblem | undefined {
  const status = error.getStatus();
  if (status === 404) return new HttpProblem(404, 'no-such-route', `${error.message}: see /docs for what there is`);
  if (status === 503) return notReady(error);
  if (status === 400) return new HttpProblem(400, 'malformed-request', error.message);
  return status < 500 ? new HttpProblem(status, 'refused', error.message) : undefined;
}

/** The readiness check's verdict. */
function notReady(error: HttpException): HttpProblem {
  const answer = error.getResponse();
  const checks = typeof answer === 'object' && 'details' in answer ? answer.details : undefined;
  return new HttpProblem(503, 'not-ready', 'something that the server needs is not there; `checks` says what', {
    headers: RETRY_LATER,
    extensions: { checks },
  });
}

function ofMiddleware(error: MiddlewareError): HttpProblem | undefined {
  return error.status < 500 ? new HttpProblem(error.status, 'malformed-request', error.message) : undefined;
}
