import stringWidth from 'string-width';

const GAP = '  ';

/** Rows as columns without lines, as wide as their content (colours do not count). A cell may have several lines. Costs what is shown. @param indent spaces before each line */
export function columns(rows: readonly (readonly string[])[], indent = 0): readonly string[] {
  const margin = ' '.repeat(indent);
  const cells = rows.map((row) => row.map(linesOf));
  // One in which nothing stands is as wide as one sign.
  const widths: number[] = [];
  for (const row of cells) {
    for (const [column, lines] of row.entries())
      widths[column] = lines.reduce((most, { width }) => Math.max(most, width), widths[column] ?? 1);
  }
  return cells.flatMap((row) => {
    const height = row.reduce((most, lines) => Math.max(most, lines.length), 1);
    return Array.from({ length: height }, (_, at) => {
      const padded = row.map((lines, column) => {
        const { text, width } = lines[at] ?? EMPTY;
        return text + ' '.repeat((widths[column] ?? 0) - width);
      });
      return `${margin}${padded.join(GAP)}`.trimEnd();
    });
  });
}

/** A list with a head. @param none what is said instead of an empty list */
export function listing(head: readonly string[], rows: readonly (readonly string[])[], none: string): readonly string[] {
  return rows.length === 0 ? [none] : columns([head, ...rows]);
}

interface Line {
  readonly text: string;
  readonly width: number;
}

const EMPTY: Line = { text: '', width: 0 };

function linesOf(cell: string): readonly Line[] {
  return cell.split('\n').map((text) => ({ text, width: stringWidth(text) }));
}
