// Writes docs/guide/settings.md; with --check it changes nothing, and fails when the page is stale. Needs the compiled library.
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import { settingsPage } from './dist/index.js';

const PAGE = fileURLToPath(new URL('../../docs/guide/settings.md', import.meta.url));
const page = settingsPage();
if (process.argv.includes('--check')) {
  if (readFileSync(PAGE, 'utf8') !== page) {
    process.stderr.write(`${PAGE} is stale: run \`npm run settings\` and commit what it changes\n`);
    process.exit(1);
  }
} else writeFileSync(PAGE, page);
