/** One scenario of a `*.scenario` file. */
export interface Scenario {
  readonly title: string;
  /** Sections of the specification that it shows, e.g. `04 §10.2`, and numbered pitfalls, e.g. `04 P3`. */
  readonly sections: readonly string[];
  /** Statements that make a cluster. */
  readonly given: string;
  /** What must come of it, a line each. */
  readonly expected: readonly string[];
}

/**
 * The scenarios of a file: each begins with `== TITLE`, then a comment that cites the sections it shows, e.g. `# 04 §10.2, §10.3; 03 P7`,
 * then statements, a line of dashes, and what must come of it.
 */
export function scenariosIn(text: string): Scenario[] {
  return text
    .split(/^== /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      const [given = '', outcome = ''] = part.slice(end + 1).split(/^-{4,}$/m);
      const lines = outcome.split('\n').map((line) => line.replace(/#\s.*$/, '').trim());
      return { title: part.slice(0, end).trim(), sections: citedSections(given), given, expected: lines.filter((line) => line !== '') };
    });
}

/** What the comment right below a scenario's title cites; the number of a document counts until the next one. */
export function citedSections(text: string): string[] {
  const heading = /^# (\d\d [§P].*)$/.exec(text.split('\n')[0] ?? '')?.[1];
  const cited: string[] = [];
  let document = '';
  for (const [, number, place = ''] of (heading ?? '').matchAll(/(?:(\d\d) )?((?:§|P)\d+(?:\.\d+)*)/g)) {
    document = number ?? document;
    cited.push(`${document} ${place}`);
  }
  return cited;
}
