import type { XmlNode } from '../xml/element.js';
import { parseXml } from '../xml/parse-xml.js';
import { Vocabulary } from '../xml/vocabulary.js';

/** Reads pieces of one document. What their values have in common is one string each, as if the document had been read at one go. */
export class FragmentReader {
  private readonly vocabulary = new Vocabulary();

  /**
   * @param xml elements, one after the other
   * @throws {XmlError} for what is not well-formed
   */
  read(xml: string): readonly XmlNode[] {
    // Lines of a piece say nothing of the document.
    const options = { vocabulary: this.vocabulary, lines: false, maxBytes: Number.POSITIVE_INFINITY };
    return parseXml(`<fragment>${xml}</fragment>`, options).children;
  }
}
