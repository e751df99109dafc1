import type { XmlElement, XmlNode } from './element.js';
import { keepStrayTexts, MOST_STRAY_TEXTS, shownText, type StrayText } from './stray-text.js';
import type { Vocabulary } from './vocabulary.js';
import { XmlError, type XmlErrorReason } from './xml-error.js';
import { attributeValue, type Complain, isSpace, NAME, RARE, requireCharacters, requireText, simpleNameEnd } from './xml-text.js';

interface ExpectedAttribute {
  readonly name: string;
  /** What stands before its value. */
  readonly opening: string;
  /** The last value. */
  last: string;
}

/** An element under construction: its children list is still growing. */
interface OpenElement extends XmlElement {
  readonly children: XmlNode[];
}

const XML_DECLARATION = new RegExp(
  String.raw`<\?xml\s+version\s*=\s*(["'])1\.\d+\1(?:\s+encoding\s*=\s*(["'])[A-Za-z][\w.-]*\2)?(?:\s+standalone\s*=\s*(["'])(?:yes|no)\3)?\s*\?>`,
  'y',
);
/** Behind every index. */
const NOWHERE = Number.POSITIVE_INFINITY;
const EXCLAMATION = 0x21;
const QUOTE = 0x22;
const SLASH = 0x2f;
const GREATER = 0x3e;
const QUESTION = 0x3f;

/**
 * Reads a document from mark-up to mark-up (XML 1.0, well-formedness without document types). It looks ahead with the engine's own searches, which are
 * many times faster than a walk over characters: a large status has hundreds of megabytes.
 */
export class DocumentReader {
  /** Where reading goes on. */
  private at = 0;
  private readonly open: OpenElement[] = [];
  private root: XmlElement | undefined;
  private readonly stray: StrayText[] = [];
  /** The attributes of the last element of each name: in a large document most elements have the same ones as the one before. */
  private readonly expected = new Map<string, readonly ExpectedAttribute[]>();
  private line = 1;
  private nextNewline: number;
  /** The first "<", and the first character that rarely stands in a value, from wherever one was looked for last. */
  private nextTag = -1;
  private nextRare = -1;

  /** @param text with newlines as line ends and surrogates in pairs. */
  constructor(
    private readonly text: string,
    private readonly maxDepth: number,
    private readonly vocabulary: Vocabulary,
    private readonly tellsLines: boolean,
  ) {
    this.nextNewline = found(text.indexOf('\n'));
  }

  /** @throws {XmlError} at the first mistake. */
  read(): XmlElement {
    const { text } = this;
    if (text.startsWith('\ufeff')) this.at = 1;
    if (/^<\?xml[ \t\n]/.test(text.slice(this.at, this.at + 6))) this.skipXmlDeclaration();
    for (let tag = this.tagFrom(this.at); tag < NOWHERE; tag = this.tagFrom(this.at)) {
      this.skipText(tag);
      const kind = text.charCodeAt(tag + 1);
      if (kind === SLASH) this.readEndTag(tag);
      else if (kind === QUESTION) this.skipInstruction(tag);
      else if (kind === EXCLAMATION) this.readDeclaration(tag);
      else this.readStartTag(tag);
    }
    this.skipText(text.length);
    const unclosed = this.open.at(-1);
    if (unclosed) throw this.error('mismatched-tag', `<${unclosed.name}> is never closed`, text.length);
    if (!this.root) throw this.error('no-root-element', 'the document has no element', text.length);
    keepStrayTexts(this.root, this.stray);
    return this.root;
  }

  /** The first "<" from an index on, which is never less than the last time; infinite when there is none. */
  private tagFrom(index: number): number {
    if (this.nextTag < index) this.nextTag = found(this.text.indexOf('<', index));
    return this.nextTag;
  }

  private readStartTag(tag: number): void {
    const { text, open } = this;
    const line = this.tellsLines ? this.lineOf(tag) : 0;
    if (open.length === 0 && this.root) throw this.error('not-well-formed', 'a document has one root element only', tag);
    const name = this.nameAt(tag + 1);
    if (open.length >= this.maxDepth) throw this.error('too-deep', `elements are nested deeper than ${this.maxDepth} levels`, tag);
    const attributes = this.readAttributes(name);
    const element: OpenElement = this.tellsLines
      ? { kind: 'element', name, attributes, children: [], line }
      : { kind: 'element', name, attributes, children: [] };
    const empty = text.charCodeAt(this.at) === SLASH;
    if (empty) this.at++;
    if (text.charCodeAt(this.at) !== GREATER) throw this.error('not-well-formed', `the tag <${name}> does not end with ">"`, this.at);
    this.at++;
    const parent = open.at(-1);
    if (parent) parent.children.push(element);
    else this.root = element;
    if (!empty) open.push(element);
  }

