import type { ServerResponse } from 'node:http';
import type { Request, Response } from 'express';

/** Whether nothing can be answered any more: the answer is complete, or the client has gone. */
export function isClosed(response: ServerResponse): boolean {
  return response.closed || response.destroyed;
}

/** Calls `closed` once, when the response is closed; at once when it is already, because it will not say so again. */
export function whenClosed(response: ServerResponse, closed: () => void): void {
  if (isClosed(response)) closed();
  else response.once('close', closed);
}

/** Aborts when the client has gone before the answer was complete. */
export function clientGone(response: Response): AbortSignal {
  const controller = new AbortController();
  whenClosed(response, () => {
    if (!response.writableFinished) controller.abort(new Error('the client closed the connection'));
  });
  return controller.signal;
}

/** Ties everything that follows from a request together: its id, which its answer carries as X-Request-Id. */
export function correlationId(request: Request): string {
  return typeof request.id === 'string' ? request.id : '';
}
