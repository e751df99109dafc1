import { readFileSync } from 'node:fs';

/** A JSON schema as it stands in the document. */
export type Schema = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface DescribedResponse {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
  readonly headers?: Readonly<Record<string, Schema>>;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, DescribedResponse | { readonly $ref: string }>>;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

/** As much of an OpenAPI document as tests read. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, DescribedResponse>>;
  };
}

/** An operation with where it is asked for. */
export interface Route {
  /** In small letters, as the document has it. */
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  readonly operation: Operation;
}

/** Reads the document of a checkout; CI sees to it that it is the one that the API serves. @param checkout its root, as directory or URL */
export function apiDocument(checkout: string | URL): ApiDocument {
  const file = typeof checkout === 'string' ? `${checkout}/openapi/openapi.json` : new URL('openapi/openapi.json', checkout);
  return JSON.parse(readFileSync(file, 'utf8')) as ApiDocument;
}

export function routesOf({ paths }: ApiDocument): readonly Route[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
  );
}

/** What is described for an answer of that status; undefined for none. */
export function describedResponse(document: ApiDocument, { responses }: Operation, status: number): DescribedResponse | undefined {
  const found = responses[String(status)];
  if (found === undefined || !('$ref' in found)) return found;
  return document.components.responses[found.$ref.split('/').at(-1) ?? ''];
}
