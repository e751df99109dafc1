import { documentText as textOfBytes, XmlError } from '@systole/cib';
import { UsageError } from './exit-code.js';

/**
 * The text of a document's bytes, in the encoding that its XML declaration names, else in UTF-8, in which it is sent.
 *
 * @param name of the document, for people
 * @throws {UsageError} for bytes that are none of the encoding
 */
export function documentText(bytes: Uint8Array, name: string): string {
  try {
    return textOfBytes(bytes);
  } catch (error) {
    if (error instanceof XmlError) throw new UsageError(`${name}: ${error.message}`);
    throw error;
  }
}
