// What those demand to be passed on whose work is in a package.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from './version.js';

/** Also of what a package has bundled itself, e.g. `bundle.js.LICENSE.txt`. */
const LICENCE_FILE = /(?:^|\.)(?:licen[cs]e|copying|notice)(?!.*\.[cm]?[jt]s$)/i;
/** Some have it there only: from its heading to the next one of its level. */
const LICENCE_CHAPTER = /^(#+) *(?:the )?(?:mit )?licen[cs]e[^\n]*\n[^]*?(?=^\1 |$(?![^]))/im;

/** @param {readonly import('./bundled-modules.js').Module[]} modules @returns what is in a package, and the licences of it all, one after another */
export function thirdPartyLicenses(modules) {
  const parts = modules.map((module) => [title(module), ...texts(module)].join('\n\n'));
  const names = modules.map(({ name, version, license }) => `${name} ${version}: ${license ?? NOT_TOLD}`);
  return `${['This package has work of others in it:', names.join('\n'), ...parts].join('\n\n')}\n`;
}

const NOT_TOLD = 'licence not told';

const title = ({ name, version, license, origin }) => `${'='.repeat(80)}\n${name} ${version} (${license ?? NOT_TOLD})\n${origin}`.trimEnd();

function texts({ directory }) {
  const place = join(CHECKOUT, directory);
  const files = readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
  const read = (name) => readFileSync(join(place, name), 'utf8').trim();
  const found = files.filter((name) => LICENCE_FILE.test(name)).map(read);
  if (found.length > 0) return found;
  const chapters = files.filter((name) => /^readme/i.test(name)).flatMap((name) => LICENCE_CHAPTER.exec(read(name))?.[0].trim() ?? []);
  return chapters.length > 0 ? chapters : ['It comes without the text of its licence.'];
}
