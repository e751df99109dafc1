import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate, type ValidationError } from 'class-validator';
import { notCarried, pointerToken } from './carried-texts.js';
import { LIMITS } from '@systole/protocol';
import { HttpProblem, MORE_ERRORS, type ProblemIssue } from './problem.js';

/**
 * Turns bodies and queries into their classes and refuses what does not fit: 422 with JSON pointers to the wrong places of a body, 400 with the
 * parameter's name for a query. What a class does not name is refused, too: a typing error must not be ignored. So is, in path parameters also, text that can't
 * be carried: no handler gets to ask PostgreSQL for it. An agent's body is no such class: what it says is a fact, and mended (see parsedBody).
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  async transform(value: unknown, { type, metatype, data }: ArgumentMetadata): Promise<unknown> {
    if (type === 'param') {
      const issues = notCarried(value, `/${data ?? ''}`);
      if (issues.length > 0) throw refusal(issues, type);
      return value;
    }
    if ((type !== 'body' && type !== 'query') || metatype === undefined || !isFieldClass(metatype)) return value;
    return type === 'body' ? bodyAs(metatype, value) : checkedAs(metatype, value as object, type);
  }
}

/**
 * A body as its class; none is an empty one.
 *
 * @throws {HttpProblem} 422 for what is no object, or naming all that does not fit
 */
function bodyAs(metatype: new () => object, value: unknown = {}): Promise<object> {
  return checkedAs(metatype, objectIn(value), 'body');
}

/**
 * Checks the body for a handler that takes none: only an empty object will do.
 *
 * @throws {HttpProblem} 422 for what is no object, or naming all that is in it
 */
export function refuseFields(body: unknown): void {
  const issues = Object.keys(objectIn(body)).map((name): ProblemIssue => ({ pointer: `/${pointerToken(name)}`, detail: UNKNOWN }));
  if (issues.length > 0) throw refusal(issues, 'body');
}

function objectIn(body: unknown): object {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw new HttpProblem(422, 'invalid-request', 'the body must be a JSON object', {
    errors: [{ pointer: '', detail: 'must be an object' }],
  });
}

/**
 * A body or query as its class.
 *
 * @throws {HttpProblem} 422 or 400 naming all that does not fit
 */
export async function checkedAs(metatype: new () => object, value: object, type: 'body' | 'query'): Promise<object> {
  const constructors = constructorsIn(value, '');
  if (constructors.length > 0) throw refusal(constructors, type);
  const instance = plainToInstance(metatype, value);
  const found = await validate(instance, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: false,
    stopAtFirstError: true,
  });
  const issues = [...found.flatMap((error) => issuesIn(error, '')), ...droppedIn(value, instance, ''), ...notCarried(value, '')];
  if (issues.length > 0) throw refusal(issues, type);
  return instance;
}

function refusal(all: readonly ProblemIssue[], type: 'body' | 'query' | 'param'): HttpProblem {
  const issues = all.slice(0, LIMITS.faults);
  const [first] = issues;
  const more = all.length > 1 ? ` (and ${all.length - 1} more)` : '';
  const extensions = all.length > issues.length ? MORE_ERRORS : {};
  if (type === 'body') {
    const detail = `${first?.pointer ?? ''} ${first?.detail ?? 'is not valid'}${more}`;
    return new HttpProblem(422, 'invalid-request', detail, { errors: issues, extensions });
  }
  const errors = issues.map(({ pointer = '', detail }): ProblemIssue => ({ parameter: pointer.slice(1), detail }));
  return new HttpProblem(400, 'invalid-parameter', `${errors[0]?.parameter ?? ''} ${errors[0]?.detail ?? 'is not valid'}${more}`, {
    errors,
    extensions,
  });
}

const UNKNOWN = 'is not known here';

/** Objects with a field `constructor`: where no class is declared, class-transformer would take that for theirs, and call it. */
function constructorsIn(value: unknown, parent: string): readonly ProblemIssue[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]: readonly [string, unknown]) => {
    const pointer = `${parent}/${pointerToken(name)}`;
    return name === 'constructor' ? [{ pointer, detail: UNKNOWN }] : constructorsIn(one, pointer);
  });
}

/** What did not get into the instance, as every object is thought to have it (`__proto__`, `constructor`, `toString`): it was not looked at, either. */
function droppedIn(value: unknown, instance: unknown, parent: string): readonly ProblemIssue[] {
  if (typeof value !== 'object' || value === null || typeof instance !== 'object' || instance === null) return [];
  const taken = new Map(Object.entries(instance));
  return Object.entries(value).flatMap(([name, one]) => {
    const pointer = `${parent}/${pointerToken(name)}`;
    return taken.has(name) ? droppedIn(one, taken.get(name), pointer) : [{ pointer, detail: UNKNOWN }];
  });
}

const BUILT_IN: ReadonlySet<unknown> = new Set([String, Boolean, Number, Array, Object, Buffer]);

export function isFieldClass(metatype: unknown): metatype is new () => object {
  return typeof metatype === 'function' && !BUILT_IN.has(metatype);
}

function issuesIn(error: ValidationError, parent: string): readonly ProblemIssue[] {
  const pointer = `${parent}/${pointerToken(error.property)}`;
  const own = Object.entries(error.constraints ?? {}).map(([rule, detail]): ProblemIssue => ({
    pointer,
    detail: rule === 'whitelistValidation' ? UNKNOWN : detail,
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => issuesIn(child, pointer))];
}
