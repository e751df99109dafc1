/** A table in Markdown, columns aligned; numbers to the right. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) => Math.max(3, title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const isNumeric = widths.map((_, column) => rows.every((row) => /^[\d.,–-]*$/.test(row[column] ?? '')));
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => align(cells[column] ?? '', width, isNumeric[column] === true)).join(' | ')} |`;
  const rule = widths.map((width, column) => (isNumeric[column] === true ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)));
  return [line(header), line(rule), ...rows.map(line)].join('\n');
}

function align(text: string, width: number, right: boolean): string {
  return right ? text.padStart(width) : text.padEnd(width);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** Two significant digits, and no more than are known of small times. */
export function seconds(value: number): string {
  return value.toFixed(value < 1 ? 3 : value < 10 ? 2 : 1);
}

/** Something that must be reached. */
export interface Target {
  readonly what: string;
  readonly measured: number;
  readonly atMost: number;
  readonly unit?: string;
}

export function isReached({ measured, atMost }: Target): boolean {
  return measured <= atMost;
}

export function targetRows(targets: readonly Target[]): string[][] {
  return targets.map((target) => {
    const { what, measured, atMost, unit = '' } = target;
    return [what, `${Number(measured.toPrecision(3))}${unit}`, `${atMost}${unit}`, isReached(target) ? 'reached' : 'MISSED'];
  });
}
