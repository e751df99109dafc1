import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Scenario, scenariosIn } from './scenario-file.js';
import { coverageProblems } from './section-coverage.js';

const here = new URL('.', import.meta.url);
const repository = new URL('../../../../', import.meta.url);
const read = (url: URL): string => readFileSync(url, 'utf8');

const scenariosOf = (directory: URL, ending: string): Scenario[] =>
  readdirSync(directory)
    .filter((name) => name.endsWith(ending))
    .flatMap((name) => scenariosIn(read(new URL(name, directory))));

const shown = (...sections: string[]): Scenario => ({ title: 'a title', sections, given: '', expected: [] });
const problems = (list: string, ...scenarios: Scenario[]): string[] => coverageProblems(list, scenarios, () => "it('holds', …)");

describe('the scenarios', () => {
  const all = [...scenariosOf(here, '.scenario'), ...scenariosOf(new URL('libs/simulator/src/scenarios/', repository), '.txt')];

  it('show every section of the specification', () => {
    expect(coverageProblems(read(new URL('sections.txt', here)), all, (path) => read(new URL(path, repository)))).toEqual([]);
  });

  it('have titles of their own within a file', () => {
    for (const name of readdirSync(here).filter((file) => file.endsWith('.scenario'))) {
      const titles = scenariosIn(read(new URL(name, here))).map(({ title }) => title);
      expect(titles, name).toEqual([...new Set(titles)]);
    }
  });
});

describe('coverageProblems', () => {
  it('finds a section that nobody shows', () => {
    expect(problems('01 §1 Words\n01 §2 More\n', shown('01 §1'))).toEqual(['01 §2 is shown by no scenario']);
  });

  it('takes a section for shown when it is divided, and its parts are shown', () => {
    expect(problems('01 §1 Words\n01 §1.1 More\n', shown('01 §1.1'))).toEqual([]);
    expect(problems('01 §1 Words\n01 §10 More\n', shown('01 §10'))).toEqual(['01 §1 is shown by no scenario']);
  });

  it('counts the pitfalls of a run', () => {
    expect(problems('01 P1-P3\n', shown('01 P1', '01 P3'))).toEqual(['01 P2 is shown by no scenario']);
  });

  it('finds citations of nothing, and scenarios without any', () => {
    expect(problems('01 §1 Words\n', shown('01 §1', '01 §9'), shown())).toEqual([
      '"a title" cites no section',
      '01 §9 is cited and not listed',
    ]);
  });

  it('believes an exception that can be checked, as long as it is needed', () => {
    expect(
      problems('01 §1 A | definition: a title\n01 §2 B | test some.spec.ts: holds\n01 §3 C | inner: so\n01 §4 D\n', shown('01 §4')),
    ).toEqual([]);
    expect(
      problems(
        '01 §1 A | definition: nothing\n01 §2 B | test some.spec.ts: fails\n01 §3 C | inner:\n01 §4 D | inner: so\n',
        shown('01 §4'),
      ),
    ).toEqual([
      '01 §1 names the scenario "nothing", which there isn\'t',
      '01 §2 names the test "fails", which isn\'t in some.spec.ts',
      '01 §3 has an exception that says nothing: "inner:"',
      '01 §4 is shown by a scenario and needs no exception',
    ]);
  });
});
