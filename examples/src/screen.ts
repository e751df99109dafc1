import { renderTable, type ClusterView } from './live-table.js';

/** Where the demonstration shows itself. */
export interface Screen {
  /** The newest state. */
  show(view: ClusterView): void;
  /** A thing that happened; may have several lines. */
  tell(line: string): void;
  /** What a person may try; shown with the table. */
  hint(lines: readonly string[]): void;
  close(): void;
}

const clock = (): string => new Date().toTimeString().slice(0, 8);

/** For pipes and logs: a line for each thing that happens, no table. */
export function lineScreen(out: NodeJS.WritableStream): Screen {
  return {
    show: () => undefined,
    tell: (line) => {
      out.write(`${clock()} ${line}\n`);
    },
    hint: (lines) => {
      for (const line of lines) out.write(`${line}\n`);
    },
    close: () => undefined,
  };
}

const REDRAW_MS = 100;

/** For terminals: the table on top, below it what can be tried, below that the newest things that happened. */
export function terminalScreen(out: NodeJS.WriteStream): Screen {
  let view: ClusterView | undefined;
  let hints: readonly string[] = [];
  const told: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  out.write('\u001b[?1049h\u001b[?25l');
  const draw = (): void => {
    timer = undefined;
    const head = [...(view === undefined ? ['starting …'] : renderTable(view)), '', ...hints, ''];
    const room = Math.max(out.rows - head.length - 1, 3);
    const lines = [...head, ...told.slice(-room)].slice(0, out.rows - 1);
    out.write(`\u001b[H${lines.map((line) => `${fit(line, out.columns)}\u001b[K`).join('\n')}\u001b[J`);
  };
  const redraw = (): void => {
    timer ??= setTimeout(draw, REDRAW_MS);
  };
  out.on('resize', redraw);
  return {
    show: (next) => {
      view = next;
      redraw();
    },
    tell: (line) => {
      told.push(...`${clock()} ${line}`.split('\n'));
      told.splice(0, told.length - 200);
      redraw();
    },
    hint: (lines) => {
      hints = lines;
      redraw();
    },
    close: () => {
      if (timer !== undefined) clearTimeout(timer);
      out.off('resize', redraw);
      out.write('\u001b[?25h\u001b[?1049l');
    },
  };
}

// Built from the character code: a control character in a literal pattern cannot be seen by a reader.
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/** Cuts a line to the width of the terminal; a line with colours is short by construction and stays whole. */
function fit(line: string, columns: number): string {
  return line.replace(COLOUR, '').length === line.length && line.length > columns ? `${line.slice(0, columns - 1)}…` : line;
}
