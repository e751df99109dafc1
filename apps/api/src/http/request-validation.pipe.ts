import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate, type ValidationError } from 'class-validator';
import { HttpProblem, type ProblemIssue } from './problem.js';

/**
 * Turns bodies and queries into their classes and refuses what does not fit: 422 with a JSON pointer for each wrong place of a body, 400 with the
 * parameter's name for a query. What a class does not name is refused, too: a typing error must not be ignored.
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if ((type !== 'body' && type !== 'query') || metatype === undefined || !isFieldClass(metatype)) return value;
    if (type === 'body' && (typeof value !== 'object' || value === null || Array.isArray(value))) {
      if (value === undefined) return checkedAs(metatype, {}, type);
      throw new HttpProblem(422, 'invalid-request', 'the body must be a JSON object', {
        errors: [{ pointer: '', detail: 'must be an object' }],
      });
    }
    return checkedAs(metatype, value as object, type);
  }
}

/**
 * A body or query as its class.
 *
 * @throws {HttpProblem} 422 or 400 naming all that does not fit
 */
export async function checkedAs(metatype: new () => object, value: object, type: 'body' | 'query'): Promise<object> {
  const instance = plainToInstance(metatype, value);
  const found = await validate(instance, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: false,
    stopAtFirstError: true,
  });
  if (found.length === 0) return instance;
  const issues = found.flatMap((error) => issuesIn(error, ''));
  const [first] = issues;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  if (type === 'body') {
    throw new HttpProblem(422, 'invalid-request', `${first?.pointer ?? ''} ${first?.detail ?? 'is not valid'}${more}`, {
      errors: issues,
    });
  }
  const errors = issues.map(({ pointer = '', detail }): ProblemIssue => ({ parameter: pointer.slice(1), detail }));
  throw new HttpProblem(400, 'invalid-parameter', `${errors[0]?.parameter ?? ''} ${errors[0]?.detail ?? 'is not valid'}${more}`, {
    errors,
  });
}

const BUILT_IN: ReadonlySet<unknown> = new Set([String, Boolean, Number, Array, Object, Buffer]);

export function isFieldClass(metatype: unknown): metatype is new () => object {
  return typeof metatype === 'function' && !BUILT_IN.has(metatype);
}

function issuesIn(error: ValidationError, parent: string): readonly ProblemIssue[] {
  const pointer = `${parent}/${error.property.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const own = Object.entries(error.constraints ?? {}).map(([rule, detail]): ProblemIssue => ({
    pointer,
    detail: rule === 'whitelistValidation' ? 'is not known here' : detail,
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => issuesIn(child, pointer))];
}
