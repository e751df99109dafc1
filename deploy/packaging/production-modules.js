// Which packages of the registry a program of this repository needs as it runs, as package-lock.json has them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from './version.js';

const { packages: LOCKED } = JSON.parse(readFileSync(join(CHECKOUT, 'package-lock.json'), 'utf8'));

/**
 * @typedef {object} Module a package of the registry
 * @property {string} name
 * @property {string} version
 * @property {string | undefined} license as its manifest names it
 * @property {string} directory in the checkout
 */

/**
 * Everything that the given workspaces depend on, but for development and what is optional, as Node.js finds it from where it is imported.
 *
 * @param {readonly string[]} workspaces directories in the checkout
 * @param {readonly string[]} [without] names of what is left out, with what only that needs
 * @returns {readonly Module[]} by name
 * @throws {Error} when package-lock.json lacks one
 */
export function productionModules(workspaces, without = []) {
  const modules = [];
  const seen = new Set();
  const waiting = [...workspaces];
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    if (seen.has(directory)) continue;
    seen.add(directory);
    const entry = LOCKED[directory];
    if (entry.link === true) {
      waiting.push(entry.resolved);
      continue;
    }
    if (directory.includes('node_modules/'))
      modules.push({ name: directory.split('node_modules/').at(-1), version: entry.version, license: entry.license, directory });
    for (const name of needed(entry)) if (!without.includes(name)) waiting.push(placeOf(directory, name));
  }
  return modules.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The version of a package that is in `node_modules` itself. @param {string} name */
export const lockedVersion = (name) => LOCKED[`node_modules/${name}`].version;

const needed = ({ dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }) => [
  ...Object.keys(dependencies),
  ...Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true),
];

/** What Node.js finds under a name: the nearest one, from the directory up. */
function placeOf(from, name) {
  for (let directory = from; ; directory = directory.slice(0, Math.max(0, directory.lastIndexOf('/')))) {
    const place = join(directory, 'node_modules', name);
    if (LOCKED[place] !== undefined) return place;
    if (directory === '') throw new Error(`package-lock.json has no ${name}, which ${from} needs: run npm install`);
  }
}
