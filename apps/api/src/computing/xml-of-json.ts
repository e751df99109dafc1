import { cibFromJson, serializeXml } from '@systole/cib';

/** A text that was to be JSON is none. */
export class MalformedJson extends Error {
  override readonly name = 'MalformedJson';
}

/**
 * A CIB as XML.
 *
 * @throws {MalformedJson} for what is no JSON
 * @throws {CibJsonError} for JSON that is no tree with an XML form
 */
export function xmlOfJson(json: string): string {
  return serializeXml(cibFromJson(parsed(json)));
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new MalformedJson(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
