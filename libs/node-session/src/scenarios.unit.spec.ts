import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runScenario } from './testing/scenario.js';

const folder = new URL('./scenarios/', import.meta.url);

/** `UPDATE_SCENARIOS=1` writes the actual outcomes into the files; the difference is then for a person to judge. */
describe("scenarios of the node's session", () => {
  it.each(readdirSync(folder))('%s', (name) => {
    const file = new URL(name, folder);
    const text = readFileSync(file, 'utf8');
    const actual = runScenario(text);
    if (process.env['UPDATE_SCENARIOS'] === '1') writeFileSync(file, actual);
    else expect(actual).toBe(text);
  });
});
