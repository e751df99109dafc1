// Bundles the dashboard into dist/, from where the api serves it at `/`. Run after `tsc -b`: it takes the libraries as they were compiled.
import { cp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

const here = `${import.meta.dirname}/`;
const dist = `${here}dist`;

// What tsc keeps in a folder whose name begins with a dot is not served, and stays.
for (const entry of await readdir(dist)) if (!entry.startsWith('.')) await rm(`${dist}/${entry}`, { recursive: true });
await cp(`${here}public`, dist, { recursive: true });
const { metafile } = await build({
  // The account names files from there.
  absWorkingDir: join(here, '../..'),
  metafile: true,
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
// For whoever packs it: of whom it has something. Not served either.
await writeFile(`${dist}/.account.json`, JSON.stringify(metafile));
