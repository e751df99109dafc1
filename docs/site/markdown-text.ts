/** Text as it is to be read in a page: no HTML and no markup but code spans, which show what they hold. */
export function shown(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('<', '&lt;').replace(/[*_[\]]/g, (mark) => `\\${mark}`)))
    .join('');
}

/** Text as a cell of a table, which ends at a bar and at the end of the line. */
export function cell(text: string): string {
  return shown(text)
    .replaceAll('|', '\\|')
    .replace(/\s*\n\s*/g, ' ');
}

/** A table; nothing where it would have no rows. Its cells are written as they are. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');
}

/** Something written as it is typed, in a cell or outside of one. */
export function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  return `${fence}${text.replaceAll('|', '\\|')}${fence}`;
}

/** The first heading of a page. @throws when it has none. */
export function titleOf(markdown: string, path: string): string {
  const title = /^# (.+)$/m.exec(markdown)?.[1];
  if (title === undefined) throw new Error(`docs/${path} has no heading of the first level: begin it with "# " and a title`);
  return title.trim();
}
