/** Why a text is not an XML document that we take in, or a tree can't be written as one. */
export type XmlErrorReason =
  /** The text is longer than the caller's `maxBytes`, or one that is written would be longer than can be. */
  | 'too-large'
  /** Elements are nested deeper than `maxDepth`. */
  | 'too-deep'
  /** A document type declaration: CIBs have none, and entity declarations are a way to attack the reader. */
  | 'doctype-not-allowed'
  /** An entity reference other than the five predefined ones and character references. */
  | 'undefined-entity'
  | 'duplicate-attribute'
  | 'mismatched-tag'
  | 'no-root-element'
  /** A name that collides with object machinery (`__proto__`), or that is no XML name. */
  | 'bad-name'
  /** A character that XML 1.0 cannot hold (e.g. U+0000), or comment text with `--` in it. */
  | 'bad-character'
  /** Bytes that are none of the encoding that they are to be in, or one that nobody knows. */
  | 'bad-encoding'
  /** Any other violation of XML 1.0's well-formedness. */
  | 'not-well-formed';

/** Where in the input, counted from 1, and inside which element (the innermost one that is open). */
export interface XmlErrorPosition {
  readonly line?: number;
  readonly column?: number;
  readonly element?: string;
}

/** Thrown by {@link parseXml} and {@link serializeXml}; the message says what, where, and what to change. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
  readonly reason: XmlErrorReason;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly element: string | undefined;

  constructor(reason: XmlErrorReason, what: string, position: XmlErrorPosition = {}) {
    const { line, column, element } = position;
    const where = line === undefined ? '' : `line ${line}${column === undefined ? '' : `, column ${column}`}`;
    const inside = element === undefined ? '' : `in <${element}>`;
    const place = [where, inside].filter((part) => part !== '').join(' ');
    super(place === '' ? what : `${what} (${place})`);
    this.reason = reason;
    this.line = line;
    this.column = column;
    this.element = element;
  }
}
