// Makes what CHANGELOG.md has under "Unreleased" the section of the root's version. `npm version <version>` runs it; a version of which nothing is written down is not released.
// With --check, which npm runs before it changes anything, it looks only whether the version can be released.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { CHECKOUT, VERSION } from './version.js';

const isCheck = process.argv.includes('--check');
/** Before npm has written it anywhere, it names it so. */
const version = isCheck ? process.env.npm_new_version : VERSION;
const UNRELEASED = '## Unreleased\n';
const file = join(CHECKOUT, 'CHANGELOG.md');
const text = readFileSync(file, 'utf8');

function refuse(why) {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}

const at = text.indexOf(UNRELEASED);
if (at < 0) refuse('CHANGELOG.md has no section "Unreleased"');
const rest = text.slice(at + UNRELEASED.length);
const next = rest.indexOf('\n## ');
const changes = (next < 0 ? rest : rest.slice(0, next)).trim();
if (changes === '') refuse('CHANGELOG.md has nothing under "Unreleased": write down what changes for users');
if (rest.includes(`\n## ${version} - `)) refuse(`CHANGELOG.md has a section ${version} already`);
if (isCheck) {
  if (version === undefined) refuse('npm names no version (npm_new_version): call this by `npm version`');
  const { status } = spawnSync('git', ['rev-parse', '--verify', '--quiet', `refs/tags/v${version}`], { cwd: CHECKOUT });
  if (status === 0) refuse(`v${version} is a tag already`);
  process.exit(0);
}
const day = new Date().toISOString().slice(0, 10);
const older = next < 0 ? '' : rest.slice(next);
writeFileSync(file, `${text.slice(0, at)}${UNRELEASED}\n## ${version} - ${day}\n\n${changes}\n${older}`);
