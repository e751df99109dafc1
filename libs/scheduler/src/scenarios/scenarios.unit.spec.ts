import { readdirSync, readFileSync } from 'node:fs';
import { CibRefused, readCib } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { projectRun } from '../project-run.js';
import { run } from '../run.js';
import { scenarioDocument } from './scenario-cib.js';
import { type Scenario, scenariosIn } from './scenario-file.js';
import { normalize, outcomeOf } from './scenario-outcome.js';

const directory = new URL('.', import.meta.url);
const files = readdirSync(directory).filter((name) => name.endsWith('.scenario'));

/** What comes of a scenario, in the words of its expectations. */
function outcome({ given, expected }: Scenario): string {
  const { document, now } = scenarioDocument(given);
  try {
    const result = run(readCib(document), { now });
    const schedule = projectRun(result, { now });
    return expected.map((line) => outcomeOf(line, result, schedule)).join('\n');
  } catch (error) {
    if (error instanceof CibRefused) return `refused ${error.reason}`;
    throw error;
  }
}

describe.each(files)('%s', (file) => {
  const scenarios = scenariosIn(readFileSync(new URL(file, directory), 'utf8'));
  it.each(scenarios.map((scenario) => [scenario.title, scenario] as const))('%s', (_title, scenario) => {
    expect(outcome(scenario)).toBe(scenario.expected.map(normalize).join('\n'));
    expect(scenario.expected.length).toBeGreaterThan(0);
  });
});
