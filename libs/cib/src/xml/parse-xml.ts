import { SaxesParser } from 'saxes';
import type { SaxesOptions } from 'saxes';
import type { XmlComment, XmlElement, XmlNode } from './element.js';
import { XmlError } from './xml-error.js';
import type { XmlErrorReason } from './xml-error.js';

/** Bounds on what is taken in; a document beyond them is refused before it can cost much. */
export interface ParseXmlOptions {
  /** Longest input in bytes of UTF-8; default 64 MiB. */
  readonly maxBytes?: number;
  /** Deepest nesting of elements; default 256 (a CIB needs about ten, nested rules a few more). */
  readonly maxDepth?: number;
}

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
const DEFAULT_MAX_DEPTH = 256;

/**
 * Reads an XML 1.0 document strictly: what is not well-formed is refused, and so are document type declarations, undeclared
 * entities, oversize and overdeep input. Text, CDATA and processing instructions are dropped (a CIB has none that mean anything,
 * specification 01 §1.1), and so is what stands outside the root element; comments inside it are kept.
 *
 * @throws {XmlError} with the reason, the line and column (from 1) and the innermost open element.
 */
export function parseXml(text: string, options: ParseXmlOptions = {}): XmlElement {
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
  if (exceedsBytes(text, maxBytes)) {
    throw new XmlError('too-large', `the XML document is larger than ${maxBytes} bytes: send a smaller one or raise the limit`);
  }
  requirePairedSurrogates(text);
  return new TreeBuilder(options.maxDepth ?? DEFAULT_MAX_DEPTH).build(text);
}

/** An element under construction: its children list is still growing. */
interface OpenElement extends XmlElement {
  readonly children: XmlNode[];
}

class TreeBuilder {
  private readonly parser = new SaxesParser<SaxesOptions & { readonly xmlns: false }>({
    xmlns: false,
    position: true,
    defaultXMLVersion: '1.0',
    forceXMLVersion: true,
  });
  private readonly open: OpenElement[] = [];
  private readonly names = new Map<string, string>();
  private root: XmlElement | undefined;
  private startLine = 1;

  constructor(private readonly maxDepth: number) {}

  build(text: string): XmlElement {
    const { parser } = this;
    parser.on('error', (error) => {
      throw this.wellFormednessError(error.message);
    });
    parser.on('doctype', () => {
      throw this.error('doctype-not-allowed', 'document type declarations are not accepted: remove <!DOCTYPE …>');
    });
    parser.on('opentagstart', () => {
      // The parser has read the character after the name; a newline there belongs to the tag's line still.
      this.startLine = parser.column === 0 ? parser.line - 1 : parser.line;
    });
    parser.on('opentag', (tag) => {
      this.start(tag.name, tag.attributes);
    });
    parser.on('closetag', () => {
      this.open.pop();
    });
    parser.on('comment', (comment) => {
      const node: XmlComment = { kind: 'comment', text: comment };
      this.open.at(-1)?.children.push(node);
    });
    parser.write(text).close();
    if (this.root === undefined) throw this.error('no-root-element', 'the document has no element');
    return this.root;
  }

  private start(rawName: string, rawAttributes: Readonly<Record<string, string>>): void {
    const name = this.intern(rawName);
    if (this.open.length >= this.maxDepth) {
      throw this.error('too-deep', `elements are nested deeper than ${this.maxDepth} levels`);
    }
    // A plain object literal: the engine gives all elements of one shape one hidden class, which saves most of a large tree's memory.
    const attributes: Record<string, string> = {};
    for (const key in rawAttributes) {
      if (key === '__proto__') throw this.error('bad-name', `the attribute name ${key} is not accepted`, name);
      attributes[key] = rawAttributes[key] ?? '';
    }
    const opened: OpenElement = { kind: 'element', name, attributes, children: [], line: this.startLine };
    const parent = this.open.at(-1);
    if (parent === undefined) this.root = opened;
    else parent.children.push(opened);
    this.open.push(opened);
  }

  /** One string per distinct name: the parser's own are slices, each of which keeps memory. */
  private intern(name: string): string {
    const known = this.names.get(name);
    if (known !== undefined) return known;
    this.names.set(name, name);
    return name;
  }

  private error(reason: XmlErrorReason, what: string, element = this.open.at(-1)?.name): XmlError {
    const position = { line: this.parser.line, column: this.parser.column + 1 };
    return new XmlError(reason, what, element === undefined ? position : { ...position, element });
  }

  private wellFormednessError(message: string): XmlError {
    const what = message.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
    return this.error(reasonOf(what), what);
  }
}

/** The parser's messages, sorted into our reasons; what is in no list is simply not well-formed. */
function reasonOf(what: string): XmlErrorReason {
  if (what.startsWith('undefined entity')) return 'undefined-entity';
  if (what.startsWith('duplicate attribute')) return 'duplicate-attribute';
  if (what.startsWith('unexpected close tag') || what.startsWith('unmatched closing tag') || what.startsWith('unclosed tag')) {
    return 'mismatched-tag';
  }
  if (what.startsWith('document must contain a root element')) return 'no-root-element';
  if (what.startsWith('malformed character entity')) return 'bad-character';
  return 'not-well-formed';
}

/** Half a surrogate pair is no character, and the parser would take it together with whatever follows. */
function requirePairedSurrogates(text: string): void {
  const index = text.search(/\p{Surrogate}/u);
  if (index < 0) return;
  const before = text.slice(0, index);
  const line = before.split('\n').length;
  throw new XmlError('bad-character', 'half a surrogate pair is no character', { line, column: index - before.lastIndexOf('\n') });
}

/** Whether the text takes more than `limit` bytes in UTF-8; counts only when the length alone does not decide. */
function exceedsBytes(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  if (text.length * 3 <= limit) return false;
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // A surrogate pair is two units and four bytes.
    bytes += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
    if (bytes > limit) return true;
  }
  return false;
}
