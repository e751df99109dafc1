/**
 * The JSON schemas of events, made from their types in libs/cluster: those are the one truth of what an event carries. The API needs them while it runs, so that they are kept as
 * source text, a file for each of those in which the types stand.
 */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath, URL } from 'node:url';
import prettier from 'prettier';
import { createGenerator } from 'ts-json-schema-generator';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const EVENTS = at('libs/cluster/src/events');
export const EVENT_SCHEMAS = at('apps/api/src/openapi/event-types');
const HEADER = '/** Generated from the types of events in libs/cluster by `npm run openapi`. Not to be edited. */\n';
const SCHEMAS = 'Readonly<Record<string, Readonly<Record<string, unknown>>>>';
/** Where the schema of a type goes that events use, and that stands elsewhere. */
const ELSEWHERE = 'of-other-libraries';

/** The texts of the files in {@link EVENT_SCHEMAS}, by their names. */
export async function eventSchemaTexts() {
  const generator = createGenerator({
    path: join(EVENTS, 'cluster-event.ts'),
    tsconfig: at('tsconfig.base.json'),
    type: 'ClusterEvent',
    skipTypeCheck: true,
    additionalProperties: true,
    topRef: false,
    sortProps: true,
  });
  const { definitions } = generator.createSchema('ClusterEvent');
  return textsOf(definitions, await placesOfTypes());
}

/** By the name of each type the file that it stands in, without the ending. */
async function placesOfTypes() {
  const places = new Map();
  for (const file of (await readdir(EVENTS)).filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts')).sort()) {
    const text = await readFile(join(EVENTS, file), 'utf8');
    for (const [, name] of text.matchAll(/^export (?:interface|type) (\w+)/gm)) places.set(name, basename(file, '.ts'));
  }
  return places;
}

async function textsOf(definitions, places) {
  const parts = new Map();
  for (const [name, schema] of Object.entries(definitions)) {
    const place = places.get(name) ?? ELSEWHERE;
    parts.set(place, { ...parts.get(place), [name]: schema });
  }
  const files = [...parts.keys()].sort();
  const imports = files.map((file) => `import { ${constantOf(file)} } from './${file}.js';`);
  const all = `export const EVENT_TYPES_SCHEMAS: ${SCHEMAS} = {${files.map((file) => `...${constantOf(file)}`).join(',')}};`;
  const texts = [['index.ts', `${HEADER}${imports.join('\n')}\n\n${all}`]];
  for (const file of files) {
    const schemas = JSON.stringify(parts.get(file)).replaceAll('#/definitions/', '#/components/schemas/');
    texts.push([`${file}.ts`, `${HEADER}export const ${constantOf(file)}: ${SCHEMAS} = ${schemas};`]);
  }
  const options = { ...(await prettier.resolveConfig(join(EVENT_SCHEMAS, 'index.ts'))), parser: 'typescript' };
  return new Map(await Promise.all(texts.map(async ([name, text]) => [name, await prettier.format(text, options)])));
}

function constantOf(file) {
  return `${file.toUpperCase().replaceAll('-', '_')}_SCHEMAS`;
}
