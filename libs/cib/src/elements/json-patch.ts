import { pointerTo } from './json-pointer.js';

/** Why a JSON Patch can't be applied. */
export interface PatchFault {
  /** `test-failed`: it is well formed, and what it expects is not so. */
  readonly kind: 'invalid' | 'test-failed';
  /** JSON pointer to the operation. */
  readonly pointer: string;
  readonly message: string;
}

export type PatchedJson = { readonly ok: true; readonly json: unknown } | { readonly ok: false; readonly fault: PatchFault };

/** Most operations of a patch. */
const MOST_OPERATIONS = 1_000;
/** Longest path, and deepest nesting of what is put anywhere. */
const MAX_DEPTH = 64;
/** Most values that the copies of a patch make together: a few copies of copies would make more than any memory holds. */
const MOST_COPIED = 100_000;
/** Most characters of their texts and names together: one long text, copied a thousand times, is a document that nothing can be done with in time. */
const MOST_COPIED_CHARACTERS = 500_000;

type Json = Readonly<Record<string, unknown>>;
type Tokens = readonly string[];

/** The members of each operation (RFC 6902 §4). */
const MEMBERS: Readonly<Record<string, readonly ('path' | 'value' | 'from')[]>> = {
  add: ['path', 'value'],
  remove: ['path'],
  replace: ['path', 'value'],
  move: ['from', 'path'],
  copy: ['from', 'path'],
  test: ['path', 'value'],
};

/** Thrown within this file only. */
class Unfit extends Error {
  constructor(
    message: string,
    readonly kind: PatchFault['kind'] = 'invalid',
  ) {
    super(message);
  }
}

/**
 * JSON with a JSON Patch applied to it (RFC 6902): all of its operations, or none; the first that can't be made is told. What was given stays as it was.
 *
 * Names such as `__proto__` are fields like all others, which are there or not. Costs what is on the paths and what is copied.
 *
 * @param pointer of the patch
 */
export function applyJsonPatch(target: unknown, patch: readonly unknown[], pointer: string): PatchedJson {
  if (patch.length > MOST_OPERATIONS) {
    return { ok: false, fault: { kind: 'invalid', pointer, message: `has more than ${String(MOST_OPERATIONS)} operations` } };
  }
  let json = target;
  const copies = { left: MOST_COPIED, characters: MOST_COPIED_CHARACTERS };
  for (const [index, operation] of patch.entries()) {
    try {
      json = applied(json, readOperation(operation), copies);
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      return { ok: false, fault: { kind: error.kind, pointer: pointerTo(pointer, index), message: error.message } };
    }
  }
  return { ok: true, json };
}

type Operation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: Tokens; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: Tokens }
  | { readonly op: 'move' | 'copy'; readonly from: Tokens; readonly path: Tokens };

function readOperation(given: unknown): Operation {
  if (!isObject(given)) throw new Unfit('must be an object with the field op');
  const fields = new Map(Object.entries(given));
  const op = fields.get('op');
  if (typeof op !== 'string' || !Object.hasOwn(MEMBERS, op)) throw new Unfit(`op must be one of ${Object.keys(MEMBERS).join(', ')}`);
  for (const member of MEMBERS[op] ?? []) if (!fields.has(member)) throw new Unfit(`${op} needs the field ${member}`);
  const path = tokensOf(fields.get('path'), 'path');
  if (op === 'remove') return { op, path };
  if (op === 'move' || op === 'copy') return { op, from: tokensOf(fields.get('from'), 'from'), path };
  const value = fields.get('value');
  measure(value, path.length, Number.POSITIVE_INFINITY);
  return { op: op as 'add' | 'replace' | 'test', path, value };
}

