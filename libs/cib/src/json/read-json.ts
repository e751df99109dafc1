import { pointerTo } from '../elements/json-pointer.js';
import { endOfText, JSON_MARK } from './json-text.js';

/** An object has a key twice: which of both is meant nobody knows, and `JSON.parse` takes the last one without a word. */
export class RepeatedKey extends Error {
  override readonly name = 'RepeatedKey';

  /** JSON pointer of the key (RFC 6901); of a long one the beginning, and then `…`. */
  readonly pointer: string;

  constructor(pointer: string) {
    const shown = pointer.length > MOST_SHOWN ? `${pointer.slice(0, MOST_SHOWN)}…` : pointer;
    super(`the key ${shown} is there twice: leave one of them out`);
    this.pointer = shown;
  }
}

/** Of a pointer, characters. */
const MOST_SHOWN = 1_000;

/** What is nested deeper is not looked at: no document that anybody reads is (`MAX_DEPTH` of the CIB's form, and of bodies). */
const MOST_LEVELS = 1_000;

/**
 * A JSON text of any origin; no object may have a key twice (RFC 8259 §4), down to a thousand levels, than which nothing is deeper that is read on.
 *
 * @throws {SyntaxError} for what is no JSON
 * @throws {RepeatedKey}
 */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  requireSingleKeys(text);
  return value;
}

/** What is open, one for each level and used again: a document of megabytes has hundreds of thousands of objects. */
interface Level {
  /** Of the object; lists have none. */
  keys: Set<string> | undefined;
  isObject: boolean;
  /** Where it stands: the key of an object's member, or the index in a list. */
  key: string;
  index: number;
}

/** Goes over a text that is JSON from one end to the other, once. */
function requireSingleKeys(json: string): void {
  const levels: Level[] = [];
  let depth = 0;
  let isKeyNext = false;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case JSON_MARK.quote: {
        const end = endOfText(json, at);
        const level = levels[depth - 1];
        if (isKeyNext && level !== undefined) takeKey(level, json.slice(at + 1, end), levels, depth);
        isKeyNext = false;
        at = end;
        break;
      }
      case JSON_MARK.openObject:
      case JSON_MARK.openList: {
        isKeyNext = json.charCodeAt(at) === JSON_MARK.openObject;
        if (depth < MOST_LEVELS) {
          const level = (levels[depth] ??= { keys: undefined, isObject: isKeyNext, key: '', index: 0 });
          level.isObject = isKeyNext;
          level.index = 0;
          level.keys?.clear();
        }
        depth += 1;
        break;
      }
      case JSON_MARK.closeObject:
      case JSON_MARK.closeList:
        depth -= 1;
        isKeyNext = false;
        break;
      case JSON_MARK.comma: {
        const level = levels[depth - 1];
        if (level === undefined) break;
        isKeyNext = level.isObject;
        level.index += 1;
      }
    }
  }
}

function takeKey(level: Level, raw: string, levels: readonly Level[], depth: number): void {
  const key = raw.includes('\\') ? String(JSON.parse(`"${raw}"`)) : raw;
  level.key = key;
  level.keys ??= new Set();
  if (level.keys.has(key))
    throw new RepeatedKey(
      levels.slice(0, depth).reduce((whole, { isObject, key: name, index }) => pointerTo(whole, isObject ? name : index), ''),
    );
  level.keys.add(key);
}
