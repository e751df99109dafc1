import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { HttpProblem } from '../http/problem.js';

/** A write of a configuration has to say which one it rests on. */
@Injectable()
export class ConfigurationMatch implements NestInterceptor<unknown, unknown> {
  /** @throws {HttpProblem} 428 without If-Match */
  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const { headers } = context.switchToHttp().getRequest<Request>();
    if (headers['if-match'] !== undefined) return next.handle();
    const detail = 'a write of the configuration needs the ETag of what it rests on, so that no change of others gets lost; or * to insist';
    throw new HttpProblem(428, 'precondition-required', `If-Match is missing: ${detail}`, { errors: [{ header: 'If-Match', detail }] });
  }
}
