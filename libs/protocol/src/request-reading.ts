import { z } from 'zod';
import { Faults } from './faults.js';

/** Entries of a list that are read before it is looked whether enough is wrong. */
const AT_A_TIME = 32;

/** A list of a message: its length and its entries are looked at apart. */
interface List {
  readonly name: string;
  readonly isOptional: boolean;
  /** As many entries as it may have, whatever they are. */
  readonly length: z.ZodType;
  readonly entries: z.ZodType<unknown[]>;
}

export type Reading<T> = { readonly data: T } | { readonly faults: Faults };

/**
 * How a message without unknown fields is read that anybody may have sent: no list is looked at that is too long, and none further than until enough is wrong with it. One with ten
 * thousand faults then takes no longer than one with twenty.
 */
export function readingOf<T extends z.ZodObject>(message: T): (value: unknown) => Reading<z.infer<T>> {
  const lists = Object.entries<z.core.$ZodType>(message.shape).flatMap(([name, field]) => listIn(name, field));
  const frame = z.strictObject(
    Object.fromEntries(Object.entries(message.shape).filter(([name]) => !lists.some((list) => list.name === name))),
  );
  const names = new Set(lists.map(({ name }) => name));
  return (value) => {
    const faults = new Faults();
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return { faults: faults.add(message.safeParse(value).error?.issues ?? []) };
    }
    // Nearly all messages: what is short is looked at in one go.
    if (lists.every(({ name }) => isShort((value as Readonly<Record<string, unknown>>)[name]))) {
      const whole = message.safeParse(value);
      if (whole.success) return { data: whole.data };
    }
    const given = new Map<string, unknown>(Object.entries(value));
    const framed = frame.safeParse(lists.length === 0 ? value : Object.fromEntries([...given].filter(([name]) => !names.has(name))));
    if (!framed.success) faults.add(framed.error.issues);
    const read = lists.flatMap((list) =>
      given.has(list.name) || !list.isOptional ? [[list.name, entriesOf(list, given.get(list.name), faults)]] : [],
    );
    return faults.listed.length > 0 ? { faults } : { data: { ...framed.data, ...Object.fromEntries(read) } as z.infer<T> };
  };
}

function isShort(list: unknown): boolean {
  return !Array.isArray(list) || list.length <= AT_A_TIME;
}

function listIn(name: string, field: z.core.$ZodType): readonly List[] {
  const isOptional = field instanceof z.ZodExactOptional;
  const list: unknown = isOptional ? field.unwrap() : field;
  if (!(list instanceof z.ZodArray)) return [];
  return [{ name, isOptional, length: list.clone({ ...list.def, element: z.unknown() }), entries: z.array(list.element as z.ZodType) }];
}

function entriesOf({ name, length, entries }: List, value: unknown, faults: Faults): readonly unknown[] {
  const counted = length.safeParse(value);
  if (!counted.success) faults.add(counted.error.issues, [name]);
  if (!counted.success || !Array.isArray(value)) return [];
  const read: unknown[] = [];
  for (let from = 0; from < value.length && !faults.more; from += AT_A_TIME) {
    const some = entries.safeParse(value.slice(from, from + AT_A_TIME));
    if (some.success) read.push(...some.data);
    else
      faults.add(
        some.error.issues.map((issue) => ({ ...issue, path: [from + Number(issue.path[0]), ...issue.path.slice(1)] })),
        [name],
      );
  }
  return read;
}
