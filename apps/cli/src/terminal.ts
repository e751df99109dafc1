import type { TerminalSize } from './render/fitted.js';

/** Everything of the process that commands touch; tests give their own. */
export interface Terminal {
  readonly environment: NodeJS.ProcessEnv;
  /** The home directory. */
  readonly home: string;
  readonly stdin: NodeJS.ReadableStream;
  /** Writes to stdout as it is. */
  readonly write: (text: string) => void;
  /** Writes a line to stderr. */
  readonly complain: (line: string) => void;
  /** Whether stdout shows colours and can be drawn over. */
  readonly interactive: boolean;
  /** How much stdout shows at a time, now; undefined where that is not known. */
  readonly size?: () => TerminalSize | undefined;
  /** Shows on stderr what is waited for, in the place of what it showed before; undefined takes it away. Absent where stderr is no terminal. */
  readonly progress?: (text: string | undefined) => void;
  /** Has the end after Ctrl-C wait a few seconds for this. */
  readonly linger?: (work: Promise<unknown>) => void;
  /** Aborts at Ctrl-C. */
  readonly interrupted: AbortSignal;
}

/** All of standard input as text. */
export async function readInput(terminal: Terminal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of terminal.stdin) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return Buffer.concat(chunks);
}
