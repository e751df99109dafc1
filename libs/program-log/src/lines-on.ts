import { destination } from 'pino';

type Lines = ReturnType<typeof destination>;

/** What may wait to be written, bytes: more is lost. */
const MOST_WAITING = 256 * 1024;

/**
 * Lines of a log on a file descriptor, each written before the call returns. What can't be written (the file system is full) waits, a part of it, for the next line, and no program ends for it: its log is
 * where somebody would look for why, not what it is there for.
 */
export function linesOn(fd: number): Lines {
  const lines = destination({ fd, sync: true, maxLength: MOST_WAITING });
  lines.on('error', () => undefined);
  return lines;
}

/** The same for what is written to the standard streams past any log, also by libraries. */
export function keepOnWithoutOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
