import { RawJson } from './raw-json.js';

/** Pieces are about so long, in characters or bytes: each is made in about a millisecond. */
const PIECE_LENGTH = 65_536;

/** A value with more members than this, itself and all below, is not written in one go. */
const MOST_MEMBERS = 2_000;

/** Whether an answer takes so long to be written that this has to be done bit by bit. */
export function isLongJson(value: unknown): boolean {
  const pending = [value];
  let members = 0;
  let length = 0;
  for (let at = pending.pop(); members <= MOST_MEMBERS && length <= PIECE_LENGTH * 4; at = pending.pop()) {
    if (at instanceof RawJson) length += at.bytes.length;
    else if (typeof at === 'string') length += at.length;
    else if (typeof at === 'object' && at !== null) {
      const below: unknown[] = Object.values(at);
      members += below.length;
      for (const one of below.slice(0, MOST_MEMBERS + 1)) pending.push(one);
    }
    if (pending.length === 0) return members > MOST_MEMBERS || length > PIECE_LENGTH * 4;
  }
  return true;
}

/** The JSON of a value, as `JSON.stringify` writes it, piece by piece. */
export function* jsonPieces(value: unknown): Generator<Uint8Array, void, undefined> {
  let text = '';
  for (const part of parts(value)) {
    if (typeof part === 'string') {
      text += part;
      if (text.length < PIECE_LENGTH) continue;
    }
    if (text !== '') yield Buffer.from(text);
    text = '';
    if (typeof part === 'string') continue;
    for (let start = 0; start < part.bytes.length; start += PIECE_LENGTH) yield part.bytes.subarray(start, start + PIECE_LENGTH);
  }
  if (text !== '') yield Buffer.from(text);
}

function* parts(value: unknown): Generator<string | RawJson, void, undefined> {
  if (value instanceof RawJson) {
    yield value;
    return;
  }
  if (typeof value !== 'object' || value === null || hasOwnForm(value) || !isLongJson(value)) {
    yield value === undefined ? 'null' : JSON.stringify(value);
    return;
  }
  if (Array.isArray(value)) {
    yield '[';
    for (const [index, item] of value.entries()) {
      if (index > 0) yield ',';
      yield* parts(item);
    }
    yield ']';
    return;
  }
  let before = '{';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || typeof member === 'function') continue;
    yield `${before}${JSON.stringify(name)}:`;
    before = ',';
    yield* parts(member);
  }
  yield before === '{' ? '{}' : '}';
}

function hasOwnForm(value: object): boolean {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
