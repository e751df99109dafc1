import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The file in which a thread begins, beside the one that starts it; the compiled one also when that runs from its source (under the test runner): Node starts
 * threads only from JavaScript.
 *
 * @param from `import.meta.url` of the file that starts it
 * @throws {Error} when it is not compiled
 */
export function threadEntry(name: string, from: string): URL {
  // Only what is not compiled lies in `src`, the last one of that name: the checkout may lie below another.
  const beside = from.endsWith('.ts') ? from.replace(/^(.*\/(?:apps|libs)\/[^/]+)\/src\//, '$1/dist/') : from;
  const entry = new URL(`./${name}.js`, beside);
  if (!existsSync(fileURLToPath(entry))) throw new Error(`${fileURLToPath(entry)} is missing: run \`npm run build\` first`);
  return entry;
}
