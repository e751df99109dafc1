/** What can be cited of one document of the specification. */
export interface SpecDocument {
  /** Number of the document; `README` for the overview. */
  readonly number: string;
  /** Name of its file. */
  readonly file: string;
  /** Numbers of its sections: `9`, `9.2`. */
  readonly sections: ReadonlyMap<string, Heading>;
  /** Numbers of the pitfalls at its end. */
  readonly pitfalls: ReadonlySet<string>;
}

export interface Heading {
  readonly title: string;
  readonly line: number;
}

/** Reads the headings and numbered pitfalls of a document: pitfalls are a list or a table below a heading of that name. */
export function readDocument(file: string, text: string): SpecDocument {
  const sections = new Map<string, Heading>();
  const pitfalls = new Set<string>();
  let inPitfalls = false;
  for (const [index, line] of text.split('\n').entries()) {
    const [, title] = /^#+ (.*)$/.exec(line) ?? [];
    if (title !== undefined) {
      inPitfalls = /\bpitfalls\b/i.test(title);
      const [, number, name = ''] = /^((?!0\d)\d+(?:\.\d+)*)\.? (.*)$/.exec(title) ?? [];
      if (number !== undefined) sections.set(number, { title: name, line: index + 1 });
    } else if (inPitfalls) {
      const [, number] = /^(?:\| )?(\d+)(?:\.| \|) /.exec(line) ?? [];
      if (number !== undefined) pitfalls.add(number);
    }
  }
  return { number: /^\d\d(?=-)/.exec(file)?.[0] ?? file.replace('.md', ''), file, sections, pitfalls };
}

/** The entry of a document that is most like one that it doesn't have: the same up to as late a number as possible, then the least apart. */
export function nearest(wanted: string, entries: Iterable<string>): string | undefined {
  const numbers = (text: string): number[] => text.split('.').map(Number);
  const target = numbers(wanted);
  let best: { entry: string; same: number; apart: number } | undefined;
  for (const entry of entries) {
    const candidate = numbers(entry);
    let same = 0;
    while (same < candidate.length && candidate[same] === target[same]) same++;
    const apart = Math.abs((candidate[same] ?? 0) - (target[same] ?? 0));
    if (!best || same > best.same || (same === best.same && apart < best.apart)) best = { entry, same, apart };
  }
  return best?.entry;
}