  /** Reads up to the end of the tag. */
  private readAttributes(element: string): Record<string, string> {
    // A plain object literal: the engine gives all elements of one shape one hidden class, which saves most of a large tree's memory.
    const attributes: Record<string, string> = {};
    const before = this.expected.get(element);
    if (before) this.readExpected(before, attributes);
    if (!before || !this.atTagEnd()) {
      this.readFurther(element, attributes);
      this.expected.set(
        element,
        Object.keys(attributes).map((name) => ({ name, opening: ` ${name}="`, last: '' })),
      );
    }
    return attributes;
  }

  private atTagEnd(): boolean {
    const next = this.text.charCodeAt(this.at);
    return next === GREATER || next === SLASH;
  }

  /** Reads the attributes that the last element of that name had, as long as they follow one another in the same way. */
  private readExpected(expected: readonly ExpectedAttribute[], attributes: Record<string, string>): void {
    const { text } = this;
    for (const attribute of expected) {
      if (!text.startsWith(attribute.opening, this.at)) return;
      attributes[attribute.name] = this.readAgain(attribute, this.at + attribute.opening.length);
    }
  }

  /** Reads a value that is often the same as the last time; then the elements share one string. */
  private readAgain(attribute: ExpectedAttribute, start: number): string {
    const { text } = this;
    const { name, last } = attribute;
    const end = start + last.length;
    if (text.charCodeAt(end) === QUOTE && text.startsWith(last, start)) {
      this.at = end + 1;
      return last;
    }
    const value = this.readQuoted(name, '"', start);
    // As long as it is written: it has no references, and so is known again by its characters.
    if (this.at - 1 - start === value.length) attribute.last = value;
    return value;
  }

  /** Reads the attributes that are left, however they are written. */
  private readFurther(element: string, attributes: Record<string, string>): void {
    for (;;) {
      const before = this.at;
      this.skipSpace();
      if (this.atTagEnd()) return;
      if (this.at === before) throw this.error('not-well-formed', `white space is missing in the tag <${element}>`, before);
      const start = this.at;
      const name = this.attributeNameAt(start);
      if (name === '__proto__') throw this.error('bad-name', `the attribute name ${name} is not accepted`, start, element);
      if (Object.hasOwn(attributes, name)) throw this.error('duplicate-attribute', `duplicate attribute ${name}`, start, element);
      attributes[name] = this.readValue(name);
    }
  }

  /** Reads `= "value"`. */
  private readValue(name: string): string {
    const { text } = this;
    this.skipSpace();
    if (text[this.at] !== '=') throw this.error('not-well-formed', `the attribute ${name} has no value`, this.at);
    this.at++;
    this.skipSpace();
    const quote = text[this.at];
    if (quote !== '"' && quote !== "'") throw this.error('not-well-formed', `the value of the attribute ${name} is not quoted`, this.at);
    return this.readQuoted(name, quote, this.at + 1);
  }

  /** Reads a value from behind its opening quote. */
  private readQuoted(name: string, quote: string, start: number): string {
    const { text } = this;
    const end = text.indexOf(quote, start);
    if (end < 0) throw this.error('not-well-formed', `the value of the attribute ${name} does not end`, start);
    this.at = end + 1;
    const raw = text.slice(start, end);
    // Nothing special up to there: the value needs no look at each of its characters.
    if (end < this.nextNewline && end < this.tagFrom(start) && end < this.rareFrom(start)) return this.vocabulary.value(raw);
    return attributeValue(raw, start, this.complain);
  }

  private rareFrom(index: number): number {
    if (this.nextRare < index) {
      RARE.lastIndex = index;
      this.nextRare = RARE.test(this.text) ? RARE.lastIndex - 1 : NOWHERE;
    }
    return this.nextRare;
  }

  private readEndTag(tag: number): void {
    const { text } = this;
    const element = this.open.at(-1);
    const start = tag + 2;
    if (element && text.startsWith(element.name, start) && text.charCodeAt(start + element.name.length) === GREATER) {
      this.at = start + element.name.length + 1;
      this.open.pop();
      return;
    }
    const name = this.nameAt(start);
    this.skipSpace();
    if (text.charCodeAt(this.at) !== GREATER) throw this.error('not-well-formed', `the tag </${name}> does not end with ">"`, this.at);
    this.at++;
    if (element?.name !== name) {
      throw this.error('mismatched-tag', `</${name}> closes ${element ? `<${element.name}>` : 'nothing'}`, tag);
    }
    this.open.pop();
  }

