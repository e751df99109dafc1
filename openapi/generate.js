/**
 * Writes the schemas of events from their types, openapi/openapi.json from these and the API's routes, and libs/api-client/src/schema.ts from that; with --check it changes nothing and
 * fails when one of them is stale. Compiles the api; needs no database.
 */
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { EVENT_SCHEMAS, eventSchemaTexts } from './event-schemas.js';

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

const check = process.argv.includes('--check');
let stale = false;

/** Writes a file that is to have that content, or says that it has not. */
async function keep(path, content) {
  const present = await readFile(path, 'utf8').catch(() => '');
  if (present === content) return;
  if (check) {
    stale = true;
    process.stderr.write(`${path} is stale: run \`npm run openapi\` and commit what it changes\n`);
  } else {
    await writeFile(path, content);
    process.stdout.write(`wrote ${path}\n`);
  }
}

/** Removes a file that nothing is written to any more, or says that it is there. */
async function drop(path) {
  if (check) {
    stale = true;
    process.stderr.write(`${path} is stale: run \`npm run openapi\` and commit what it changes\n`);
  } else {
    await rm(path);
    process.stdout.write(`removed ${path}\n`);
  }
}

const eventSchemas = await eventSchemaTexts();
await mkdir(EVENT_SCHEMAS, { recursive: true });
for (const [name, text] of eventSchemas) await keep(join(EVENT_SCHEMAS, name), text);
for (const name of await readdir(EVENT_SCHEMAS)) if (!eventSchemas.has(name)) await drop(join(EVENT_SCHEMAS, name));
const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
const compiled = spawnSync(process.execPath, [tsc, '-b', fileURLToPath(new URL('../apps/api', import.meta.url))], { stdio: 'inherit' });
if (compiled.status !== 0) process.exit(1);
const { describeApi } = await import('../apps/api/dist/index.js');
const { openapi, info, ...rest } = await describeApi();
const document = { openapi, info, ...sorted(rest) };
await keep(DOCUMENT, `${JSON.stringify(document, null, 2)}\n`);
await keep(SCHEMA, HEADER + astToString(await openapiTS(document, { alphabetize: true })));
process.exit(stale ? 1 : 0);
