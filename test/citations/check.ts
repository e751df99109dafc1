import { posix } from 'node:path';
import { type Citation, citationsInCode, citationsInDocument } from './find-citations.js';
import { anchorsIn, linksIn } from './find-links.js';
import { nearest, readDocument, type SpecDocument } from './specification.js';

/** Where the specification lies in the repository, and the list of its sections that scenarios have to show. */
const SPECIFICATION = 'docs/spec/';
const SECTIONS = 'libs/scheduler/src/scenarios/sections.txt';

/**
 * What is wrong with the citations and links of a repository, a line each: `FILE:LINE: CITATION: what is wrong`.
 *
 * @param texts every text file that may cite something, by its path from the root.
 * @param exists whether there is a file or directory of that path.
 */
export function citationProblems(texts: ReadonlyMap<string, string>, exists: (path: string) => boolean): string[] {
  const documents = [...texts].flatMap(([path, text]) =>
    path.startsWith(SPECIFICATION) ? [readDocument(path.slice(SPECIFICATION.length), text)] : [],
  );
  const anchors = new Map<string, ReadonlySet<string>>();
  const problems: string[] = [];
  for (const [path, text] of texts) {
    const report = (index: number, message: string): void => {
      problems.push(`${path}:${lineOf(text, index)}: ${message}`);
    };
    const own = documents.find(({ file }) => path === SPECIFICATION + file);
    for (const citation of own ? citationsInDocument(text, own.number) : citationsInCode(text)) {
      const problem = citationProblem(citation, documents);
      if (problem !== undefined) report(citation.index, `"${citation.text}": ${problem}`);
    }
    if (!path.endsWith('.md')) continue;
    for (const { target, index } of linksIn(text)) {
      const problem = linkProblem(path, target, texts, exists, anchors);
      if (problem !== undefined) report(index, `link "${target}": ${problem}`);
    }
  }
  return [...problems, ...unlistedSections(documents, texts.get(SECTIONS))];
}

function citationProblem({ document: name, section, pitfall }: Citation, documents: readonly SpecDocument[]): string | undefined {
  if (name === undefined) return 'names no document of the specification; write, for instance, 04 before it';
  const document = documents.find(({ number, file }) => name === number || name === file || `${name}.md` === file);
  if (!document) return `there is no document ${name}; there are ${documents.map(({ file }) => file).join(', ')}`;
  const { sections, pitfalls, number } = document;
  if (section !== undefined && !sections.has(section)) {
    const like = nearest(section, sections.keys());
    const title = like === undefined ? '' : `; the nearest is §${like} ${sections.get(like)?.title ?? ''}`;
    return `${number} has no §${section}${title}`;
  }
  if (pitfall !== undefined && !pitfalls.has(pitfall)) {
    const like = nearest(pitfall, pitfalls);
    return `${number} has no pitfall ${pitfall}${like === undefined ? '' : `; the nearest is P${like}`}`;
  }
  return undefined;
}

function linkProblem(
  from: string,
  target: string,
  texts: ReadonlyMap<string, string>,
  exists: (path: string) => boolean,
  anchors: Map<string, ReadonlySet<string>>,
): string | undefined {
  const [path = '', anchor] = target.split('#', 2);
  const file = path === '' ? from : posix.join(posix.dirname(from), decodeURI(path));
  if (!exists(file)) return `there is no ${file}`;
  if (anchor === undefined) return undefined;
  const known = anchors.get(file) ?? anchorsIn(texts.get(file) ?? '');
  anchors.set(file, known);
  return known.has(anchor) ? undefined : `${file} has no heading "${anchor}"`;
}

/** Every section, and section of a section, has to be listed, so that a test asks for a scenario that shows it. */
function unlistedSections(documents: readonly SpecDocument[], list: string | undefined): string[] {
  if (list === undefined) return [`${SECTIONS}: is missing`];
  const listed = new Set(list.split('\n').map((line) => line.split(' ', 2).join(' ')));
  return documents.flatMap(({ number, file, sections }) =>
    [...sections]
      .filter(([section, { title }]) => /^\d\d$/.test(number) && section.split('.').length < 3 && !/\bpitfalls\b/i.test(title))
      .filter(([section]) => !listed.has(`${number} §${section}`))
      .map(([section, { line }]) => `${SPECIFICATION}${file}:${line}: "${number} §${section}": is not listed in ${SECTIONS}`),
  );
}

function lineOf(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
