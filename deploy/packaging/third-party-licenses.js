// What those demand to be passed on whose work is in a package.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from './version.js';

const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

/** @param {readonly import('./production-modules.js').Module[]} modules @returns the licences of them all, one after another */
export function thirdPartyLicenses(modules) {
  const parts = modules.map(({ name, version, license, directory }) => {
    const place = join(CHECKOUT, directory);
    const texts = readdirSync(place, { withFileTypes: true })
      .filter((file) => file.isFile() && LICENCE_FILE.test(file.name))
      .map((file) => readFileSync(join(place, file.name), 'utf8').trim());
    return [`${'='.repeat(80)}\n${name} ${version} (${license ?? 'licence not told'})`, ...texts].join('\n\n');
  });
  return `${parts.join('\n\n')}\n`;
}
