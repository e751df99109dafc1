import stringWidth from 'string-width';

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

const ESCAPE = '\u001b';
/** A colour of ours, or what takes one place. */
const PARTS = new RegExp(`${ESCAPE}\\[\\d+m|\\P{M}\\p{M}*`, 'gu');
const RESET = `${ESCAPE}[0m`;
const CUT = '…';
const TAB = '    ';

/** Lines as far as they fit on a screen: what is too long is cut, and what is too much is counted. Everything where the size is not known. */
export function fitted(lines: readonly string[], size: TerminalSize | undefined): readonly string[] {
  const all = lines.flatMap((line) => line.replaceAll('\t', TAB).split('\n'));
  if (size === undefined || size.columns < 1 || size.rows < 1) return all;
  const cut = all.slice(0, size.rows).map((line) => shortened(line, size.columns));
  if (all.length <= size.rows) return cut;
  const left = all.length - size.rows + 1;
  return [
    ...cut.slice(0, -1),
    shortened(`${CUT} and ${left} more lines: make the window higher, or narrow it (--wrong, --node)`, size.columns),
  ];
}

/** @param columns at least 1 */
function shortened(line: string, columns: number): string {
  if (stringWidth(line) <= columns) return line;
  let text = '';
  let width = 0;
  let isColoured = false;
  for (const [part] of line.matchAll(PARTS)) {
    const own = stringWidth(part);
    if (width + own > columns - 1) break;
    if (part.startsWith(ESCAPE)) isColoured = part !== RESET;
    text += part;
    width += own;
  }
  return `${text}${isColoured ? RESET : ''}${CUT}`;
}
