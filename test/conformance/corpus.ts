import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The four outputs that a case fixes. */
export const OUTPUTS = ['summary', 'scores', 'dot', 'exp'] as const;
export type Output = (typeof OUTPUTS)[number];

export interface Case {
  readonly name: string;
  /** Extra arguments of the simulator. */
  readonly args: readonly string[];
}

/** A document that is to be accepted or refused, and nothing else. */
export interface Judgement {
  readonly name: string;
  readonly file: string;
  readonly accepted: boolean;
}

/** A directory of cases: `xml/ exp/ dot/ scores/ summary/ [stderr/] [cases.json] [rejects.json rejects/xml/]`. */
export interface Corpus {
  readonly name: string;
  readonly directory: string;
  readonly cases: readonly Case[];
  readonly judgements: readonly Judgement[];
}

/** A corpus can't be read, and why. */
export class CorpusError extends Error {
  override readonly name = 'CorpusError';
}

/** The corpora below a directory: itself if it holds cases, else the directories in it that do. */
export function findCorpora(directory: string): string[] {
  if (existsSync(join(directory, 'xml'))) return [directory];
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .map((name) => join(directory, name))
    .filter((path) => existsSync(join(path, 'xml')))
    .sort();
}

/**
 * Reads the list of cases; without `cases.json` every XML file is a case without arguments.
 *
 * @throws {CorpusError} when there is nothing to read.
 */
export function openCorpus(directory: string): Corpus {
  if (!existsSync(join(directory, 'xml'))) throw new CorpusError(`${directory} holds no cases: it has no directory "xml"`);
  const list = join(directory, 'cases.json');
  const cases = existsSync(list) ? readList(list) : listFiles(directory);
  return { name: basename(directory), directory, cases, judgements: readJudgements(directory) };
}

function readJudgements(directory: string): Judgement[] {
  const file = join(directory, 'rejects.json');
  if (!existsSync(file)) return [];
  const list: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!Array.isArray(list)) throw new CorpusError(`${file} must hold a list of documents`);
  return list.map((entry: unknown) => {
    const { name, accepted } = (entry ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof name !== 'string' || typeof accepted !== 'boolean') {
      throw new CorpusError(`${file}: every document needs a name, and whether it is accepted`);
    }
    return { name, accepted, file: join(directory, 'rejects', 'xml', `${name}.xml`) };
  });
}

function readList(file: string): Case[] {
  const list: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!Array.isArray(list)) throw new CorpusError(`${file} must hold a list of cases`);
  return list.map((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null || !('name' in entry) || typeof entry.name !== 'string') {
      throw new CorpusError(`${file}: every case needs a name`);
    }
    const args = 'args' in entry && Array.isArray(entry.args) ? entry.args.map(String) : [];
    return { name: entry.name, args };
  });
}

function listFiles(directory: string): Case[] {
  return readdirSync(join(directory, 'xml'))
    .filter((file) => file.endsWith('.xml'))
    .map((file) => ({ name: file.slice(0, -'.xml'.length), args: [] }));
}

/** Where a file of a case is. */
export function caseFile({ directory }: Corpus, { name }: Case, kind: Output | 'xml' | 'stderr'): string {
  return join(directory, kind, `${name}.${kind}`);
}

/** A file of a case; empty when it isn't there. */
export function readCaseFile(corpus: Corpus, testCase: Case, kind: Output | 'xml' | 'stderr'): string {
  const file = caseFile(corpus, testCase, kind);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
