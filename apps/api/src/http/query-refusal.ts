import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { HttpProblem } from './problem.js';

/**
 * Refuses query parameters where a handler takes none, as {@link RequestValidationPipe} does where it takes some: who sends `dryRun` to something that knows
 * no dry run must not have it done.
 */
@Injectable()
export class QueryRefusal implements NestInterceptor<unknown, unknown> {
  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const names = Object.keys(context.switchToHttp().getRequest<Request>().query);
    if (names.length > 0 && !takesQuery(context)) {
      const errors = names.map((parameter) => ({ parameter, detail: detailOf(parameter) }));
      throw new HttpProblem(400, 'invalid-parameter', `${names[0] ?? ''} ${errors[0]?.detail ?? ''}`, { errors });
    }
    return next.handle();
  }
}

function detailOf(parameter: string): string {
  return parameter === 'dryRun'
    ? 'is not known here: there is nothing to preview, and nothing was done'
    : 'is not known here: leave it out';
}

/** Whether the handler has an argument with `@Query()`. Nest keeps the arguments by `<kind>:<index>`. */
function takesQuery(context: ExecutionContext): boolean {
  const taken: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), context.getHandler().name);
  if (typeof taken !== 'object' || taken === null) return false;
  return Object.keys(taken).some((key) => key.startsWith(`${RouteParamtypes.QUERY}:`));
}
