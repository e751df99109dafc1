import type { XmlElement } from './element.js';

/** Text between elements, where a CIB has none: the tree does not keep it, so that it would be lost without a word. */
export interface StrayText {
  /** The element that it stands in. */
  readonly within: XmlElement;
  /** Line at which it begins, from 1. */
  readonly line: number;
  /** Its beginning, on one line. */
  readonly text: string;
}

/** Of so many of a document is told. */
export const MOST_STRAY_TEXTS = 100;
const SHOWN = 40;

/** By the roots of the trees that were read. */
const found = new WeakMap<XmlElement, readonly StrayText[]>();

/** The text between the elements of a document that was read, by its root. @param root as it was read: of a tree that was changed since nobody knows */
export function strayTextsIn(root: XmlElement): readonly StrayText[] {
  return found.get(root) ?? [];
}

/** Remembers what a reader has dropped. */
export function keepStrayTexts(root: XmlElement, texts: readonly StrayText[]): void {
  if (texts.length > 0) found.set(root, texts);
}

/** What is told of a text. */
export function shownText(raw: string): string {
  const text = raw.trim().replace(/\s+/g, ' ');
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}

/** What is wrong with it. */
export function strayTextMessage({ within, text }: StrayText): string {
  return `<${within.name}> holds the text ${JSON.stringify(text)}: it has elements only, and the text would be lost; remove it`;
}
