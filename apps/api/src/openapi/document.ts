import { NestFactory } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { INestApplication } from '@nestjs/common';
import { elementSchemas } from '@systole/cib';
import { messageSchemas } from '@systole/protocol';
import { ApiModule } from '../api.module.js';
import { schemaPath } from './schema-path.js';

/** The description of the API as the routes declare it. */
export function documentOf(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Systole')
    .setDescription(
      'High-availability clusters over HTTP. Clusters are named by id or name. The ETag of a cluster is the version of its event stream, with the epoch of the log once that began a new one; writes take If-Match. ' +
        'Errors are problem documents (RFC 9457) with a stable type.',
    )
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'A token of the role viewer, operator or admin.' }, 'operator')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'The token of the agent of one node.' }, 'agent')
    .build();
  const document = SwaggerModule.createDocument(app, config);
  const schemas = { ...document.components?.schemas, ...messageSchemas(), ...elementSchemas(schemaPath) };
  return { ...document, components: { ...document.components, schemas } };
}

/** The same without a database: the routes are read, nothing is started. */
export async function describeApi(): Promise<OpenAPIObject> {
  const app = await NestFactory.create(ApiModule.withoutServices(), { preview: true, abortOnError: false, logger: false });
  try {
    return documentOf(app);
  } finally {
    await app.close();
  }
}
