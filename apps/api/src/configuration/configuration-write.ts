import { applyDecorators } from '@nestjs/common';
import { ApiIdempotencyKey } from '../idempotency/idempotency.interceptor.js';
import { ApiConfigurationMatch } from '../openapi/headers.js';
import { ApiProblems } from '../openapi/responses.js';

/** Says what all writes of the configuration have in common: what they need, and what they are refused with. */
export function ApiConfigurationWrite(): MethodDecorator {
  return applyDecorators(ApiConfigurationMatch(), ApiIdempotencyKey(), ApiProblems(400, 404, 409, 412, 413, 415, 422, 428, 429, 503));
}
