import { TextDecoder } from 'node:util';
import { UsageError } from './exit-code.js';

const DECLARATION = /^(<\?xml[^>]*?\bencoding\s*=\s*["'])([A-Za-z][\w.-]*)(["'])/;
/** Of an XML declaration, which is ASCII in every encoding that is read here. */
const DECLARATION_BYTES = 200;

/**
 * The text of a document's bytes: in the encoding that its XML declaration names (XML 1.0 §4.3.3), and then declared as UTF-8, which it is sent in; else in UTF-8.
 *
 * @param name of the document, for people
 * @throws {UsageError} for bytes that are none of the encoding: they would be sent as other characters
 */
export function documentText(bytes: Uint8Array, name: string): string {
  const declared = DECLARATION.exec(Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString('latin1'))?.[2] ?? 'utf-8';
  const decoder = decoderOf(declared, name);
  try {
    return decoder.decode(bytes).replace(DECLARATION, '$1UTF-8$3');
  } catch {
    throw new UsageError(
      `${name} holds bytes that are no ${declared.toUpperCase()}: save it in UTF-8, or have its XML declaration name the encoding`,
    );
  }
}

function decoderOf(encoding: string, name: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new UsageError(`${name} is declared as ${encoding}, which is no known encoding: save it in UTF-8`);
  }
}
