import { NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ApiModule } from './api.module.js';
import { documentOf } from './openapi/document.js';

/** The description of the API without a database: the routes are read, nothing is started. */
export async function describeApi(): Promise<OpenAPIObject> {
  const app = await NestFactory.create(ApiModule.withoutServices(), { preview: true, abortOnError: false, logger: false });
  try {
    return documentOf(app);
  } finally {
    await app.close();
  }
}
