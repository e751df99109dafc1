import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { titleOf } from './markdown-text.js';

const NO_PAGES = new Set(['dist', 'node_modules', 'site', 'images']);

/** The title of every page below docs/, by its path there. @throws when one has no heading. */
export function pageTitles(docs: string): Map<string, string> {
  const below = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      if (entry.name.startsWith('.') || NO_PAGES.has(entry.name)) return [];
      const path = join(folder, entry.name);
      return entry.isDirectory() ? below(path) : entry.name.endsWith('.md') ? [path] : [];
    });
  return new Map(
    below(docs).map((file) => {
      const path = relative(docs, file).split(sep).join('/');
      return [path, titleOf(readFileSync(file, 'utf8'), path).replaceAll('`', '')];
    }),
  );
}
