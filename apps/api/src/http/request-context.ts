import type { IncomingMessage, ServerResponse } from 'node:http';

/** Whether nothing can be answered any more: the answer is complete, or the client has gone. */
export function isClosed(response: ServerResponse): boolean {
  return response.closed || response.destroyed;
}

/** Who wants to know that a response is closed. */
const waiting = new WeakMap<ServerResponse, (() => void)[]>();

/** Calls `closed` once, when the response is closed; at once when it is already, because it will not say so again. */
export function whenClosed(response: ServerResponse, closed: () => void): void {
  const others = waiting.get(response);
  if (isClosed(response)) closed();
  else if (others !== undefined) others.push(closed);
  else {
    // One listener for all: there are so many for each request that Node.js takes them for forgotten ones.
    const all = [closed];
    waiting.set(response, all);
    response.once('close', () => {
      for (const each of all) each();
    });
  }
}

/** Aborts when the client has gone before the answer was complete. */
export function clientGone(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  whenClosed(response, () => {
    if (!response.writableFinished) controller.abort(new Error('the client closed the connection'));
  });
  return controller.signal;
}

/** Ties everything that follows from a request together: its id, which its answer carries as X-Request-Id. */
export function correlationId(request: IncomingMessage): string {
  return typeof request.id === 'string' ? request.id : '';
}

/** The path that a request asks for; of one that Express has not seen, and that brings no parameters, its whole target. */
export function pathOf(request: IncomingMessage): string {
  return 'path' in request && typeof request.path === 'string' ? request.path : (request.url ?? '');
}

/** Scheme and authority of a target in absolute form, which is to be taken as well (RFC 9112 §3.2.2). */
const ABSOLUTE = /^[a-z][a-z\d+.-]*:\/\/[^/?]*/i;

/**
 * The whole path that was asked for, without parameters, scheme and authority: a router leaves {@link pathOf} only what lies below it. Whatever would make it another one for the router is refused before
 * (`clearTargets`).
 */
export function wholePathOf(request: IncomingMessage): string {
  return targetOf(request).replace(ABSOLUTE, '').split('?')[0] ?? '';
}

/** The whole target of a request: Express may have taken a part of `url` away for a router below. */
export function targetOf(request: IncomingMessage): string {
  return 'originalUrl' in request && typeof request.originalUrl === 'string' ? request.originalUrl : (request.url ?? '');
}
