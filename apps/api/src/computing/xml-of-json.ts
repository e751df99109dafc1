import { cibFromJson, readJson, RepeatedKey, serializeXml } from '@systole/cib';

/** A text that was to be JSON is none. */
export class MalformedJson extends Error {
  override readonly name = 'MalformedJson';
}

/**
 * A CIB as XML.
 *
 * @throws {MalformedJson} for what is no JSON
 * @throws {RepeatedKey}
 * @throws {CibJsonError} for JSON that is no tree with an XML form
 */
export function xmlOfJson(json: string): string {
  return serializeXml(cibFromJson(parsed(json)));
}

function parsed(json: string): unknown {
  try {
    return readJson(json);
  } catch (error) {
    if (error instanceof RepeatedKey) throw error;
    throw new MalformedJson(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
