import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Makes the judging process's program from the sources, so that a test run never judges with a stale build.
 *
 * @param directory where to put it.
 * @returns path of the program.
 */
export async function bundleJudge(directory: string): Promise<string> {
  const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  const library = (name: string): [string, string] => [`@systole/${name}`, source(`../../../libs/${name}/src/index.ts`)];
  const outfile = `${directory}/judge-process.mjs`;
  await build({
    entryPoints: [source('./judge-process.ts')],
    outfile,
    alias: Object.fromEntries(['cib', 'scheduler', 'simulator'].map(library)),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  return outfile;
}
