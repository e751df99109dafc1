/**
 * The JSON schemas of events, made from their types in libs/cluster: those are the one truth of what an event carries. The API needs them while it runs, so that they are kept as
 * source text.
 */
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import prettier from 'prettier';
import { createGenerator } from 'ts-json-schema-generator';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
export const EVENT_SCHEMAS = at('apps/api/src/openapi/event-types-schemas.ts');

/** The text of {@link EVENT_SCHEMAS}. */
export async function eventSchemasText() {
  const generator = createGenerator({
    path: at('libs/cluster/src/events/cluster-event.ts'),
    tsconfig: at('tsconfig.base.json'),
    type: 'ClusterEvent',
    skipTypeCheck: true,
    additionalProperties: true,
    topRef: false,
    sortProps: true,
  });
  const { definitions } = generator.createSchema('ClusterEvent');
  const text = `/** Generated from the types of events in libs/cluster by \`npm run openapi\`. Not to be edited. */
export const EVENT_TYPES_SCHEMAS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = ${JSON.stringify(definitions).replaceAll('#/definitions/', '#/components/schemas/')};
`;
  return prettier.format(text, { ...(await prettier.resolveConfig(EVENT_SCHEMAS)), parser: 'typescript' });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(await eventSchemasText());
