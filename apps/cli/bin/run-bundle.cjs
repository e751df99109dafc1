'use strict';
// First, because V8 refuses code that was made with other settings.
require('./v8-settings.cjs');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

const DIGEST_LENGTH = 64;

/** Runs a bundle with the code that V8 made of it when it was built; without, if that is of another bundle or version of Node.js. */
module.exports = function runBundle(name) {
  const filename = join(__dirname, `../dist/${name}.bundle.js`);
  const source = readFileSync(filename, 'utf8');
  new Script(source, { filename, cachedData: compiledCode(name, source) }).runInThisContext()(require, module);
};

function compiledCode(name, source) {
  try {
    const code = readFileSync(join(__dirname, `../dist/${name}.bundle.cache`));
    const digest = code.toString('latin1', 0, DIGEST_LENGTH);
    return source.startsWith(`//${digest}\n`) ? code.subarray(DIGEST_LENGTH) : undefined;
  } catch {
    return undefined;
  }
}
