import { parseXml, XmlError } from '@systole/cib';
import { parse, stringify, YAMLError } from 'yaml';
import { UsageError } from '../exit-code.js';

/** Forms in which a configuration can be shown and edited. */
export const FORMATS = ['yaml', 'json', 'xml'] as const;
export type Format = (typeof FORMATS)[number];

/** What a file holds: XML as it is, with the name of its element; JSON or YAML as the value. */
export type FileContent =
  { readonly kind: 'xml'; readonly element: string; readonly text: string } | { readonly kind: 'json'; readonly json: unknown };

/** The value as text in a format, with a line end. */
export function written(value: unknown, format: 'yaml' | 'json'): string {
  // Lines are not folded: what is edited has to be found by whoever looks for it.
  return format === 'yaml' ? stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }) : `${JSON.stringify(value, undefined, 2)}\n`;
}

/**
 * Reads a file, whatever its name: what begins with `<` is XML, all else is YAML, of which JSON is a part.
 *
 * @param name for messages
 * @throws {UsageError} with the line of what is wrong
 */
export function contentOf(text: string, name: string): FileContent {
  if (/^\uFEFF?\s*</.test(text)) {
    try {
      return { kind: 'xml', element: parseXml(text).name, text };
    } catch (error) {
      if (error instanceof XmlError) throw new UsageError(`${name}: ${error.message}`);
      throw error;
    }
  }
  try {
    // Texts that look like numbers stay texts; few aliases are allowed, so that no small file makes a huge document.
    return { kind: 'json', json: withTexts(parse(text, { schema: 'core', maxAliasCount: 100 })) };
  } catch (error) {
    if (error instanceof YAMLError || error instanceof ReferenceError || error instanceof RangeError)
      throw new UsageError(`${name}: ${error.message}`);
    throw error;
  }
}

/** Values of a configuration are texts: `priority: 5` in YAML means the text. Null stays: it takes away. */
function withTexts(value: unknown, depth = 0): unknown {
  if (depth > 100) throw new RangeError('it is nested deeper than 100 levels');
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map((entry: unknown) => withTexts(entry, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, withTexts(entry, depth + 1)]));
}
