/** What the pages show of an OpenAPI 3.1 document; `openapi/openapi.json` is one. */
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly tags: readonly Tag[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Answer>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description?: string }>>;
  };
}

export interface Tag {
  readonly name: string;
  readonly description?: string;
}

export interface Reference {
  readonly $ref: string;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content; readonly required?: boolean; readonly description?: string };
  readonly responses: Readonly<Record<string, Answer | Reference>>;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly deprecated?: boolean;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

export type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

export interface Answer {
  readonly description: string;
  readonly content?: Content;
  readonly headers?: Readonly<Record<string, Header | Reference>>;
}

export interface Header {
  readonly description?: string;
}

/** A schema, or a reference to one; every field may be missing. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly example?: unknown;
}

/** The last part of a reference within the document: the name of what it refers to. */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** Every operation of the document, in the order of its paths. */
export function operationsOf(
  document: OpenApiDocument,
): { readonly method: string; readonly path: string; readonly operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** @throws when the reference is to nothing. */
export function answerOf(document: OpenApiDocument, answer: Answer | Reference): Answer {
  if (!('$ref' in answer)) return answer;
  const found = document.components.responses[nameOf(answer.$ref)];
  if (found === undefined)
    throw new Error(`the OpenAPI document refers to ${answer.$ref}, which it does not have: run \`npm run openapi\``);
  return found;
}

/** The names of all schemas that a part of the document refers to, itself and by way of other schemas. */
export function schemasReachedFrom(document: OpenApiDocument, part: unknown): Set<string> {
  const reached = new Set<string>();
  const follow = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key !== '$ref' || typeof inner !== 'string') follow(inner);
      else if (!inner.startsWith('#/components/schemas/')) follow(referred(document, inner));
      else if (!reached.has(nameOf(inner))) {
        reached.add(nameOf(inner));
        follow(document.components.schemas[nameOf(inner)]);
      }
    }
  };
  follow(part);
  return reached;
}

function referred(document: OpenApiDocument, reference: string): unknown {
  return reference.startsWith('#/components/responses/') ? document.components.responses[nameOf(reference)] : undefined;
}
