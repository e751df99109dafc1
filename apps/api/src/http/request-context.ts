import type { Request, Response } from 'express';

/** Aborts when the client has gone before the answer was complete. */
export function clientGone(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(new Error('the client closed the connection'));
  });
  return controller.signal;
}

/** Ties everything that follows from a request together: its id, which its answer carries as X-Request-Id. */
export function correlationId(request: Request): string {
  return typeof request.id === 'string' ? request.id : '';
}
