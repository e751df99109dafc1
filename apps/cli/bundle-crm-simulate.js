// One file instead of two hundred: loading modules would take more time than most simulations.
import { fileURLToPath, URL } from 'node:url';
import { build } from 'esbuild';

const path = (file) => fileURLToPath(new URL(file, import.meta.url));

await build({
  entryPoints: [path('dist/crm-simulate/main.js')],
  outfile: path('dist/crm-simulate.bundle.mjs'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  legalComments: 'inline',
  logLevel: 'warning',
});
