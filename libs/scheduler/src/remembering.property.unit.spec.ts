import { readdirSync, readFileSync } from 'node:fs';
import { element, readCib, type XmlElement } from '@systole/cib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mutate, mutations, samplesOf } from './mutations.fixture.js';
import { schedule } from './schedule.js';

const directory = new URL('./scenarios/', import.meta.url);
const scenarios = readdirSync(directory).filter((name) => name.endsWith('.scenario'));
const samples = samplesOf(scenarios.map((name) => readFileSync(new URL(name, directory), 'utf8')));

const NOW = 1_700_000_000;
/** Some hundred sequences of runs: on a machine under foreign load they take many times as long as on a quiet one. */
const PROPERTY_TIMEOUT_MS = 120_000;

const planned = (document: XmlElement, now: number): string => JSON.stringify(schedule(readCib(document), { now }));

/** The same document, of which nothing can be remembered. */
const unknown = (document: XmlElement): XmlElement => structuredClone(document);

const sample = fc.nat(samples.length - 1).map((index) => samples[index] ?? element('cib'));
/** Between two plans: mostly a moment, sometimes so long that failures expire and dates pass. */
const pause = fc.oneof(fc.constantFrom(0, 1), fc.integer({ min: 2, max: 10_000_000 }));

describe('what runs remember of unchanged elements', { timeout: PROPERTY_TIMEOUT_MS }, () => {
  it('makes no difference, whatever changes between them', () => {
    fc.assert(
      fc.property(sample, mutations, fc.array(pause, { minLength: 6, maxLength: 6 }), (first, changes, pauses) => {
        let now = NOW;
        let document = first;
        expect(planned(document, now)).toBe(planned(unknown(document), now));
        for (const [index, change] of changes.entries()) {
          now += pauses[index] ?? 0;
          document = mutate(document, change);
          expect(planned(document, now)).toBe(planned(unknown(document), now));
        }
        // And back again: what was found of the changed one is not taken for what is there now.
        expect(planned(first, now)).toBe(planned(unknown(first), now));
      }),
      { numRuns: 120 },
    );
  });

  it('makes no difference while histories change and configurations stay', () => {
    fc.assert(
      fc.property(sample, mutations, fc.array(pause, { minLength: 6, maxLength: 6 }), (first, changes, pauses) => {
        let now = NOW;
        let document = first;
        for (const [index, change] of changes.entries()) {
          now += pauses[index] ?? 0;
          document = {
            ...document,
            children: document.children.map((child) =>
              child.kind === 'element' && child.name === 'status' ? mutate(child, change) : child,
            ),
          };
          expect(planned(document, now)).toBe(planned(unknown(document), now));
        }
      }),
      { numRuns: 120 },
    );
  });
});
