import { cell, code, shown, table } from '../markdown-text.js';
import {
  answerOf,
  type Content,
  nameOf,
  type OpenApiDocument,
  type Operation,
  operationsOf,
  type Schema,
  schemasReachedFrom,
  type Tag,
} from './openapi-document.js';
import { type SchemaLink, schemaBody, typeText } from './schema-text.js';

/** A page that is made when the site is built. */
export interface MadePage {
  /** Path below docs/, such as `reference/api/nodes.md`. */
  readonly path: string;
  readonly title: string;
  readonly markdown: string;
}

/** Where the pages of the API lie below docs/. */
const FOLDER = 'reference/api';

/** Schemas that operations of several tags use are on pages of their own, by what they describe. */
const SHARED = [
  { file: 'types-configuration', title: 'Types: elements of the configuration', holds: (name: string) => name.endsWith('Element') },
  { file: 'types-events', title: 'Types: events', holds: (name: string) => name.endsWith('Event') },
  { file: 'types', title: 'Types: all others that several requests have', holds: () => true },
] as const;

const PROBLEM_TYPE = 'ProblemType';
const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/**
 * The reference of the API: an overview, a page for each tag with its operations and the types that only these use, pages of the types that are shared, and one of the problem types.
 *
 * @throws when an operation has no tag or one that the document does not describe, or refers to what is not there.
 */
export function apiPages(document: OpenApiDocument): MadePage[] {
  const homes = schemaHomes(document);
  const link: SchemaLink = (name) => `./${homes.get(name) ?? 'types'}.md#${name}`;
  return [
    overview(document),
    ...document.tags.map((tag) => tagPage(document, tag, homes, link)),
    ...SHARED.map(({ file, title }) => page(file, title, schemaSections(document, file, '##', homes, link))),
    problemsPage(document, link),
  ];
}

function page(file: string, title: string, ...parts: readonly string[]): MadePage {
  const markdown = [`# ${title}`, ...parts].filter((part) => part !== '').join('\n\n');
  return { path: `${FOLDER}/${file}.md`, title, markdown: `${markdown.trimEnd()}\n` };
}

/** On which page each schema is described. */
function schemaHomes(document: OpenApiDocument): Map<string, string> {
  const users = new Map<string, Set<string>>();
  for (const { method, path, operation } of operationsOf(document)) {
    const tag = tagOf(document, operation, `${method} ${path}`);
    for (const name of schemasReachedFrom(document, operation)) users.set(name, (users.get(name) ?? new Set()).add(tag));
  }
  return new Map(
    Object.keys(document.components.schemas).map((name) => {
      const [only, ...others] = users.get(name) ?? [];
      if (only !== undefined && others.length === 0) return [name, only];
      return [name, SHARED.find(({ holds }) => holds(name))?.file ?? 'types'];
    }),
  );
}

function tagOf(document: OpenApiDocument, { tags: [tag] }: Operation, where: string): string {
  if (tag === undefined || !document.tags.some(({ name }) => name === tag))
    throw new Error(
      `${where} of the OpenAPI document has no tag that is described there (${tag ?? 'none'}): no page of the reference would have it`,
    );
  return tag;
}

function overview(document: OpenApiDocument): MadePage {
  const operations = operationsOf(document);
  const sections = document.tags.map(({ name, description }) => {
    const rows = operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ method, path, operation }) => [
        code(`${method} ${path}`),
        `[${cell(operation.summary)}](./${name}.md#${operation.operationId})`,
      ]);
    return [`## [${titleOfTag(name)}](./${name}.md)`, shown(description ?? ''), table(['request', 'does'], rows)].join('\n\n');
  });
  return page(
    'index',
    'API reference',
    `${shown(document.info.description ?? '')} What all requests have in common: [the HTTP API](../../guide/api.md). Refusals: [problem types](./problems.md).`,
    'A running server shows the same at `/docs`, and gives it to machines at `/openapi.json`.',
    ...sections,
  );
}

function titleOfTag(name: string): string {
  return name === 'cib' ? 'CIB' : name.charAt(0).toUpperCase() + name.slice(1);
}

function tagPage(document: OpenApiDocument, { name, description }: Tag, homes: ReadonlyMap<string, string>, link: SchemaLink): MadePage {
  const sections = operationsOf(document)
    .filter(({ operation }) => operation.tags.includes(name))
    .map(({ method, path, operation }) => operationSection(document, method, path, operation, link));
  const types = schemaSections(document, name, '###', homes, link);
  return page(name, `API: ${titleOfTag(name)}`, shown(description ?? ''), ...sections, ...(types === '' ? [] : [`## Types\n\n${types}`]));
}

