// Bundles the dashboard into dist/, from where the api serves it at `/`. Run after `tsc -b`: it takes the libraries as they were compiled.
import { cp, readdir, rm } from 'node:fs/promises';
import { build } from 'esbuild';

const here = `${import.meta.dirname}/`;
const dist = `${here}dist`;

// What tsc keeps in a folder whose name begins with a dot is not served, and stays.
for (const entry of await readdir(dist)) if (!entry.startsWith('.')) await rm(`${dist}/${entry}`, { recursive: true });
await cp(`${here}public`, dist, { recursive: true });
await build({
  entryPoints: [`${here}src/main.tsx`, `${here}src/style.css`],
  outdir: dist,
  bundle: true,
  splitting: true,
  format: 'esm',
  chunkNames: 'chunks/[name]-[hash]',
  target: ['es2022'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  sourcemap: true,
  legalComments: 'linked',
  logLevel: 'warning',
  tsconfig: `${here}tsconfig.json`,
});
