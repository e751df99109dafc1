// Makes what CHANGELOG.md has under "Unreleased" the section of the root's version. `npm version <version>` runs it; a version of which nothing is written down is not released.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { CHECKOUT, VERSION } from './version.js';

const UNRELEASED = '## Unreleased\n';
const file = join(CHECKOUT, 'CHANGELOG.md');
const text = readFileSync(file, 'utf8');

function refuse(why) {
  process.stderr.write(`CHANGELOG.md ${why}\n`);
  process.exit(1);
}

const at = text.indexOf(UNRELEASED);
if (at < 0) refuse('has no section "Unreleased"');
const rest = text.slice(at + UNRELEASED.length);
const next = rest.indexOf('\n## ');
const changes = (next < 0 ? rest : rest.slice(0, next)).trim();
if (changes === '') refuse('has nothing under "Unreleased": write down what changes for users');
if (rest.includes(`\n## ${VERSION} - `)) refuse(`has a section ${VERSION} already`);
const day = new Date().toISOString().slice(0, 10);
const older = next < 0 ? '' : rest.slice(next);
writeFileSync(file, `${text.slice(0, at)}${UNRELEASED}\n## ${VERSION} - ${day}\n\n${changes}\n${older}`);
