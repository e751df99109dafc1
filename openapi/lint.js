/**
 * Checks openapi/openapi.json by the recommended rules of Redocly and Spectral: whatever they say, an error or a warning, is printed and fails.
 */
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import { createConfig, lint } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';

const DOCUMENT = fileURLToPath(new URL('openapi.json', import.meta.url));

const config = await createConfig({ extends: ['recommended'] });
const byRedocly = (await lint({ ref: DOCUMENT, config })).map(({ ruleId, message, location }) => ({
  rule: `redocly ${ruleId}`,
  place: location[0]?.pointer ?? '',
  message,
}));

const linter = new spectral.Spectral();
linter.setRuleset(oas);
const bySpectral = (await linter.run(await readFile(DOCUMENT, 'utf8'))).map(({ code, message, path }) => ({
  rule: `spectral ${String(code)}`,
  place: `#/${path.join('/')}`,
  message,
}));

const findings = [...byRedocly, ...bySpectral];
for (const { rule, place, message } of findings) process.stdout.write(`${place}: ${message} (${rule})\n`);
process.exit(findings.length === 0 ? 0 : 1);
