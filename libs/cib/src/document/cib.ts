import { upgradeCib, type OldDocuments, type UpgradedCib } from '../upgrade/upgrade-cib.js';
import type { UpgradeChange } from '../upgrade/upgrade-log.js';
import { findMistakes, findOptionMistakes } from '../schema/find-mistakes.js';
import { placeOfRoot, walkWithPlaces } from '../schema/problem-path.js';
import { validateCib } from '../schema/validate-cib.js';
import { element, firstChildNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import { strayTextMessage, strayTextsIn } from '../xml/stray-text.js';
import { parseXml } from '../xml/parse-xml.js';
import type { ParseXmlOptions } from '../xml/parse-xml.js';
import { CibRefused } from './cib-refused.js';
import type { CibProblem } from './cib-refused.js';

/** A CIB that was accepted: of the current schema (or of none), with a status section. */
export interface Cib {
  /** The truth; what it says is read by {@link readingOf}, or by the scheduler. */
  readonly document: XmlElement;
}

/** How strictly a document is taken in. */
export interface ReadCibOptions extends ParseXmlOptions {
  /**
   * Refuse a document in which validation finds errors, as an editor of the configuration must. Without it, what the scheduler ignores is
   * let pass.
   */
  readonly strict?: boolean;
  /** Refuse also what is valid and yet surely a mistake, e.g. two nodes of one name; with `strict` or without. */
  readonly mistakes?: 'refuse' | 'pass';
  /** What becomes of documents of the Heartbeat 2 and Pacemaker 0.6 generation; default `refuse`, as Pacemaker's own tools do. */
  readonly old?: OldDocuments;
  /** Told everything that the upgrade of an older document changed, also when the document is refused then. */
  readonly onChange?: (change: UpgradeChange) => void;
}

/**
 * Takes in a CIB (specification 01 §1.3): legacy syntax is upgraded, and a missing status section is added.
 *
 * @throws {XmlError} when a text is not well-formed.
 * @throws {CibRefused} when the document is no CIB, names no known schema, or (strictly) has errors; `problems` lists them.
 */
export function readCib(source: string | XmlElement, options: ReadCibOptions = {}): Cib {
  const document = typeof source === 'string' ? parseXml(source, options) : source;
  if (document.name !== 'cib') {
    throw new CibRefused('not-a-cib', `the root element is <${document.name}>: a CIB's is <cib>`);
  }
  const upgraded = upgradeCib(withStatus(document), options.old);
  for (const change of upgraded.changes) options.onChange?.(change);
  const invalid = options.strict === true ? [...strayProblems(document), ...problemsOf(upgraded)] : [];
  const mistakes = options.mistakes === 'refuse' ? [...findMistakes(upgraded.document), ...findOptionMistakes(upgraded.document)] : [];
  refuse([...invalid, ...withoutTold(mistakes, invalid)]);
  return { document: upgraded.document };
}

function withStatus(document: XmlElement): XmlElement {
  if (firstChildNamed(document, 'status') !== undefined) return document;
  return { ...document, children: [...document.children, element('status')] };
}

/** Text between elements, which is kept nowhere. */
function strayProblems(document: XmlElement): readonly CibProblem[] {
  const stray = strayTextsIn(document);
  if (stray.length === 0) return [];
  const paths = new Map<XmlElement, string>();
  walkWithPlaces(document, placeOfRoot(document, `/${document.name}`), (each, { path }) => paths.set(each, path));
  return stray.map((text) => ({
    path: paths.get(text.within) ?? `/${document.name}`,
    element: text.within.name,
    id: text.within.attributes['id'],
    line: text.line,
    message: strayTextMessage(text),
  }));
}

/** What could not be upgraded lacks something, too, which says nothing of what is wrong with it. */
function problemsOf({ document, problems }: UpgradedCib): readonly CibProblem[] {
  const told = new Set(problems.map(({ path }) => path));
  return [...problems, ...validateCib(document).filter(({ path, attribute }) => attribute !== undefined || !told.has(path))];
}

/** Of a place that is not valid nothing else is told. */
function withoutTold(mistakes: readonly CibProblem[], told: readonly CibProblem[]): readonly CibProblem[] {
  if (told.length === 0) return mistakes;
  const places = new Set(told.map(({ path, attribute = '' }) => `${path} ${attribute}`));
  return mistakes.filter(({ path, attribute = '' }) => !places.has(`${path} ${attribute}`));
}

/** @throws {CibRefused} unless there are no problems. */
function refuse(problems: readonly CibProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const more = problems.length === 1 ? '' : `, and ${problems.length - 1} more`;
  const line = first.line === undefined ? '' : `line ${first.line}, `;
  throw new CibRefused('invalid', `${line}${first.path}: ${first.message}${more}`, problems);
}