  /** Reads what begins with `<!`. */
  private readDeclaration(tag: number): void {
    const { text } = this;
    if (text.startsWith('<!--', tag)) this.readComment(tag);
    else if (text.startsWith('<![CDATA[', tag) && this.open.length > 0) this.skipCharacterData(tag);
    else if (text.startsWith('<!DOCTYPE', tag)) {
      throw this.error('doctype-not-allowed', 'document type declarations are not accepted: remove <!DOCTYPE …>', tag);
    } else throw this.error('not-well-formed', 'a declaration has no place here', tag);
  }

  private readComment(tag: number): void {
    const start = tag + 4;
    const dashes = this.text.indexOf('--', start);
    if (dashes < 0 || !this.text.startsWith('-->', dashes))
      throw this.error('not-well-formed', 'a comment does not end, or contains "--"', tag);
    const text = this.text.slice(start, dashes);
    requireCharacters(text, start, this.complain);
    this.open.at(-1)?.children.push({ kind: 'comment', text });
    this.at = dashes + 3;
  }

  /** The `<?xml …?>` at the very beginning; whatever version it names, the document is read as XML 1.0. */
  private skipXmlDeclaration(): void {
    XML_DECLARATION.lastIndex = this.at;
    if (!XML_DECLARATION.test(this.text)) throw this.error('not-well-formed', 'the XML declaration is malformed', this.at);
    this.at = XML_DECLARATION.lastIndex;
  }

  private skipInstruction(tag: number): void {
    const name = this.nameAt(tag + 2);
    const end = this.text.indexOf('?>', this.at);
    if (end < 0 || name.toLowerCase() === 'xml' || (end > this.at && !/\s/.test(this.text.charAt(this.at)))) {
      throw this.error('not-well-formed', 'a processing instruction is malformed', tag);
    }
    requireCharacters(this.text.slice(this.at, end), this.at, this.complain);
    this.at = end + 2;
  }

  private skipCharacterData(tag: number): void {
    const start = tag + '<![CDATA['.length;
    const end = this.text.indexOf(']]>', start);
    if (end < 0) throw this.error('not-well-formed', 'a CDATA section does not end', tag);
    requireCharacters(this.text.slice(start, end), start, this.complain);
    this.noteStray(start, end);
    this.at = end + 3;
  }

  /** Passes over the text before the next mark-up. */
  private skipText(end: number): void {
    this.skipSpace();
    if (this.at === end) return;
    if (this.open.length === 0) throw this.error('not-well-formed', 'text outside the root element', this.at);
    requireText(this.text.slice(this.at, end), this.at, this.complain);
    this.noteStray(this.at, end);
    this.at = end;
  }

  /** Remembers what is not kept, unless nobody can have meant anything by it. */
  private noteStray(start: number, end: number): void {
    const within = this.open.at(-1);
    if (within === undefined || this.stray.length >= MOST_STRAY_TEXTS) return;
    const raw = this.text.slice(start, end);
    if (raw.trim() !== '') this.stray.push({ within, line: this.lineOf(start), text: shownText(raw) });
  }

  private skipSpace(): void {
    while (isSpace(this.text.charCodeAt(this.at))) this.at++;
  }

  /** The same as `nameAt`, without a search for a name's end where a name that was met before stands right before a "=". */
  private attributeNameAt(index: number): string {
    const equals = this.text.indexOf('=', index);
    const known = this.vocabulary.knownName(this.text.slice(index, equals));
    if (known === undefined) return this.nameAt(index);
    this.at = equals;
    return known;
  }

  /** The name that begins at an index; reading goes on after it. */
  private nameAt(index: number): string {
    this.at = simpleNameEnd(this.text, index);
    if (this.at === index) {
      NAME.lastIndex = index;
      if (!NAME.test(this.text)) throw this.error('not-well-formed', 'a name is missing', index);
      this.at = NAME.lastIndex;
    }
    return this.vocabulary.name(this.text.slice(index, this.at));
  }

  /** Line of an index that does not lie before the one that was asked for last. */
  private lineOf(index: number): number {
    while (this.nextNewline < index) {
      this.line++;
      this.nextNewline = found(this.text.indexOf('\n', this.nextNewline + 1));
    }
    return this.line;
  }

  private readonly complain: Complain = (reason, what, index) => this.error(reason, what, index);

  private error(reason: XmlErrorReason, what: string, index: number, element = this.open.at(-1)?.name): XmlError {
    const before = this.text.slice(0, index);
    const position = { line: before.split('\n').length, column: index - before.lastIndexOf('\n') };
    return new XmlError(reason, what, element === undefined ? position : { ...position, element });
  }
}

/** What a search found. */
function found(index: number): number {
  return index < 0 ? NOWHERE : index;
}
