import { applyDecorators, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, type ApiOperationOptions } from '@nestjs/swagger';
import { ApiIdempotencyKey } from '../idempotency/idempotency.interceptor.js';
import { ApiIfMatch } from '../openapi/headers.js';
import { ApiProblems } from '../openapi/responses.js';
import { WriteResultDto } from './write.dto.js';

/** What all commands have in common: a write that answers with what it changed. @param problems statuses of its refusals @param more decorators of its own */
export function WriteCommand(
  path: string,
  operation: ApiOperationOptions,
  problems: readonly number[],
  ...more: readonly MethodDecorator[]
): MethodDecorator {
  return applyDecorators(
    ApiProblems(...problems),
    ApiOkResponse({ type: WriteResultDto }),
    ...more,
    ApiIdempotencyKey(),
    ApiIfMatch(),
    ApiOperation(operation),
    HttpCode(200),
    Post(path),
  );
}
