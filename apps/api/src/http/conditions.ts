import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { unwantedVersions } from './etag.js';
import { HttpProblem } from './problem.js';

/** What is asked for only while something is not so must not be done as if nothing had been said: where there is nothing that `If-None-Match` could be compared with, it is refused. */
@Injectable()
export class ConditionRefusal implements NestInterceptor<unknown, unknown> {
  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    if (request.method === 'POST' && request.headers['if-none-match'] !== undefined) {
      const detail = 'is for reads, and for PUT, PATCH and DELETE: leave it out, nothing was done';
      throw new HttpProblem(400, 'malformed-header', `If-None-Match ${detail}`, { errors: [{ header: 'If-None-Match', detail }] });
    }
    return next.handle();
  }
}

/**
 * Refuses a write of something that is there, and has no ETag, when it is asked for only while it is not (`If-None-Match: *`).
 *
 * @throws {HttpProblem} 412, 400 for what is no list of entity tags
 */
export function refuseWhatIsThere({ headers }: Pick<Request, 'headers'>): void {
  if (unwantedVersions(headers['if-none-match']) === 'any') throw unwanted('it is there');
}

/** Says that `If-None-Match` does not hold. @param why what is so @param headers of the answer */
export function unwanted(why: string, headers: Readonly<Record<string, string>> = {}): HttpProblem {
  const detail = `${why}, and If-None-Match asks for this only while that is not so: nothing was done`;
  return new HttpProblem(412, 'version-mismatch', detail, { errors: [{ header: 'If-None-Match', detail }], headers });
}
