import type { z } from 'zod';

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

export function faultsOf({ issues }: z.ZodError): readonly Fault[] {
  return issues.flatMap((issue): readonly Fault[] => {
    const pointer = pointerOf(issue.path);
    if (issue.code !== 'unrecognized_keys') return [{ pointer, detail: detailOf(issue) }];
    return issue.keys.map((key) => ({ pointer: `${pointer}${pointerOf([key])}`, detail: 'is not known here' }));
  });
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
