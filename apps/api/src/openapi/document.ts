import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { INestApplication } from '@nestjs/common';
import { permissionFor } from '@systole/access';
import { elementSchemas } from '@systole/cib';
import { messageSchemas } from '@systole/protocol';
import { PATCH_CONTENT } from '../configuration/patch-body.js';
import { withConditions } from './conditional-writes.js';
import { eventSchemas } from './event-schemas.js';
import { withGeneralAnswers } from './general-answers.js';
import { withPathParameters } from './path-parameters.js';
import { problemResponse } from './responses.js';
import { schemaPath } from './schema-path.js';
import { withoutNullable } from './without-nullable.js';

/** The description of the API as the routes declare it. */
export function documentOf(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Systole')
    .setDescription(
      'High-availability clusters over HTTP. Clusters are named by id or name. The ETag of a cluster is the version of its event stream, with the epoch of the log once that began a new one; writes take If-Match. ' +
        'Errors are problem documents (RFC 9457) with a stable type.',
    )
    .setVersion('1')
    .setOpenAPIVersion('3.1.0')
    .addServer('/', 'The server that serves this document.')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'A token of the role viewer, operator or admin.' }, 'operator')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'The token of the agent of one node.' }, 'agent')
    .build();
  const described = SwaggerModule.createDocument(app, { ...config, tags: [...tagsOf(TAGS)] });
  const declared = described.components?.schemas ?? {};
  const schemas = { ...declared, ...messageSchemas(), ...elementSchemas(schemaPath), ...eventSchemas(declared) };
  const document = withoutNullable({
    ...described,
    paths: byName(described.paths),
    components: { ...described.components, schemas: byName(schemas) },
  });
  return withGeneralAnswers({ ...document, paths: withPatches(withConditions(withPathParameters(withPermissions(document.paths)))) });
}

/** In the order of the names, so that the order in which modules are loaded does not show. */
function byName<Value>(named: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(named).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** What the routes are sorted by. */
const TAGS: Readonly<Record<string, string>> = {
  agent: 'The protocol of the node agents.',
  audit: 'Who did what on the server, and anywhere.',
  cib: 'The whole CIB: configuration and status in one document.',
  clusters: 'Clusters, by id or name.',
  configuration: 'The configuration, element by element.',
  events: 'The event log of a cluster: what happened, who did it, and why.',
  evidence: 'What proves that the log is as it was.',
  explanation: 'Why something is where it is.',
  health: 'For orchestrators and for Prometheus.',
  metadata: 'What may stand in a configuration.',
  nodes: 'Commands on nodes.',
  resources: 'Commands on resources.',
  secrets: 'Values of parameters that are kept apart from the configuration.',
  simulate: 'Plans for any CIB, without a cluster.',
  status: 'What is so now.',
  alerts: 'Runs of the programs of alerts, and tests of them.',
  tickets: 'Tickets of sites, and whether they are granted.',
  tokens: 'Tokens of operators and agents.',
  transitions: 'What was planned, and how it ended.',
  webhooks: 'Whom events are sent to, and whether they arrive.',
};

function tagsOf(tags: typeof TAGS): readonly { readonly name: string; readonly description: string }[] {
  return Object.entries(tags).map(([name, description]) => ({ name, description }));
}

type OperationObject = NonNullable<OpenAPIObject['paths'][string]['get']>;

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

function withPermission(operation: OperationObject): OperationObject {
  const { who } = permissionFor(operation.operationId ?? '');
  if (who === 'everyone') return { ...operation, security: [] };
  const responses = { ...operation.responses, 401: problemResponse(401), 403: problemResponse(403) };
  return { ...operation, responses, security: [{ [who === 'agent' ? 'agent' : 'operator']: [] }] };
}

/** Says of each operation what token it needs, and that others are refused, by the table of permissions. */
function withPermissions(paths: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => {
      const operations = METHODS.flatMap((method) => {
        const operation = item[method];
        return operation === undefined ? [] : [[method, withPermission(operation)] as const];
      });
      return [path, { ...item, ...Object.fromEntries(operations) }];
    }),
  );
}

/** Each type of a patch with its own schema. */
function withPatches(paths: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]): [string, typeof item] => {
      const { patch } = item;
      if (patch?.requestBody === undefined || '$ref' in patch.requestBody) return [path, item];
      // A body of named fields is none.
      const { content } = patch.requestBody;
      if (!Object.keys(PATCH_CONTENT).some((type) => type in content)) return [path, item];
      return [path, { ...item, patch: { ...patch, requestBody: { ...patch.requestBody, content: PATCH_CONTENT } } }];
    }),
  );
}
