import { z } from 'zod';
import { LIMITS } from './limits.js';

/** What every field of a message is made of, so that a limit is said once and holds at both ends and in the API's description. */

/** Characters are UTF-16 code units. */
export interface TextLimits {
  readonly min?: number;
  readonly max?: number;
}

export function text(description: string, { min = 1, max = LIMITS.nameChars }: TextLimits = {}): z.ZodString {
  return z.string().min(min).max(max).describe(description);
}

export function whole(description: string, { min = 0, max = Number.MAX_SAFE_INTEGER } = {}): z.ZodInt {
  return z.int().min(min).max(max).describe(description);
}

/** @param max entries */
export function texts(description: string, max: number): z.ZodArray<z.ZodString> {
  return z.array(z.string().max(LIMITS.nameChars)).max(max).describe(description);
}

/** Names and values, e.g. of a resource's parameters. */
export function pairs(description: string): z.ZodRecord<z.ZodString, z.ZodString> {
  return z.record(z.string(), z.string()).describe(description);
}

export const { exactOptional: optional } = z;

/** A value that came over the wire is nobody's to change. */
export type Wire<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer Entry)[]
    ? readonly Wire<Entry>[]
    : { readonly [Name in keyof T]: Wire<T[Name]> };
