/**
 * `npm run check:citations`: says which citations of the specification name no section that there is, and which links between files of the
 * repository lead nowhere.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { citationProblems } from './check.js';

// From test/dist/citations.
const root = fileURLToPath(new URL('../../../', import.meta.url));
const SKIPPED = new Set(['.git', 'node_modules', 'dist', 'data']);
/** Made by `npm run docs`, which checks the links of what it builds. */
const MADE = new Set(['docs/reference', 'docs/project', 'docs/decisions/index.md']);
const TEXTS = new Set(['.cjs', '.css', '.html', '.js', '.md', '.mjs', '.scenario', '.sh', '.sql', '.ts', '.tsx', '.txt', '.yaml', '.yml']);

function* textFiles(directory: string): Generator<string> {
  for (const entry of readdirSync(root + directory, { withFileTypes: true })) {
    const path = directory + entry.name;
    if (MADE.has(path)) continue;
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) yield* textFiles(`${path}/`);
    else if (entry.isFile() && TEXTS.has(extname(entry.name))) yield path;
  }
}

const texts = new Map([...textFiles('')].map((path) => [path, readFileSync(root + path, 'utf8')]));
const problems = citationProblems(texts, (path) => existsSync(root + path));
for (const problem of problems) console.log(problem);
console.log(`${texts.size} files, ${problems.length} wrong citations and links`);
process.exitCode = problems.length === 0 ? 0 : 1;