/** RFC 6901, sections 3 and 4. */
function tokensOf(path: unknown, field: string): Tokens {
  if (typeof path !== 'string' || !/^(?:\/(?:[^~/]|~[01])*)*$/u.test(path)) {
    throw new Unfit(`${field} must be a JSON pointer, e.g. /meta_attributes/target-role`);
  }
  const tokens = path.split('/').slice(1);
  if (tokens.length > MAX_DEPTH) throw new Unfit(`${field} is deeper than ${String(MAX_DEPTH)} levels`);
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function applied(json: unknown, operation: Operation, copies: { left: number; characters: number }): unknown {
  const { op, path } = operation;
  switch (op) {
    case 'add':
      return put(json, path, operation.value, 'add');
    case 'replace':
      return put(json, path, operation.value, 'replace');
    case 'remove':
      return without(json, path);
    case 'test':
      if (sameJson(testedAt(json, path), operation.value)) return json;
      throw new Unfit(`the test fails: ${shownPath(path)} is another one`, 'test-failed');
    case 'move': {
      const { from } = operation;
      if (from.length < path.length && from.every((token, index) => path[index] === token))
        throw new Unfit('what is moved can not go into itself');
      const value = valueAt(json, from);
      measure(value, path.length, Number.POSITIVE_INFINITY);
      return put(without(json, from), path, value, 'add');
    }
    case 'copy': {
      const value = valueAt(json, operation.from);
      copies.left -= measure(value, path.length, copies.left);
      copies.characters -= charactersIn(value);
      if (copies.characters < 0) throw new Unfit(`the patch copies more than ${String(MOST_COPIED_CHARACTERS)} characters`);
      return put(json, path, value, 'add');
    }
  }
}

/** What is not there is not what a test expects (RFC 6902 §4.6): no fault of the patch. */
function testedAt(json: unknown, path: Tokens): unknown {
  try {
    return valueAt(json, path);
  } catch (error) {
    throw error instanceof Unfit ? new Unfit(`the test fails: ${error.message}`, 'test-failed') : error;
  }
}

function valueAt(json: unknown, path: Tokens): unknown {
  let value = json;
  for (const [depth, token] of path.entries()) value = childOf(value, token, path.slice(0, depth + 1));
  return value;
}

function childOf(parent: unknown, token: string, path: Tokens): unknown {
  if (Array.isArray(parent)) return (parent as readonly unknown[])[indexIn(parent, token, parent.length - 1, path)];
  if (isObject(parent) && Object.hasOwn(parent, token)) return parent[token];
  throw new Unfit(`there is nothing at ${shownPath(path)}`);
}

/** @param last the greatest index that will do */
function indexIn(list: readonly unknown[], token: string, last: number, path: Tokens): number {
  const index = /^(?:0|[1-9]\d{0,8})$/.test(token) ? Number(token) : undefined;
  if (index !== undefined && index <= last) return index;
  throw new Unfit(`there is nothing at ${shownPath(path)}: the list has ${String(list.length)} entries`);
}

function put(json: unknown, path: Tokens, value: unknown, how: 'add' | 'replace'): unknown {
  return changed(
    json,
    path,
    0,
    (parent, token) => {
      if (Array.isArray(parent)) {
        const list: readonly unknown[] = parent;
        if (how === 'replace') return list.with(indexIn(list, token, list.length - 1, path), value);
        return list.toSpliced(token === '-' ? list.length : indexIn(list, token, list.length, path), 0, value);
      }
      if (!isObject(parent)) throw new Unfit(`there is nothing that ${shownPath(path)} could be in`);
      if (how === 'replace') childOf(parent, token, path);
      return withField(parent, token, value);
    },
    value,
  );
}

function without(json: unknown, path: Tokens): unknown {
  if (path.length === 0) throw new Unfit('the whole can not be removed');
  return changed(json, path, 0, (parent, token) => {
    childOf(parent, token, path);
    if (Array.isArray(parent)) return (parent as readonly unknown[]).toSpliced(Number(token), 1);
    return Object.fromEntries(Object.entries(parent as Json).filter(([name]) => name !== token));
  });
}

/** With what a path leads into made anew; all else is shared. @param whole in place of all, for the empty path */
function changed(
  json: unknown,
  path: Tokens,
  depth: number,
  change: (parent: unknown, token: string) => unknown,
  whole?: unknown,
): unknown {
  const token = path[depth];
  if (token === undefined) return whole;
  if (depth === path.length - 1) return change(json, token);
  const child = changed(childOf(json, token, path.slice(0, depth + 1)), path, depth + 1, change);
  return Array.isArray(json) ? (json as readonly unknown[]).with(Number(token), child) : withField(json as Json, token, child);
}

/** Entries are made, not assigned: `__proto__` is a name. A field that is there keeps its place. */
function withField(object: Json, name: string, value: unknown): Json {
  const entries = new Map(Object.entries(object));
  entries.set(name, value);
  return Object.fromEntries(entries);
}

/** How many values there are in one. @throws {Unfit} when there are more than may be, or they are nested too deeply */
function measure(json: unknown, depth: number, most: number): number {
  if (depth > 2 * MAX_DEPTH) throw new Unfit(`what it makes is deeper than ${String(2 * MAX_DEPTH)} levels`);
  if (most < 1) throw new Unfit(`the patch copies more than ${String(MOST_COPIED)} values`);
  if (typeof json !== 'object' || json === null) return 1;
  let count = 1;
  for (const value of Object.values(json)) count += measure(value, depth + 1, most - count);
  return count;
}

/** Of its texts and names. */
function charactersIn(json: unknown): number {
  if (typeof json === 'string') return json.length;
  if (typeof json !== 'object' || json === null) return 0;
  return Object.entries(json).reduce((sum, [name, value]) => sum + (Array.isArray(json) ? 0 : name.length) + charactersIn(value), 0);
}

/** Whether two JSON values say the same; the order of fields says nothing. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, index) => sameJson(value, (other as readonly unknown[])[index]));
  }
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length && names.every((name) => Object.hasOwn(other, name) && sameJson(one[name], other[name]))
  );
}

function shownPath(path: Tokens): string {
  return path.length === 0 ? 'the whole' : path.reduce(pointerTo, '');
}

function isObject(json: unknown): json is Json {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
