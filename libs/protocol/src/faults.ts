import type { z } from 'zod';
import { LIMITS } from './limits.js';

/** One thing that is wrong with a message, and where. */
export interface Fault {
  /** JSON pointer (RFC 6901). */
  readonly pointer: string;
  /** Continues the place: 'must be a text'. */
  readonly detail: string;
}

type Issue = z.core.$ZodIssue;

const KINDS: Readonly<Record<string, string>> = {
  string: 'must be a text',
  int: 'must be a whole number',
  number: 'must be a number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
};

/** What is wrong with a message: its first faults. Whoever made a thousand has made a few of them again and again. */
export class Faults {
  readonly #listed: Fault[] = [];
  #more = false;

  /** At most {@link LIMITS.faults}. */
  get listed(): readonly Fault[] {
    return this.#listed;
  }

  /** Whether there are others: nobody needs to look for further ones. */
  get more(): boolean {
    return this.#more;
  }

  /** @param place of what was looked at */
  add(issues: readonly Issue[], place: readonly PropertyKey[] = []): this {
    for (const issue of issues) {
      const path = [...place, ...issue.path];
      if (issue.code !== 'unrecognized_keys') this.#note(path, detailOf(issue));
      else for (const key of issue.keys.slice(0, LIMITS.faults + 1)) this.#note([...path, key], 'is not known here');
      if (this.#more) break;
    }
    return this;
  }

  #note(path: readonly PropertyKey[], detail: string): void {
    if (this.#listed.length < LIMITS.faults) this.#listed.push({ pointer: pointerOf(path), detail });
    else this.#more = true;
  }
}

function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function detailOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return KINDS[issue.expected] ?? `must be ${issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `must ${sized(issue.origin)} at least ${issue.minimum}${unit(issue.origin)}`;
    case 'too_big':
      return `must ${sized(issue.origin)} at most ${issue.maximum}${unit(issue.origin)}`;
    default:
      return issue.message;
  }
}

function sized(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'have' : 'be';
}

function unit(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' entries' : '';
}
