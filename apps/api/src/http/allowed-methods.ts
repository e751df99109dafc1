import { NotFoundException } from '@nestjs/common';
import type { Request } from 'express';
import { HttpProblem } from './problem.js';

/** As much of Express's router as is needed to ask which routes there are. */
interface Router {
  readonly stack: readonly {
    readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
    match(path: string): boolean;
  }[];
}

/**
 * The methods of the routes at a request's path; none when there is no such path. Where one names a part of the path (`…/properties`), those that would take anything there
 * (`…/:collection`) don't count.
 */
export function allowedMethods(request: Request): readonly string[] {
  const { stack } = request.app.router as unknown as Router;
  const routes = stack.flatMap((layer) => (layer.route !== undefined && layer.match(request.path) ? [layer.route] : []));
  const fewest = Math.min(...routes.map(openParts));
  const methods = routes.filter((route) => openParts(route) === fewest).flatMap((route) => Object.keys(route.methods));
  if (methods.length === 0) return [];
  const named = new Set(methods.map((method) => method.toUpperCase()));
  if (named.has('GET')) named.add('HEAD');
  return [...named, 'OPTIONS'];
}

/** Parts of a route's path that take anything. */
function openParts({ path }: { readonly path: string }): number {
  return path.split('/:').length;
}

/** Whether no route was found for a request. */
export function isUnrouted(error: unknown): boolean {
  return error instanceof NotFoundException && error.message.startsWith('Cannot ');
}

export function methodNotAllowed(request: Request, allowed: readonly string[]): HttpProblem {
  const allow = allowed.join(', ');
  return new HttpProblem(405, 'method-not-allowed', `${request.method} is not possible here: ${allow} are`, { headers: { allow } });
}
