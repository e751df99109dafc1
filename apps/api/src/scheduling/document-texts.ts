import { Injectable } from '@nestjs/common';
import { cibToJson, serializeXml, type XmlElement } from '@systole/cib';

/** Texts that are kept. */
const KEPT = 8;

/** Accepted documents as text: who asks for the same one again and again has it written once. */
@Injectable()
export class DocumentTexts {
  /** Trees never change, so that a text belongs to its tree for ever. */
  readonly #xml = new Map<XmlElement, string>();
  readonly #json = new Map<XmlElement, string>();

  xml(document: XmlElement): string {
    return kept(this.#xml, document, serializeXml);
  }

  json(document: XmlElement): string {
    return kept(this.#json, document, (tree) => JSON.stringify(cibToJson(tree)));
  }
}

function kept(texts: Map<XmlElement, string>, document: XmlElement, write: (document: XmlElement) => string): string {
  const text = texts.get(document) ?? write(document);
  texts.delete(document);
  texts.set(document, text);
  for (const oldest of texts.keys()) {
    if (texts.size <= KEPT) break;
    texts.delete(oldest);
  }
  return text;
}
