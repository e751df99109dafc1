import type { Scenario } from './scenario-file.js';

/** A line of `sections.txt`: a section, or a run of numbered pitfalls, and why no scenario shows it, if that is so. */
interface Listed {
  readonly id: string;
  readonly exception: string | undefined;
}

/** What is wrong between scenarios and the list of sections, a sentence each; nothing when every section is shown. */
export function coverageProblems(list: string, scenarios: readonly Scenario[], readFile: (path: string) => string): string[] {
  const listed = readList(list);
  const known = new Set(listed.map(({ id }) => id));
  const cited = new Set(scenarios.flatMap(({ sections }) => sections));
  const titles = new Set(scenarios.map(({ title }) => title));
  return [
    ...scenarios.filter(({ sections }) => sections.length === 0).map(({ title }) => `"${title}" cites no section`),
    ...[...cited].filter((id) => !known.has(id)).map((id) => `${id} is cited and not listed`),
    ...listed.flatMap(({ id, exception }) => {
      if (exception === undefined) return isShown(id, cited, known) ? [] : [`${id} is shown by no scenario`];
      if (cited.has(id)) return [`${id} is shown by a scenario and needs no exception`];
      return exceptionProblems(id, exception, titles, readFile);
    }),
  ];
}

function readList(text: string): Listed[] {
  return text
    .split('\n')
    .filter((line) => /^\d\d /.test(line))
    .flatMap((line) => {
      const [heading = '', exception] = line.split(' | ');
      const run = /^(\d\d) P(\d+)(?:-P(\d+))?$/.exec(heading.trim());
      if (!run) return [{ id: heading.split(' ', 2).join(' '), exception }];
      const [, document = '', first = '', last = first] = run;
      return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => ({
        id: `${document} P${Number(first) + index}`,
        exception,
      }));
    });
}

/** Cited itself, or divided into sections that are listed, too. */
function isShown(id: string, cited: ReadonlySet<string>, known: ReadonlySet<string>): boolean {
  return cited.has(id) || [...known].some((other) => other.startsWith(`${id}.`));
}

function exceptionProblems(id: string, exception: string, titles: ReadonlySet<string>, readFile: (path: string) => string): string[] {
  const definition = /^definition: (.*)$/.exec(exception)?.[1];
  if (definition !== undefined) return titles.has(definition) ? [] : [`${id} names the scenario "${definition}", which there isn't`];
  const [, path, title = ''] = /^test (\S+): (.*)$/.exec(exception) ?? [];
  if (path !== undefined) return readFile(path).includes(`'${title}'`) ? [] : [`${id} names the test "${title}", which isn't in ${path}`];
  return /^inner: ./.test(exception) ? [] : [`${id} has an exception that says nothing: "${exception}"`];
}
