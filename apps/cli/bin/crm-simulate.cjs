'use strict';
// Runs the bundle of crm_simulate with the code that V8 made of it when it was built; without, if that is of another bundle or version of Node.js.
// First, because V8 refuses code that was made with other settings.
require('./v8-settings.cjs');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

const DIGEST_LENGTH = 64;

const filename = join(__dirname, '../dist/crm-simulate.bundle.js');
const source = readFileSync(filename, 'utf8');

function compiledCode() {
  try {
    const code = readFileSync(join(__dirname, '../dist/crm-simulate.bundle.cache'));
    const digest = code.toString('latin1', 0, DIGEST_LENGTH);
    return source.startsWith(`//${digest}\n`) ? code.subarray(DIGEST_LENGTH) : undefined;
  } catch {
    return undefined;
  }
}

new Script(source, { filename, cachedData: compiledCode() }).runInThisContext()(require, module);
// At once, without giving the memory back piece by piece; everything is written by now.
process.exit();
