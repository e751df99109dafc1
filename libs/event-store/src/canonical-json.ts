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
  return plainJson(value, 0) ?? new Writer().write(value);
}

/** Deeper than anything that is stored; a cycle is deeper than anything. */
const MOST_DEPTH = 100;
/** Text that JSON writes as it is. */
const AS_IT_IS = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/**
 * The same for what nothing is special about, in a third of the time: nobody keeps account of where it is. Undefined for everything else, also for what is refused: the writer says why, and where.
 */
function plainJson(value: unknown, depth: number): string | undefined {
  switch (typeof value) {
    case 'string':
      return plainText(value);
    case 'number':
      return Number.isFinite(value) ? String(value) : undefined;
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (depth > MOST_DEPTH || 'toJSON' in value) return undefined;
      return Array.isArray(value) ? plainItems(value, depth) : plainMembers(value as Readonly<Record<string, unknown>>, depth);
    default:
      return undefined;
  }
}

function plainItems(items: readonly unknown[], depth: number): string | undefined {
  let json = '[';
  let between = '';
  // Without `entries()`, which makes an array for each.
  for (const item of items) {
    const written = plainJson(item, depth + 1);
    if (written === undefined) return undefined;
    json += between + written;
    between = ',';
  }
  return `${json}]`;
}

function plainMembers(value: Readonly<Record<string, unknown>>, depth: number): string | undefined {
  let json = '';
  // By UTF-16 code units, which is what a sort without a comparison goes by.
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member === undefined) continue;
    const name = plainText(key);
    const written = plainJson(member, depth + 1);
    if (name === undefined || written === undefined) return undefined;
    json += json === '' ? `${name}:${written}` : `,${name}:${written}`;
  }
  return `{${json}}`;
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
