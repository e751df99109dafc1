import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scenarioDocument } from './scenario-cib.js';
import { type Scenario, scenariosIn } from './scenario-file.js';
import { normalize } from './scenario-outcome.js';
import { outcomeOfDocument } from './scenario-run.js';

const directory = new URL('.', import.meta.url);
const files = readdirSync(directory).filter((name) => name.endsWith('.scenario'));

function outcome({ given, expected }: Scenario): string {
  const { document, now } = scenarioDocument(given);
  return outcomeOfDocument(document, now, expected);
}

describe.each(files)('%s', (file) => {
  const scenarios = scenariosIn(readFileSync(new URL(file, directory), 'utf8'));
  it.each(scenarios.map((scenario) => [scenario.title, scenario] as const))('%s', (_title, scenario) => {
    expect(outcome(scenario)).toBe(scenario.expected.map(normalize).join('\n'));
    expect(scenario.expected.length).toBeGreaterThan(0);
  });
});
