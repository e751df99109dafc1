import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { argumentOf } from './handler-arguments.js';
import { HttpProblem } from './problem.js';
import { checkedAs, isFieldClass } from './request-validation.pipe.js';

/**
 * Refuses query parameters that do not fit before anything of the body is read, by the check that the pipe turns them into their class with; and where a
 * handler takes none, all of them: who sends `dryRun` to something that knows no dry run must not have it done.
 */
@Injectable()
export class QueryRefusal implements NestInterceptor<unknown, unknown> {
  async intercept(context: ExecutionContext, next: CallHandler<unknown>): Promise<Observable<unknown>> {
    const { query } = context.switchToHttp().getRequest<Request>();
    const taken = queryClass(context);
    if (taken !== undefined) await checkedAs(taken, query, 'query');
    else refuseParameters(query);
    return next.handle();
  }
}

/** Where none is taken. @throws {HttpProblem} 400 */
export function refuseParameters(query: Request['query']): void {
  const names = Object.keys(query);
  if (names.length === 0) return;
  const errors = names.map((parameter) => ({ parameter, detail: detailOf(parameter) }));
  throw new HttpProblem(400, 'invalid-parameter', `${names[0] ?? ''} ${errors[0]?.detail ?? ''}`, { errors });
}

function detailOf(parameter: string): string {
  return parameter === 'dryRun'
    ? 'is not known here: there is nothing to preview, and nothing was done'
    : 'is not known here: leave it out';
}

/**
 * The class of the handler's argument with `@Query()`; undefined when it takes none. TypeScript keeps the classes of arguments by index.
 */
function queryClass(context: ExecutionContext): (new () => object) | undefined {
  const controller = context.getClass();
  const { name } = context.getHandler();
  const index = argumentOf(context, RouteParamtypes.QUERY);
  if (index === undefined) return undefined;
  const classes: unknown = Reflect.getMetadata('design:paramtypes', controller.prototype as object, name);
  const found: unknown = Array.isArray(classes) ? classes[index] : undefined;
  // Single parameters by name would pass unseen beside others.
  if (typeof found !== 'function' || !isFieldClass(found)) {
    throw new Error(`${controller.name}.${name} takes a query of no class of its own`);
  }
  return found;
}
