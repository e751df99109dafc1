// What every package has: its manifest for npm, the licences.
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { thirdPartyLicenses } from './third-party-licenses.js';
import { CHECKOUT, VERSION } from './version.js';

/** A package that is being made: a directory as npm installs it, and as `systole-agent install` copies it. */
export class StagedPackage {
  /** @param {string} root its directory; what was there is removed @param {string} name */
  constructor(root, name) {
    this.root = root;
    this.name = name;
    rmSync(root, { recursive: true, force: true });
    mkdirSync(root, { recursive: true });
  }

  /** @param {string} file @param {string} text @param {number} [mode] */
  write(file, text, mode = 0o644) {
    const path = join(this.root, file);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, mode);
  }

  /** @param {string} from in the checkout @param {string} to @param {(path: string) => boolean} [filter] */
  copy(from, to, filter = () => true) {
    cpSync(join(CHECKOUT, from), join(this.root, to), { recursive: true, filter });
  }

  /**
   * @param {object} manifest what it has of its own in package.json
   * @param {readonly import('./bundled-modules.js').Module[]} modules of others that are in it
   */
  finish(manifest, modules) {
    const common = { name: this.name, version: VERSION, license: 'Apache-2.0', type: 'module', engines: { node: '>=20.19' } };
    this.write('package.json', `${JSON.stringify({ ...common, ...manifest }, undefined, 2)}\n`);
    this.copy('LICENSE', 'LICENSE');
    this.write('THIRD-PARTY-LICENSES', thirdPartyLicenses(modules));
  }
}

/** The text of a program that looks at the Node.js that runs it before it loads what an older one does not know. @param {string} name @param {string} rest */
export const refusingOlderNode = (name, rest) => `const [major, minor] = process.versions.node.split('.').map(Number);
if (!(major > 20 || (major === 20 && minor >= 19))) {
  process.stderr.write(\`${name}: needs Node.js 20.19 or newer; \${process.execPath} is \${process.versions.node}\\n\`);
  process.exit(64);
}
${rest}`;
