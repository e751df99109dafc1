import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import express from 'express';
import helmet from 'helmet';
import { documentOf } from '../openapi/document.js';

const DASHBOARD = fileURLToPath(new URL('../../../dashboard/dist', import.meta.url));

/** Serves the dashboard at `/` and the documentation at `/docs`. @param dashboard directory of its files; default: where the workspace builds them */
export function serveWebPages(app: NestExpressApplication, dashboard = DASHBOARD): void {
  serveDashboard(app, dashboard);
  SwaggerModule.setup('docs', app, () => documentOf(app), { jsonDocumentUrl: 'openapi.json', customSiteTitle: 'Systole API' });
}

/** The documentation page brings its scripts and styles along, some inline; the dashboard draws graphs with Graphviz as WebAssembly. */
export function securityHeaders(): express.RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      directives: {
        'default-src': ["'self'"],
        'script-src': ["'self'", "'unsafe-inline'", "'wasm-unsafe-eval'"],
        'style-src': ["'self'", "'unsafe-inline'"],
        'img-src': ["'self'", 'data:'],
        'upgrade-insecure-requests': null,
      },
    },
    // TLS ends at a proxy, which may say so itself; over plain HTTP browsers ignore it.
    strictTransportSecurity: false,
  });
}

/** The dashboard's files at `/`, when it was built. */
function serveDashboard(app: NestExpressApplication, directory: string): void {
  if (!existsSync(`${directory}/index.html`)) return;
  app.use(express.static(directory, { index: 'index.html', fallthrough: true }));
}
