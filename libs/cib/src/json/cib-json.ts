import { holdsMoreThan, type XmlElement, type XmlNode } from '../xml/element.js';
import { isXmlName } from '../xml/serialize-xml.js';

/** An element as JSON; the order of attributes and children is the document's. `children` is left out when there are none. */
export interface ElementJson {
  readonly element: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children?: readonly (ElementJson | CommentJson)[];
}

export interface CommentJson {
  readonly comment: string;
}

/** Thrown when a JSON value is no element; `pointer` (RFC 6901) says which part of it. */
export class CibJsonError extends Error {
  override readonly name = 'CibJsonError';

  constructor(
    readonly pointer: string,
    message: string,
  ) {
    super(`${pointer === '' ? 'the document' : pointer}: ${message}`);
  }
}

/** Deepest nesting of elements that is read, as {@link parseXml} bounds it. */
const MAX_DEPTH = 256;

/** An element as plain JSON data; {@link cibFromJson} gives it back, comments included and lines apart. */
export function cibToJson(element: XmlElement): ElementJson {
  const { name, attributes, children } = element;
  const shown = { element: name, attributes: { ...attributes } };
  return children.length === 0 ? shown : { ...shown, children: children.map(nodeToJson) };
}

/** Elements whose text is made in one go: with all that is in them they take a fraction of a millisecond. */
const IN_ONE_STEP = 400;

/** The JSON text of {@link cibToJson}, with pauses in which something else may be done. */
export function* writingCibJson(root: XmlElement): Generator<void, string, undefined> {
  const texts: string[] = [];
  yield* writeSteps(root, texts);
  return texts.join('');
}

function* writeSteps(node: XmlNode, texts: string[]): Generator<void, void, undefined> {
  if (node.kind === 'comment' || !holdsMoreThan(node, IN_ONE_STEP)) {
    texts.push(JSON.stringify(nodeToJson(node)));
    yield;
    return;
  }
  texts.push(`${JSON.stringify({ element: node.name, attributes: node.attributes }).slice(0, -1)},"children":[`);
  for (const [index, child] of node.children.entries()) {
    if (index > 0) texts.push(',');
    yield* writeSteps(child, texts);
  }
  texts.push(']}');
}

function nodeToJson(node: XmlNode): ElementJson | CommentJson {
  return node.kind === 'comment' ? { comment: node.text } : cibToJson(node);
}

/**
 * Reads an element from parsed JSON of any origin.
 *
 * @throws {CibJsonError} at the first thing that is not as {@link ElementJson} says, or that XML could not hold.
 */
export function cibFromJson(json: unknown): XmlElement {
  return readElement(json, '', 1);
}

function readElement(json: unknown, pointer: string, depth: number): XmlElement {
  if (depth > MAX_DEPTH) throw new CibJsonError(pointer, `elements are nested deeper than ${MAX_DEPTH} levels`);
  const fields = readObject(json, pointer);
  requireFields(fields, ['element', 'attributes', 'children'], pointer);
  const { element: name, attributes, children } = fields;
  if (typeof name !== 'string' || !isXmlName(name)) throw new CibJsonError(`${pointer}/element`, 'this must be an XML name');
  return {
    kind: 'element',
    name,
    attributes: attributes === undefined ? {} : readAttributes(attributes, `${pointer}/attributes`),
    children: children === undefined ? [] : readChildren(children, `${pointer}/children`, depth),
  };
}

function readAttributes(json: unknown, pointer: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [name, value] of Object.entries(readObject(json, pointer))) {
    const place = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!isXmlName(name)) throw new CibJsonError(place, 'the name must be an XML name');
    if (typeof value !== 'string') throw new CibJsonError(place, 'the value must be a string');
    requireCharacters(value, place);
    attributes[name] = value;
  }
  return attributes;
}

function readChildren(json: unknown, pointer: string, depth: number): XmlNode[] {
  if (!Array.isArray(json)) throw new CibJsonError(pointer, 'this must be a list');
  return json.map((child: unknown, index) => {
    const place = `${pointer}/${index}`;
    const fields = readObject(child, place);
    return 'comment' in fields ? readComment(fields, place) : readElement(child, place, depth + 1);
  });
}

function readComment(fields: Readonly<Record<string, unknown>>, pointer: string): XmlNode {
  requireFields(fields, ['comment'], pointer);
  const { comment } = fields;
  if (typeof comment !== 'string') throw new CibJsonError(`${pointer}/comment`, 'this must be a string');
  if (comment.includes('--') || comment.endsWith('-')) {
    throw new CibJsonError(`${pointer}/comment`, 'a comment must not contain "--" or end with "-"');
  }
  if (comment.includes('\r')) throw new CibJsonError(`${pointer}/comment`, 'a comment must not contain carriage returns');
  requireCharacters(comment, `${pointer}/comment`);
  return { kind: 'comment', text: comment };
}

function readObject(json: unknown, pointer: string): Readonly<Record<string, unknown>> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new CibJsonError(pointer, 'this must be an object');
  return { ...json };
}

function requireFields(fields: Readonly<Record<string, unknown>>, known: readonly string[], pointer: string): void {
  for (const name of Object.keys(fields)) {
    if (!known.includes(name)) throw new CibJsonError(pointer, `"${name}" is not known here; use ${known.join(', ')}`);
  }
}

/** Control characters other than white space, and lone halves of surrogate pairs, have no XML form. */
function requireCharacters(text: string, pointer: string): void {
  if (/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u.test(text)) {
    throw new CibJsonError(pointer, 'the text holds a character that XML cannot hold');
  }
}
