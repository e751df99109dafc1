import { XMLParser } from 'fast-xml-parser';

/** An agent printed something that is not meta-data. */
export class MetadataError extends Error {
  override readonly name = 'MetadataError';
}

/** An element of an agent's meta-data. */
export interface MetadataElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly MetadataElement[];
  readonly text: string;
}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
});

/** The first child of that name. */
export function child(node: MetadataElement | undefined, tag: string): MetadataElement | undefined {
  return node?.children.find((one) => one.tag === tag);
}

/** All children of that name. */
export function children(node: MetadataElement | undefined, tag: string): readonly MetadataElement[] {
  return node?.children.filter((one) => one.tag === tag) ?? [];
}

/** What an agent prints may be anything: also nested so deeply that nobody can follow, or with entities that grow without end, which the parser refuses. @throws {MetadataError} */
export function parseTree(xml: string): readonly MetadataElement[] {
  try {
    return toElements(parser.parse(xml));
  } catch (error) {
    throw new MetadataError(`the agent's meta-data is not well-formed XML: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The parser's ordered form is a list of `{ <tag>: [children], ':@': {attributes} }` and `{ '#text': ... }`. */
function toElements(raw: unknown): MetadataElement[] {
  if (!Array.isArray(raw)) return [];
  return raw.flatMap((item: unknown) => {
    if (typeof item !== 'object' || item === null) return [];
    const entry = Object.entries(item).find(([key]) => key !== ':@' && key !== '#text' && !key.startsWith('?'));
    if (entry === undefined) return [];
    const [tag, content] = entry as [string, unknown];
    return [{ tag, attributes: toAttributes(item), children: toElements(content), text: toText(content) }];
  });
}

function toAttributes(item: object): Record<string, string> {
  const attributes: unknown = (item as Record<string, unknown>)[':@'];
  if (typeof attributes !== 'object' || attributes === null) return {};
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, String(value)]));
}

function toText(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content
    .map((item: unknown) => (typeof item === 'object' && item !== null && '#text' in item ? String(item['#text']) : ''))
    .join('')
    .trim();
}
