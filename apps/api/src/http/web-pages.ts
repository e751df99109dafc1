import { existsSync } from 'node:fs';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import express, { type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import { documentOf } from '../openapi/document.js';

/** What the api itself answers. */
const NO_FILES = /^\/(?:v1|health|metrics)(?:\/|$)/;
/** Beside the program in a package, else where the workspace builds it. */
const DASHBOARD = ['./dashboard', '../../../dashboard/dist']
  .map((place) => fileURLToPath(new URL(place, import.meta.url)))
  .find((directory) => existsSync(join(directory, 'index.html')));

/** In a package, beside the program; elsewhere it is found in `node_modules`. */
const SWAGGER_UI = fileURLToPath(new URL('./swagger-ui', import.meta.url));

/** Serves the dashboard at `/` and the documentation at `/docs`. @param dashboard directory of its files; default: those that were built */
export function serveWebPages(app: NestExpressApplication, dashboard = DASHBOARD): void {
  serveDashboard(app, dashboard);
  app.use(DOCUMENTATION, allowOwnStyles());
  SwaggerModule.setup(DOCUMENTATION.slice(1), app, () => documentOf(app), {
    ...(existsSync(SWAGGER_UI) ? { customSwaggerUiPath: SWAGGER_UI } : {}),
    jsonDocumentUrl: 'openapi.json',
    customSiteTitle: 'Systole API',
  });
}

/** Names and values of the headers that every answer has: the same for all, so that they are made once. */
export function securityHeaders(): readonly (readonly [name: string, value: string])[] {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  protection()(response.req, response, (error?: unknown) => {
    if (error !== undefined) throw new Error('the headers of every answer could not be made', { cause: error });
  });
  return Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]);
}

/** Gives answers headers, at once. */
export function withHeaders(headers: readonly (readonly [name: string, value: string])[]) {
  return (_: IncomingMessage, response: ServerResponse, next: () => void): void => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

/** Of what a write is answered. */
export const KEPT_BY_NOBODY = ['cache-control', 'no-store'] as const;

/**
 * Says who may keep an answer, where its handler says nothing else. What is read is for who asked, and may be another thing in a moment: whoever keeps it asks whether it is so still; without a word a cache
 * may go by rules of its own (RFC 9111 §4.2.2). What a write was answered is kept by nobody: it may hold a secret that is shown once.
 */
export function cachingTold() {
  return ({ method }: IncomingMessage, response: ServerResponse, next: () => void): void => {
    response.setHeader('cache-control', method === 'GET' || method === 'HEAD' ? 'private, no-cache' : KEPT_BY_NOBODY[1]);
    next();
  };
}

/** Where the documentation of the API is. */
const DOCUMENTATION = '/docs';

/** What pages may load and do: their own files; the dashboard draws graphs with Graphviz as WebAssembly. */
const POLICY = {
  'default-src': ["'self'"],
  'script-src': ["'self'", "'wasm-unsafe-eval'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'upgrade-insecure-requests': null,
};

function protection(): ReturnType<typeof helmet> {
  return helmet({
    contentSecurityPolicy: { directives: POLICY },
    // TLS ends at a proxy, which may say so itself; over plain HTTP browsers ignore it.
    strictTransportSecurity: false,
  });
}

/** The page of the documentation brings styles along that stand in it; scripts that do so are kept out there, too. */
function allowOwnStyles(): ReturnType<typeof helmet.contentSecurityPolicy> {
  return helmet.contentSecurityPolicy({ directives: { ...POLICY, 'style-src': ["'self'", "'unsafe-inline'"] } });
}

/** The dashboard's files at `/`, when it was built. */
function serveDashboard(app: NestExpressApplication, directory: string | undefined): void {
  if (directory === undefined || !existsSync(join(directory, 'index.html'))) return;
  const files = express.static(directory, { index: 'index.html', fallthrough: true });
  // For what can't be a file no file is looked for: each look is a call of the operating system.
  app.use((request: Request, response: Response, next: NextFunction): void => {
    if (NO_FILES.test(request.path)) next();
    else files(request, response, next);
  });
}
