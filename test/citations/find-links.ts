import { withoutFences } from './find-citations.js';

/** A link from one file of the repository to another, or to a place within the same one. */
export interface Link {
  /** As it is written: `../spec/README.md#2-who-owns-what`. */
  readonly target: string;
  readonly index: number;
}

const INLINE = /\]\((?<target>[^()\s]+)(?: "[^"]*")?\)/g;
const DEFINITION = /^\[[^\]]+\]:\s+(?<target>\S+)/gm;
const HTML = /<(?:a|img)\b[^>]*?\b(?:href|src)="(?<target>[^"]+)"/g;

/** Relative links of a Markdown file; what leads to the network is no matter of the repository. */
export function linksIn(text: string): Link[] {
  const searched = withoutFences(text).replace(/`[^`\n]*`/g, (code) => ' '.repeat(code.length));
  return [INLINE, DEFINITION, HTML]
    .flatMap((pattern) => [...searched.matchAll(pattern)])
    .map(({ index, groups }) => ({ target: groups?.['target'] ?? '', index }))
    .filter(({ target }) => !/^(?:[a-z][a-z+.-]*:|\/\/)/i.test(target))
    .sort((a, b) => a.index - b.index);
}

/** The anchors of a Markdown file's headings, as GitHub makes them. */
export function anchorsIn(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutFences(text).matchAll(/^#+ (.*)$/gm)) {
    const name = heading
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    let anchor = name;
    for (let again = 1; anchors.has(anchor); again++) anchor = `${name}-${again}`;
    anchors.add(anchor);
  }
  return anchors;
}
