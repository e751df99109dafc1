import { holdsMoreThan, type XmlElement, type XmlNode } from './element.js';
import { LongText } from './long-text.js';
import { XmlError } from './xml-error.js';

/**
 * Writes a tree as text: no XML declaration, one tag per line, two blanks per depth, a newline after each tag (specification
 * 08 §3.10). Reading the text again gives an equal tree.
 *
 * @param indent stands before every line.
 * @throws {XmlError} `bad-name` or `bad-character` for a tree that was made in code and has no XML form; a tree that was read always has one. `too-large` when the
 * text would be longer than 500 million characters.
 */
export function serializeXml(root: XmlElement, indent = ''): string {
  const text = new LongText();
  writeNode(root, indent, text);
  return text.toString();
}

/** Elements that are written in one go, by `serializingXml`: with all that is in them they take a fraction of a millisecond. */
const IN_ONE_STEP = 400;

/**
 * As {@link serializeXml}, with pauses in which something else may be done.
 *
 * @throws {XmlError} as that
 */
export function* serializingXml(root: XmlElement): Generator<void, string, undefined> {
  const text = new LongText();
  yield* writeSteps(root, '', text);
  return text.toString();
}

function* writeSteps(node: XmlNode, indent: string, text: LongText): Generator<void, void, undefined> {
  if (node.kind === 'comment' || !holdsMoreThan(node, IN_ONE_STEP)) {
    writeNode(node, indent, text);
    yield;
    return;
  }
  text.add(`${indent}<${tagText(node)}>\n`);
  for (const child of node.children) yield* writeSteps(child, `${indent}  `, text);
  text.add(`${indent}</${node.name}>\n`);
}

/** The start tag's inside: name and attributes, escaped, without angle brackets. */
function tagText(element: XmlElement): string {
  requireName(element.name, element);
  let text = element.name;
  for (const name in element.attributes) {
    requireName(name, element);
    text += ` ${name}="${escapeAttribute(element.attributes[name] ?? '', element)}"`;
  }
  return text;
}

function writeNode(node: XmlNode, indent: string, text: LongText): void {
  if (node.kind === 'comment') {
    if (node.text.includes('--') || node.text.endsWith('-')) {
      throw new XmlError('bad-character', 'a comment must not contain "--" or end with "-"');
    }
    requireCharacters(node.text);
    text.add(`${indent}<!--${node.text}-->\n`);
    return;
  }
  const tag = tagText(node);
  if (node.children.length === 0) {
    text.add(`${indent}<${tag}/>\n`);
    return;
  }
  text.add(`${indent}<${tag}>\n`);
  const deeper = `${indent}  `;
  for (const child of node.children) writeNode(child, deeper, text);
  text.add(`${indent}</${node.name}>\n`);
}

/** Checked once per distinct name in the life of the process; the set stays small because names come from the CIB's vocabulary. */
const knownNames = new Set<string>();
const MAX_KNOWN_NAMES = 10_000;
const NAME = /^[:A-Z_a-z\u00C0-\uFFFD][:A-Z_a-z\u00C0-\uFFFD0-9.\u00B7-]*$/;

/** Whether a text can name an element or an attribute. */
export function isXmlName(text: string): boolean {
  return NAME.test(text) && text !== '__proto__';
}

function requireName(name: string, owner: XmlElement): void {
  if (knownNames.has(name)) return;
  if (!isXmlName(name)) throw new XmlError('bad-name', `"${name}" is not an XML name`, { element: owner.name });
  if (knownNames.size < MAX_KNOWN_NAMES) knownNames.add(name);
}

/**
 * Escapes an attribute value as specification 08 §3.10 says: the markup characters by name, other non-printable ASCII as two-digit
 * hexadecimal references (so that a reader's whitespace normalisation can't change them); the rest stays.
 */
function escapeAttribute(value: string, owner: XmlElement): string {
  let escaped = '';
  let copied = 0;
  let surrogates = false;
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index);
    if (code >= 0xd800 && code <= 0xdfff) surrogates = true;
    const replacement = escapeOf(code, owner);
    if (replacement === undefined) continue;
    escaped += value.slice(copied, index) + replacement;
    copied = index + 1;
  }
  if (surrogates) requirePairs(value, owner.name);
  return copied === 0 ? value : escaped + value.slice(copied);
}

function escapeOf(code: number, owner: XmlElement): string | undefined {
  if (code > 0x3e && code < 0x7f) return undefined;
  switch (code) {
    case 0x3c:
      return '&lt;';
    case 0x3e:
      return '&gt;';
    case 0x26:
      return '&amp;';
    case 0x22:
      return '&quot;';
    default:
  }
  if (code >= 0x20 && code !== 0x7f) {
    if (code === 0xfffe || code === 0xffff) throw badCharacter(code, owner.name);
    return undefined;
  }
  if (code === 0x09 || code === 0x0a || code === 0x0d || code === 0x7f) {
    return `&#x${code.toString(16).toUpperCase().padStart(2, '0')};`;
  }
  throw badCharacter(code, owner.name);
}

/** Half a surrogate pair is no character. */
function requirePairs(text: string, element?: string): void {
  const index = text.search(/\p{Surrogate}/u);
  if (index >= 0) throw badCharacter(text.charCodeAt(index), element);
}

function requireCharacters(comment: string): void {
  requirePairs(comment);
  for (let index = 0; index < comment.length; index += 1) {
    const code = comment.charCodeAt(index);
    // A carriage return has no escape in a comment and would come back as a newline.
    if ((code < 0x20 && code !== 0x09 && code !== 0x0a) || code === 0xfffe || code === 0xffff) throw badCharacter(code);
  }
}

function badCharacter(code: number, element?: string): XmlError {
  const shown = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return new XmlError('bad-character', `XML cannot hold the character ${shown}`, element === undefined ? {} : { element });
}
