import Table from 'cli-table3';

const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
} as const;

/** Rows as columns without lines, as wide as their content (colours do not count). @param indent spaces before each line */
export function columns(rows: readonly (readonly string[])[], indent = 0): readonly string[] {
  if (rows.length === 0) return [];
  const table = new Table({ chars: NO_LINES, style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] } });
  table.push(...rows.map((row) => [...row]));
  const margin = ' '.repeat(indent);
  return table
    .toString()
    .split('\n')
    .map((line) => `${margin}${line}`.trimEnd());
}

/** A list with a head. @param none what is said instead of an empty list */
export function listing(head: readonly string[], rows: readonly (readonly string[])[], none: string): readonly string[] {
  return rows.length === 0 ? [none] : columns([head, ...rows]);
}
