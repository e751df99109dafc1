// Which packages of the registry are in what a bundler made, by its own account of it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from './version.js';

/**
 * @typedef {object} Module a package of the registry
 * @property {string} name
 * @property {string} version
 * @property {string | undefined} license as its manifest names it
 * @property {string} origin its author and repository, as far as the manifest tells them
 * @property {string} directory in the checkout
 */

/**
 * @param {readonly { outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }> }[]} accounts esbuild's `metafile`, of runs in the root of the checkout
 * @param {readonly string[]} [others] packages of which files are copied
 * @returns {readonly Module[]} of which anything is in what was made, by name
 */
export function bundledModules(accounts, others = []) {
  const directories = new Set(others.map((name) => `node_modules/${name}`));
  for (const { outputs } of accounts)
    for (const { inputs } of Object.values(outputs))
      for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
        const directory = PACKAGE_DIRECTORY.exec(file)?.[0];
        if (directory !== undefined && bytesInOutput > 0) directories.add(directory);
      }
  return [...directories].map(moduleIn).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The account that a build of a workspace has left. @param {string} file in the checkout */
export const accountIn = (file) => JSON.parse(readFileSync(join(CHECKOUT, file), 'utf8'));

/** The version of a package that is in `node_modules` itself. @param {string} name */
export const installedVersion = (name) => moduleIn(`node_modules/${name}`).version;

/** Greedy: a package may bring packages of its own. */
const PACKAGE_DIRECTORY = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/** @returns {Module} */
function moduleIn(directory) {
  const { name, version, license, licenses, author, repository } = JSON.parse(
    readFileSync(join(CHECKOUT, directory, 'package.json'), 'utf8'),
  );
  const origin = [author?.name ?? author, repository?.url ?? repository].filter((part) => part !== undefined).join(', ');
  return { name, version, license: license ?? licenses?.map(({ type }) => type).join(' OR '), origin, directory };
}
