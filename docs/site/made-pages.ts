import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { apiPages, type MadePage } from './api/api-pages.js';
import type { OpenApiDocument } from './api/openapi-document.js';
import { decisionIndex } from './decision-index.js';
import { titleOf } from './markdown-text.js';
import { PAGES_FROM_ROOT } from './site-links.js';

/** What is made below docs/ and not kept in the repository. */
const MADE_FOLDERS = ['reference', 'project'];

/**
 * Writes the pages that are made from something else: the API's reference, the index of decisions, what lies beside docs/.
 *
 * @param root the repository's root.
 * @throws when one can't be made, or a file can't be written.
 */
export async function writeMadePages(root: string): Promise<void> {
  const docs = join(root, 'docs');
  for (const folder of MADE_FOLDERS) await rm(join(docs, folder), { recursive: true, force: true });
  const document = JSON.parse(await readFile(join(root, 'openapi/openapi.json'), 'utf8')) as OpenApiDocument;
  const pages = [...apiPages(document), decisionIndex(await decisionsIn(join(docs, 'decisions'))), ...(await pagesFromRoot(root))];
  for (const { path, markdown } of pages) {
    await mkdir(dirname(join(docs, path)), { recursive: true });
    await writeFile(join(docs, path), markdown);
  }
}

async function decisionsIn(folder: string): Promise<Map<string, string>> {
  const files = (await readdir(folder)).filter((name) => /^\d/.test(name) && name.endsWith('.md'));
  return new Map(await Promise.all(files.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)));
}

async function pagesFromRoot(root: string): Promise<MadePage[]> {
  return Promise.all(
    [...PAGES_FROM_ROOT].map(async ([file, path]) => {
      const markdown = await readFile(join(root, file), 'utf8');
      return { path, title: titleOf(markdown, path), markdown };
    }),
  );
}
