import { InvalidEvent } from './errors.js';

/**
 * Canonical JSON after RFC 8785: no white space, object keys sorted by UTF-16 code units, numbers and strings as ECMAScript writes them.
 * Properties whose value is `undefined` are left out, as `JSON.stringify` does; objects with `toJSON` (dates) are replaced by its result.
 *
 * Stricter than RFC 8785 where PostgreSQL's `jsonb` is: U+0000 is refused.
 *
 * @throws {InvalidEvent} naming the JSON pointer of a value that has no canonical form: NaN or an infinity, a bigint, a function, a symbol,
 * `undefined` in an array or at the top, a string or key with a lone surrogate or U+0000, a cycle
 */
export function canonicalJson(value: unknown): string {
  return plainJson(value, 0, plainText) ?? new Writer().write(value);
}

/**
 * The canonical form of JSON as PostgreSQL writes it, which has no lone surrogates.
 *
 * @throws {SyntaxError} when it is no JSON @throws {InvalidEvent} as {@link canonicalJson}
 */
export function canonicalJsonOf(json: string): string {
  const value: unknown = JSON.parse(json);
  // Where nothing is escaped nothing has to be.
  const written = json.includes('\\') ? undefined : plainJson(value, 0, quoted);
  return written ?? canonicalJson(value);
}

/** Deeper than anything that is stored; a cycle is deeper than anything. */
const MOST_DEPTH = 100;
/** Text that JSON writes as it is. */
const AS_IT_IS = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/**
 * The same for what nothing is special about, in a third of the time: nobody keeps account of where it is. Undefined for everything else, also for what is refused: the writer says why, and where.
 */
function plainJson(value: unknown, depth: number, texts: TextWriter): string | undefined {
  switch (typeof value) {
    case 'string':
      return texts(value);
    case 'number':
      return Number.isFinite(value) ? String(value) : undefined;
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (depth > MOST_DEPTH || 'toJSON' in value) return undefined;
      return Array.isArray(value)
        ? plainItems(value, depth, texts)
        : plainMembers(value as Readonly<Record<string, unknown>>, depth, texts);
    default:
      return undefined;
  }
}

function plainItems(items: readonly unknown[], depth: number, texts: TextWriter): string | undefined {
  let json = '[';
  let between = '';
  // Without `entries()`, which makes an array for each.
  for (const item of items) {
    const written = plainJson(item, depth + 1, texts);
    if (written === undefined) return undefined;
    json += between + written;
    between = ',';
  }
  return `${json}]`;
}

function plainMembers(value: Readonly<Record<string, unknown>>, depth: number, texts: TextWriter): string | undefined {
  let json = '';
  const order = orderOf(Object.keys(value));
  if (order === undefined) return undefined;
  const { sorted, names } = order;
  for (let at = 0; at < sorted.length; at++) {
    const member = value[sorted[at] ?? ''];
    if (member === undefined) continue;
    const written = plainJson(member, depth + 1, texts);
    if (written === undefined) return undefined;
    json += json === '' ? `${names[at] ?? ''}${written}` : `,${names[at] ?? ''}${written}`;
  }
  return `{${json}}`;
}

/** In which order the members of an object are written. */
interface MemberOrder {
  /** As the object has them. */
  readonly keys: readonly string[];
  readonly sorted: readonly string[];
  /** Of `sorted`, each as it is written, with its colon. */
  readonly names: readonly string[];
}

/** Most objects have the keys of one before in the same order, and to sort them costs more than all the rest: the last orders are remembered, each where its keys belong. */
const ORDERS: (MemberOrder | undefined)[] = Array.from({ length: 256 }, () => undefined);
const MOST_KEYS = 64;
const MOST_KEY_LENGTH = 64;

/** @returns undefined when a key is refused */
function orderOf(keys: readonly string[]): MemberOrder | undefined {
  const { length } = keys;
  const place = (length * 61 + (keys[0]?.length ?? 0) * 17 + (keys[length - 1]?.length ?? 0)) % ORDERS.length;
  const known = ORDERS[place];
  if (known !== undefined && areSame(known.keys, keys)) return known;
  // By UTF-16 code units, which is what a sort without a comparison goes by.
  const sorted = [...keys].sort();
  const names: string[] = [];
  for (const key of sorted) {
    const name = plainText(key);
    if (name === undefined) return undefined;
    names.push(`${name}:`);
  }
  const order = { keys, sorted, names };
  if (length <= MOST_KEYS && keys.every((key) => key.length <= MOST_KEY_LENGTH)) ORDERS[place] = order;
  return order;
}

function areSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

/** @returns undefined for what is refused, or not known to be canonical */
type TextWriter = (text: string) => string | undefined;

function quoted(text: string): string {
  return `"${text}"`;
}

function plainText(text: string): string | undefined {
  if (AS_IT_IS.test(text)) return `"${text}"`;
  return text.isWellFormed() && !text.includes('\0') ? JSON.stringify(text) : undefined;
}

class Writer {
  /** Where the writer is, for errors: keys and indexes from the top. */
  readonly #path: (string | number)[] = [];
  readonly #ancestors: object[] = [];

  write(value: unknown): string {
    switch (typeof value) {
      case 'string':
        return this.#text(value);
      case 'number':
        if (!Number.isFinite(value)) throw this.#invalid(`${value} is not a JSON number`);
        return JSON.stringify(value);
      case 'boolean':
        return value ? 'true' : 'false';
      case 'object':
        return value === null ? 'null' : this.#container(value);
      default:
        throw this.#invalid(`${typeof value} is not a JSON value`);
    }
  }

  #container(value: object): string {
    if (this.#ancestors.includes(value)) throw this.#invalid('the value contains itself');
    this.#ancestors.push(value);
    const json = this.#members(value);
    this.#ancestors.pop();
    return json;
  }

  #members(value: object): string {
    if ('toJSON' in value && typeof value.toJSON === 'function') return this.write(Reflect.apply(value.toJSON, value, []));
    if (Array.isArray(value)) return `[${value.map((item: unknown, index) => this.#at(index, item)).join(',')}]`;
    let members = '';
    for (const [key, member] of Object.entries(value).sort(byKey)) {
      if (member === undefined) continue;
      members += `${members === '' ? '' : ','}${this.#text(key)}:${this.#at(key, member)}`;
    }
    return `{${members}}`;
  }

  #at(step: string | number, value: unknown): string {
    this.#path.push(step);
    const json = this.write(value);
    this.#path.pop();
    return json;
  }

  #text(value: string): string {
    if (!value.isWellFormed() || value.includes('\0')) throw this.#invalid('text with U+0000 or a lone surrogate cannot be stored');
    return JSON.stringify(value);
  }

  #invalid(reason: string): InvalidEvent {
    return new InvalidEvent(this.#path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''), reason);
  }
}

/** By UTF-16 code units, which is how ECMAScript compares strings. */
function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