function operationSection(document: OpenApiDocument, method: string, path: string, operation: Operation, link: SchemaLink): string {
  const parameters = (operation.parameters ?? []).map(({ name, in: place, required, description, schema }) => [
    code(name),
    place,
    schema === undefined ? '' : typeText(schema, link),
    required === true ? 'yes' : '',
    cell(description ?? ''),
  ]);
  return [
    `## ${shown(operation.summary)} {#${operation.operationId}}`,
    `\`\`\`http\n${method} ${path}\n\`\`\``,
    operation.deprecated === true ? '**Deprecated.**' : '',
    shown(operation.description ?? ''),
    `Operation ${code(operation.operationId)}. ${whoMay(document, operation)}`,
    parameters.length === 0 ? '' : `**Parameters**\n\n${table(['name', 'in', 'type', 'needed', 'what it is'], parameters)}`,
    bodyText(operation, link),
    `**Answers**\n\n${table(['status', 'what it means', 'body'], answerRows(document, operation, link))}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function whoMay(document: OpenApiDocument, { security = [] }: Operation): string {
  const schemes = security.flatMap((one) => Object.keys(one));
  if (schemes.length === 0) return 'It needs no token.';
  const texts = schemes.map((name) => document.components.securitySchemes[name]?.description ?? name);
  return `It needs: ${texts.map((text) => shown(text.replace(/\.$/, '')).replace(/^./, (letter) => letter.toLowerCase())).join(', or ')}.`;
}

function bodyText({ requestBody }: Operation, link: SchemaLink): string {
  if (requestBody === undefined) return '';
  const rows = contentRows(requestBody.content, link);
  const needed = requestBody.required === true ? '' : ' (may be left out)';
  return [`**Body**${needed}`, shown(requestBody.description ?? ''), table(['media type', 'what it is'], rows)]
    .filter((part) => part !== '')
    .join('\n\n');
}

function contentRows(content: Content, link: SchemaLink): string[][] {
  return Object.entries(content).map(([mediaType, { schema }]) => [code(mediaType), bodyType(schema, link)]);
}

function bodyType(schema: Schema | undefined, link: SchemaLink): string {
  if (schema === undefined) return '';
  const fields = Object.keys(schema.properties ?? {});
  return fields.length === 0 ? typeText(schema, link) : `object with ${fields.map(code).join(', ')}`;
}

function answerRows(document: OpenApiDocument, { responses }: Operation, link: SchemaLink): string[][] {
  return Object.entries(responses).map(([status, response]) => {
    const { description, content = {} } = answerOf(document, response);
    const isProblem = PROBLEM_MEDIA_TYPE in content;
    const bodies = contentRows(content, link).map(([mediaType = '', type = '']) => `${mediaType}: ${type}`);
    return [status, cell(description), isProblem ? `a [problem](./problems.md)` : bodies.join('; ')];
  });
}

function schemaSections(
  document: OpenApiDocument,
  file: string,
  level: string,
  homes: ReadonlyMap<string, string>,
  link: SchemaLink,
): string {
  return Object.entries(document.components.schemas)
    .filter(([name]) => homes.get(name) === file)
    .map(([name, schema]) => `${level} ${name} {#${name}}\n\n${schemaBody(schema, link)}`)
    .join('\n\n');
}

/** Which statuses are problems, and all their types. */
function problemsPage(document: OpenApiDocument, link: SchemaLink): MadePage {
  const types = document.components.schemas[PROBLEM_TYPE]?.enum ?? [];
  const statuses = new Map<string, string>();
  for (const { operation } of operationsOf(document))
    for (const [status, response] of Object.entries(operation.responses)) {
      const { description, content = {} } = answerOf(document, response);
      if (PROBLEM_MEDIA_TYPE in content) statuses.set(status, description);
    }
  return page(
    'problems',
    'Problem types',
    `A refusal is a problem document (RFC 9457) of the media type \`${PROBLEM_MEDIA_TYPE}\`: [ProblemDto](${link('ProblemDto')}). \`detail\` says what is wrong, where, and what to do next. ` +
      'Its `type` is one of those below; later versions have more: whoever does not know one goes by the status.',
    `## Statuses\n\n${table(
      ['status', 'what it means'],
      [...statuses].sort().map(([status, text]) => [status, cell(text)]),
    )}`,
    `## Types\n\n${types.map((type) => `- ${code(nameOf(String(type)))}`).join('\n')}`,
    `Each is an address: ${code(String(types[0]))} is the first of them.`,
  );
}
