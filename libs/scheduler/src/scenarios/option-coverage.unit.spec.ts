import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { XmlElement } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { EVIDENCE } from './option-evidence.js';
import { placedOptions } from './option-places.js';
import { scenarioDocument } from './scenario-cib.js';
import { scenariosIn } from './scenario-file.js';
import { outcomeOfDocument } from './scenario-run.js';

const directory = new URL('.', import.meta.url);
const repository = fileURLToPath(new URL('../../../../', directory));

const scenarios = readdirSync(directory)
  .filter((name) => name.endsWith('.scenario'))
  .flatMap((file) => scenariosIn(readFileSync(new URL(file, directory), 'utf8')))
  .map(({ title, given, expected }) => ({ title, expected, ...scenarioDocument(given) }))
  .map((scenario) => ({ ...scenario, outcome: outcomeOf(scenario.document, scenario) }));

function outcomeOf(document: XmlElement, { now, expected }: { readonly now: number; readonly expected: readonly string[] }): string {
  try {
    return outcomeOfDocument(document, now, expected);
  } catch (error) {
    // What the expectation is about is not there any more.
    return String(error);
  }
}

/** Whether a scenario would fail did nobody read the option: it comes out otherwise without it. */
function isTriedByScenario(removedFrom: (document: XmlElement) => XmlElement): boolean {
  return scenarios.some((scenario) => {
    const without = removedFrom(scenario.document);
    return without !== scenario.document && outcomeOf(without, scenario) !== scenario.outcome;
  });
}

/** No option is accepted without effect: each is refused, or there is a test that would fail without it. */
describe('every option that a configuration may give', () => {
  const options = placedOptions();

  it.each(options.map((option) => [option.key, option] as const))('%s', (key, { option, removedFrom }) => {
    if (option.conduct === 'refused') return;
    const evidence = EVIDENCE[key];
    if (evidence === undefined) {
      expect(
        isTriedByScenario(removedFrom),
        'no scenario comes out otherwise without it, and no other test is named (option-evidence.ts)',
      ).toBe(true);
      return;
    }
    expect(readFileSync(`${repository}${evidence.file}`, 'utf8')).toContain(evidence.title);
  });

  it('is what the evidence is of', () => {
    const keys = new Set(options.filter(({ option }) => option.conduct !== 'refused').map(({ key }) => key));
    expect(Object.keys(EVIDENCE).filter((key) => !keys.has(key))).toEqual([]);
  });
});
