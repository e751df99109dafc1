import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';

// What the images are made of, by the lockfile: `npm run sbom -- FILE` writes it as CycloneDX, and lists the licences. It fails for one that is not among those that may be passed on with a program under Apache-2.0.

/** SPDX ids of licences that ask for no more than that they are named. */
const ALLOWED = new Set(['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']);

/** Their manifests say so in a form that npm reads no more (`licenses`). */
const SAID_OTHERWISE = new Map([
  ['busboy', 'MIT'],
  ['streamsearch', 'MIT'],
]);

function billOfMaterials() {
  const options = ['sbom', '--package-lock-only', '--omit', 'dev', '--omit', 'optional', '--sbom-format', 'cyclonedx'];
  const { status, stdout, stderr, error } = spawnSync('npm', options, {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`npm sbom failed: ${error?.message ?? stderr}`);
  return JSON.parse(stdout);
}

/** @returns the SPDX id, or what stands in its place */
function licenceOf({ name, licenses = [] }) {
  const [said] = licenses;
  return said?.license?.id ?? said?.expression ?? said?.license?.name ?? SAID_OTHERWISE.get(name) ?? 'none said';
}

const bill = billOfMaterials();
const byLicence = new Map();
for (const component of bill.components) {
  const licence = licenceOf(component);
  byLicence.set(licence, [...(byLicence.get(licence) ?? []), `${component.name}@${component.version}`]);
}
const [file] = process.argv.slice(2);
if (file !== undefined) writeFileSync(file, `${JSON.stringify(bill, undefined, 2)}\n`);
for (const [licence, packages] of [...byLicence].sort(([one], [other]) => (one < other ? -1 : 1))) {
  process.stdout.write(`${licence}: ${String(packages.length)} packages\n`);
  if (ALLOWED.has(licence)) continue;
  process.stderr.write(`not allowed (deploy/sbom.js): ${licence}, of ${packages.join(', ')}\n`);
  process.exitCode = 1;
}
if (bill.components.length === 0) throw new Error('the lockfile names no packages');
