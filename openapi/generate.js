/**
 * Writes openapi/openapi.json from the API's routes and libs/api-client/src/schema.ts from that; with --check it changes nothing and fails when
 * one of them is stale. Needs the compiled api (`npm run build`), no database.
 */
import { readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { describeApi } from '../apps/api/dist/index.js';

const DOCUMENT = fileURLToPath(new URL('openapi.json', import.meta.url));
const SCHEMA = fileURLToPath(new URL('../libs/api-client/src/schema.ts', import.meta.url));
const HEADER = '/** Generated from openapi/openapi.json by `npm run openapi`. Not to be edited. */\n';

/** Objects with their keys in order, so that the order in which modules are loaded does not show. */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

const { openapi, info, ...rest } = await describeApi();
const document = { openapi, info, ...sorted(rest) };
const files = [
  { path: DOCUMENT, content: `${JSON.stringify(document, null, 2)}\n` },
  { path: SCHEMA, content: HEADER + astToString(await openapiTS(document, { alphabetize: true })) },
];

const check = process.argv.includes('--check');
let stale = false;
for (const { path, content } of files) {
  const present = await readFile(path, 'utf8').catch(() => '');
  if (present === content) continue;
  if (check) {
    stale = true;
    process.stderr.write(`${path} is stale: run \`npm run openapi\` and commit what it changes\n`);
  } else {
    await writeFile(path, content);
    process.stdout.write(`wrote ${path}\n`);
  }
}
process.exit(stale ? 1 : 0);
