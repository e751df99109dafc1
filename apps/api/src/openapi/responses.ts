import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { titleOf } from '../http/problem.js';
import { ProblemDto } from './problem.dto.js';

/** How a problem is described where no decorator can say it. */
export function problemResponse(status: number): {
  readonly description: string;
  readonly content: Record<string, { schema: { $ref: string } }>;
} {
  return { description: titleOf(status), content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemDto) } } } };
}

/** Says that these statuses are answered with a problem document. */
export function ApiProblems(...statuses: readonly number[]): ClassDecorator & MethodDecorator {
  return applyDecorators(ApiExtraModels(ProblemDto), ...statuses.map((status) => ApiResponse({ status, ...problemResponse(status) })));
}
