import { Injectable } from '@nestjs/common';
import { serializingXml, writingCibJson, type XmlElement } from '@systole/cib';
import { inSlices } from '@systole/read-models';

/** What the texts that are kept may have together, in characters; the newest is kept however long it is. */
const KEPT_LENGTH = 16 * 1024 * 1024;

/** Accepted documents as text: who asks for the same one again and again has it written once. Long ones are written bit by bit. */
@Injectable()
export class DocumentTexts {
  /** Trees never change, so that a text belongs to its tree for ever. */
  readonly #xml = new KeptTexts(serializingXml);
  readonly #json = new KeptTexts(writingCibJson);

  /** @throws {XmlError} for a document that has no XML form */
  xml(document: XmlElement): Promise<string> {
    return this.#xml.of(document);
  }

  json(document: XmlElement): Promise<string> {
    return this.#json.of(document);
  }
}

class KeptTexts {
  readonly #texts = new Map<XmlElement, string>();
  readonly #writing = new Map<XmlElement, Promise<string>>();
  #length = 0;

  constructor(private readonly write: (document: XmlElement) => Iterator<unknown, string, undefined>) {}

  async of(document: XmlElement): Promise<string> {
    const text = this.#texts.get(document);
    if (text !== undefined) return text;
    const writing = this.#writing.get(document) ?? this.#written(document);
    return writing;
  }

  #written(document: XmlElement): Promise<string> {
    const writing = inSlices(this.write(document))
      .then((text) => {
        this.#keep(document, text);
        return text;
      })
      .finally(() => this.#writing.delete(document));
    this.#writing.set(document, writing);
    return writing;
  }

  #keep(document: XmlElement, text: string): void {
    this.#texts.set(document, text);
    this.#length += text.length;
    for (const [oldest, { length }] of this.#texts) {
      if (this.#length <= KEPT_LENGTH || oldest === document) break;
      this.#texts.delete(oldest);
      this.#length -= length;
    }
  }
}
