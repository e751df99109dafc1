import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  isISO8601,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { momentIn } from './moment-in.js';

/**
 * Fields of request bodies and queries: what they may hold, and their description in the OpenAPI document, said once. A field that is not `optional` has to
 * be there; `null` counts as a value.
 */
interface Field {
  readonly description: string;
  readonly optional?: boolean;
  readonly example?: unknown;
}

function described(field: Field, schema: Pick<ApiPropertyOptions, never> & Readonly<Record<string, unknown>>): PropertyDecorator {
  const options = {
    description: field.description,
    ...(field.example === undefined ? {} : { example: field.example }),
    ...schema,
  } as ApiPropertyOptions;
  if (field.optional !== true) return ApiProperty(options);
  return applyDecorators(
    ApiPropertyOptional(options),
    ValidateIf((_, value: unknown) => value !== undefined),
  );
}

export interface TextField extends Field {
  /** Characters; default 1 to 1,024. */
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
  /** What the pattern asks for, in words. */
  readonly patternSays?: string;
}

export function TextField(field: TextField): PropertyDecorator {
  const { min = 1, max = 1_024, pattern, patternSays } = field;
  return applyDecorators(
    described(field, { type: String, minLength: min, maxLength: max, ...(pattern === undefined ? {} : { pattern: pattern.source }) }),
    IsString({ message: 'must be a text' }),
    MinLength(min, { message: `must have at least ${min} character(s)` }),
    MaxLength(max, { message: `must have at most ${max} characters` }),
    ...(pattern === undefined ? [] : [Matches(pattern, { message: patternSays ?? `must match ${pattern.source}` })]),
  );
}

export function WholeField(field: Field & { readonly min?: number; readonly max?: number }): PropertyDecorator {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = field;
  return applyDecorators(
    described(field, { type: 'integer', minimum: min, ...(max === Number.MAX_SAFE_INTEGER ? {} : { maximum: max }) }),
    IsInt({ message: 'must be a whole number' }),
    Min(min, { message: `must be at least ${min}` }),
    Max(max, { message: `must be at most ${max}` }),
  );
}

/** A whole number in a query string. */
export function WholeParameter(field: Field & { readonly min?: number; readonly max?: number }): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => numberIn(value)),
    WholeField(field),
  );
}

function numberIn(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
}

export function NumberField(field: Field): PropertyDecorator {
  return applyDecorators(described(field, { type: 'number' }), IsNumber({}, { message: 'must be a number' }));
}

export function FlagField(field: Field): PropertyDecorator {
  return applyDecorators(described(field, { type: Boolean }), IsBoolean({ message: 'must be true or false' }));
}

/** `true` or `false` in a query string, and nothing else: one without a value says neither. */
export function FlagParameter(field: Field): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value)),
    FlagField(field),
  );
}

export function ChoiceField(field: Field & { readonly of: readonly string[] }): PropertyDecorator {
  return applyDecorators(
    described(field, { enum: [...field.of] }),
    IsIn([...field.of], { message: `must be one of ${field.of.join(', ')}` }),
  );
}

/** A date, with a time or without, in a query string; handlers get it as ISO 8601 in UTC, which the database takes. Not all that ISO 8601 knows is one: a year is none. */
export function MomentParameter(field: Field): PropertyDecorator {
  return applyDecorators(
    described(field, { type: String, format: 'date-time' }),
    Transform(({ value }: { value: unknown }) => momentText(value)),
    Matches(MOMENT, { message: 'must be a date and time (ISO 8601), e.g. 2026-01-31T12:00:00Z' }),
  );
}

/** In UTC, of the years that the database knows. */
const MOMENT = /^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

function momentText(value: unknown): unknown {
  if (typeof value !== 'string' || !isISO8601(value.replace(':60', ':59'), { strict: true, strictSeparator: true })) return value;
  const at = momentIn(value);
  return at === undefined ? value : new Date(at).toISOString();
}

/** An object of the given class. */
export function ObjectField(field: Field, type: () => new () => object): PropertyDecorator {
  return applyDecorators(
    described(field, { type: () => type() }),
    IsObject({ message: 'must be an object' }),
    ValidateNested(),
    Type(type),
  );
}

/** An object whose content is nobody's business here. */
export function OpaqueField(field: Field): PropertyDecorator {
  return applyDecorators(described(field, { type: Object, additionalProperties: true }), IsObject({ message: 'must be an object' }));
}

/** A list of objects that are read elsewhere. @param items name of their schema in the document */
export function ForeignListField(field: Field & { readonly max: number }, items: string): PropertyDecorator {
  return applyDecorators(
    described(field, { type: 'array', items: { $ref: items }, maxItems: field.max }),
    IsArray({ message: 'must be a list' }),
    ArrayMaxSize(field.max, { message: `must have at most ${field.max} entries` }),
  );
}

/** A list of objects of the given class. */
export function ListField(field: Field & { readonly max: number }, type: () => new () => object): PropertyDecorator {
  return applyDecorators(
    // Swagger takes it for a class unless the function is called `type`.
    described(field, { type: () => type(), isArray: true, maxItems: field.max }),
    IsArray({ message: 'must be a list' }),
    ArrayMaxSize(field.max, { message: `must have at most ${field.max} entries` }),
    ValidateNested({ each: true, message: 'must be an object' }),
    Type(type),
  );
}

export interface TextListField extends Field {
  /** Entries. */
  readonly max: number;
  /** The texts that are allowed; any when left out. */
  readonly of?: readonly string[];
}

export function TextListField(field: TextListField): PropertyDecorator {
  const { max, of } = field;
  return applyDecorators(
    described(field, { type: String, isArray: true, maxItems: max, ...(of === undefined ? {} : { enum: [...of] }) }),
    IsArray({ message: 'must be a list' }),
    ArrayMaxSize(max, { message: `must have at most ${max} entries` }),
    ...(of === undefined ? [] : [IsIn([...of], { each: true, message: `must be one of ${of.join(', ')}` })]),
    IsString({ each: true, message: 'must hold texts only' }),
    MaxLength(1_024, { each: true, message: 'must hold texts of at most 1024 characters' }),
  );
}

/** A list in a query string: texts separated by commas, or the parameter given several times. */
export function TextListParameter(field: TextListField): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => textsIn(value)),
    TextListField(field),
  );
}

/** Texts in a query string, the parameter given once for each: commas are part of them. */
export function RepeatedParameter(field: TextListField): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? [value] : value)),
    TextListField(field),
    MinLength(1, { each: true, message: 'must hold texts of at least 1 character' }),
  );
}

function textsIn(value: unknown): unknown {
  if (typeof value === 'string') return value.split(',').filter((text) => text !== '');
  return Array.isArray(value) ? value.flatMap((one: unknown) => textsIn(one)) : value;
}
