import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { projectRun } from '../project-run.js';
import { run } from '../run.js';
import { scenarioCib } from './scenario-cib.js';
import { normalize, outcomeOf } from './scenario-outcome.js';

const directory = new URL('.', import.meta.url);

/** A scenario file holds scenarios, each begun by `== title`: statements, a line of dashes, expectations. */
function* scenariosIn(file: string): Generator<{ title: string; given: string; expected: string[] }> {
  const text = readFileSync(new URL(file, directory), 'utf8');
  for (const part of text.split(/^== /m).slice(1)) {
    const end = part.indexOf('\n');
    const [given = '', expected = ''] = part.slice(end + 1).split(/^-{4,}$/m);
    const lines = expected.split('\n').map((line) => line.replace(/#\s.*$/, '').trim());
    yield { title: part.slice(0, end).trim(), given, expected: lines.filter((line) => line !== '') };
  }
}

const files = readdirSync(directory).filter((name) => name.endsWith('.scenario'));

describe.each(files)('%s', (file) => {
  it.each([...scenariosIn(file)].map((scenario) => [scenario.title, scenario] as const))('%s', (_title, { given, expected }) => {
    const { cib, now } = scenarioCib(given);
    const result = run(cib, { now });
    const schedule = projectRun(result, { now });
    const outcome = expected.map((line) => outcomeOf(line, result, schedule));
    expect(outcome.join('\n')).toBe(expected.map(normalize).join('\n'));
    expect(expected.length).toBeGreaterThan(0);
  });
});
