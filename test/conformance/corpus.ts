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

/** A directory of cases: `xml/ exp/ dot/ scores/ summary/ [stderr/] [cases.json]`. */
export interface Corpus {
  readonly name: string;
  readonly directory: string;
  readonly cases: readonly Case[];
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
  return { name: basename(directory), directory, cases: existsSync(list) ? readList(list) : listFiles(directory) };
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

/** A file of a case; empty when it isn't there. */
export function readCaseFile({ directory }: Corpus, { name }: Case, kind: Output | 'xml' | 'stderr'): string {
  const file = join(directory, kind, `${name}.${kind}`);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
