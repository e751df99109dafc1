import { runProcess, type ProcessRequest } from '../process/run-process.js';
import type { SystemdAccess } from './access.js';

/** Lines of the journal that are told of a start that failed. */
const LINES = 20;
/** Characters of its last words. */
const WORDS = 300;

/** What the journal has of a unit. */
export interface UnitJournal {
  /** Its last lines, oldest first. */
  readonly text: string;
  /** What its own programs wrote last; undefined when they wrote nothing. */
  readonly lastWords: string | undefined;
}

/** Lines of systemd itself are of process 1. */
const SYSTEMD_PID = '1';

/**
 * What a unit and systemd wrote of its start.
 * @param sinceMs wall clock, ms since the epoch
 * @returns nothing where there is no journal, or it does not answer
 */
export async function journalOf(
  unit: string,
  sinceMs: number,
  { journalctl }: SystemdAccess,
  limits: Omit<ProcessRequest, 'file' | 'args'>,
): Promise<UnitJournal> {
  if (journalctl === undefined) return { text: '', lastWords: undefined };
  // Lines that are on their way to the journal are waited for.
  await runProcess({ ...limits, file: journalctl, args: ['--sync'] });
  const args = [...FORM, `--since=@${String(Math.floor(sinceMs / 1000))}`, `--unit=${unit}`];
  const { end, stdout } = await runProcess({ ...limits, file: journalctl, args });
  if (end.kind !== 'exited' || end.code !== 0) return { text: '', lastWords: undefined };
  const lines = stdout
    .split('\n')
    .flatMap(lineOf)
    .filter(({ atMs }) => atMs >= sinceMs)
    .reverse();
  const own = lines.filter(({ pid, text }) => pid !== SYSTEMD_PID && text.trim() !== '');
  return { text: lines.map(({ text }) => text).join('\n'), lastWords: own.at(-1)?.text.trim().slice(0, WORDS) };
}

// Newest first: otherwise the first lines since then are given, not the last.
const FORM = ['--quiet', '--no-pager', '--output=json', '--output-fields=MESSAGE,_PID', '--reverse', `--lines=${String(LINES)}`];

interface JournalLine {
  readonly text: string;
  readonly pid: string;
  readonly atMs: number;
}

/** What is no text the journal gives as its bytes; and one of much output may have been cut off. */
function lineOf(json: string): readonly JournalLine[] {
  try {
    const { MESSAGE: message, _PID: pid, __REALTIME_TIMESTAMP: at } = JSON.parse(json) as Record<string, unknown>;
    const text = Array.isArray(message) ? Buffer.from(message as number[]).toString('utf8') : message;
    if (typeof text !== 'string') return [];
    return [{ text, pid: typeof pid === 'string' ? pid : '', atMs: Number(at) / 1000 }];
  } catch {
    return [];
  }
}
