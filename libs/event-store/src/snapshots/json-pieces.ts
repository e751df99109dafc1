/**
 * A large JSON value in pieces, none of which takes long to write or to read, so that whoever saves or loads one can do other things between two of them. The
 * first piece is the value; a container that is too heavy for one piece is empty there. Each further piece lists, container by container, what such a
 * container has next: `[[path, items or members], …]`. A value that is not too heavy is one piece, its JSON.
 *
 * Plain data only: objects with `toJSON` are not asked for it when they are divided.
 */

/** Most that stands in one piece (`jsonWeight`): some 50 KB of text, a millisecond's work. A single text that is longer stays whole. */
const PIECE = 2_000;

/** Characters of text that weigh as much as a value. */
const TEXT = 24;

type Path = readonly (string | number)[];
type Contents = unknown[] | Record<string, unknown>;

interface Unwritten {
  readonly path: Path;
  readonly container: object;
}

/**
 * How heavy a value is, to write or to keep: the number of values in it, where long texts count as several. It is not counted beyond `most`.
 *
 * @returns more than `most`, and not how much more, where it is heavier
 */
export function jsonWeight(value: unknown, most: number): number {
  if (typeof value === 'string') return 1 + value.length / TEXT;
  if (typeof value !== 'object' || value === null) return 1;
  let weight = 1;
  for (const key of Object.keys(value)) {
    if (weight > most) break;
    weight += jsonWeight((value as Readonly<Record<string, unknown>>)[key], most - weight);
  }
  return weight;
}

/** The pieces of a value, each made when it is asked for. The value must not change meanwhile. */
export function* jsonPieces(value: unknown): Generator<string, void, undefined> {
  const unwritten: Unwritten[] = [];
  yield JSON.stringify(outline(value, [], unwritten));
  let piece: (readonly [Path, Contents])[] = [];
  let weight = 0;
  for (let next = unwritten.pop(); next !== undefined; next = unwritten.pop()) {
    const { path, container } = next;
    let contents = emptyLike(container);
    piece.push([path, contents]);
    for (const key of Array.isArray(container) ? container.keys() : Object.keys(container)) {
      const member = (container as Readonly<Record<string, unknown>>)[key];
      const shown = outline(member, [...path, key], unwritten);
      const itsWeight = shown === member ? Math.min(PIECE, jsonWeight(member, PIECE)) : 1;
      if (weight > 0 && weight + itsWeight > PIECE) {
        yield JSON.stringify(piece);
        contents = emptyLike(container);
        piece = [[path, contents]];
        weight = 0;
      }
      put(contents, String(key), shown);
      weight += itsWeight;
    }
  }
  if (piece.length > 0) yield JSON.stringify(piece);
}

/** What stands in the place of a value: itself, or an empty container that is filled by what follows. */
function outline(value: unknown, path: Path, unwritten: Unwritten[]): unknown {
  if (typeof value !== 'object' || value === null || jsonWeight(value, PIECE) <= PIECE) return value;
  unwritten.push({ path, container: value });
  return emptyLike(value);
}

function emptyLike(container: object): Contents {
  return Array.isArray(container) ? [] : {};
}

/** Adds the next item, or a member of any name. */
function put(to: Contents, name: string, value: unknown): void {
  if (Array.isArray(to)) to.push(value);
  else if (name === '__proto__') Object.defineProperty(to, name, { value, enumerable: true, writable: true, configurable: true });
  else to[name] = value;
}

/** A value that is put together from its pieces, in their order. */
export class JsonAssembly {
  readonly value: unknown;

  /** @throws {SyntaxError} when it is no JSON */
  constructor(first: string) {
    this.value = JSON.parse(first);
  }

  /** @throws {SyntaxError} when it is no piece of this value */
  add(text: string): void {
    const piece: unknown = JSON.parse(text);
    if (!Array.isArray(piece)) throw new SyntaxError('a piece is a list');
    for (const part of piece) {
      const [path, contents] = Array.isArray(part) ? (part as readonly unknown[]) : [];
      const container = Array.isArray(path) ? path.reduce<unknown>(memberOf, this.value) : undefined;
      if (!isContainer(container) || !isContainer(contents) || Array.isArray(container) !== Array.isArray(contents)) {
        throw new SyntaxError(`the value has no place for what stands in a piece for ${JSON.stringify(path)}`);
      }
      for (const name of Object.keys(contents)) put(container, name, memberOf(contents, name));
    }
  }
}

function isContainer(value: unknown): value is Contents {
  return typeof value === 'object' && value !== null;
}

function memberOf(of: unknown, key: unknown): unknown {
  const name = String(key);
  return isContainer(of) && Object.hasOwn(of, name) ? (of as Readonly<Record<string, unknown>>)[name] : undefined;
}
