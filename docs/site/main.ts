import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import { build, createServer } from 'vitepress';
import { siteProblems } from './link-check.js';
import { writeMadePages } from './made-pages.js';

// `npm run docs` builds the site into docs/.vitepress/dist and checks every link of it; `npm run docs:dev` (--dev) serves the pages while they are written.
const docs = fileURLToPath(new URL('../..', import.meta.url));
const root = join(docs, '..');
const built = join(docs, '.vitepress/dist');

/** Every file of the built site by its path there; what is no text is empty. */
function builtFiles(): Map<string, string> {
  const paths = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((path) => statSync(join(built, path)).isFile());
  const text = (path: string): string => (/\.(?:html|css)$/.test(path) ? readFileSync(join(built, path), 'utf8') : '');
  return new Map(paths.map((path) => [relative('.', path).split(sep).join('/'), text(path)]));
}

await writeMadePages(root);
if (process.argv.includes('--dev')) {
  const server = await createServer(docs);
  await server.listen();
  server.printUrls();
} else {
  await build(docs);
  const files = builtFiles();
  const problems = siteProblems(files, process.env['SYSTOLE_DOCS_BASE'] ?? '/');
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  const pages = [...files.keys()].filter((path) => path.endsWith('.html')).length;
  process.stdout.write(`${pages} pages in ${relative(process.cwd(), built)}; ${problems.length} dead links, or loads from elsewhere\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
