import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { OperatorPrincipal } from '@systole/access';
import type { Request, Response } from 'express';
import { operatorAsking } from '../access/access.guard.js';

/** Who asks for a write, and what HTTP says about it. */
export interface AskedBy {
  readonly operator: OperatorPrincipal;
  readonly request: Request;
  readonly response: Response;
}

/** The operator who asks for a write, with the request and its response: Nest answers with what the handler returns. @throws {HttpProblem} 403 for an agent */
export const Asking = createParamDecorator((_: unknown, context: ExecutionContext): AskedBy => {
  const http = context.switchToHttp();
  const request = http.getRequest<Request>();
  return { operator: operatorAsking(request), request, response: http.getResponse<Response>() };
});
