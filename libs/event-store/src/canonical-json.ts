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
  return new Writer().write(value);
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
