import { pino } from 'pino';
import { keepOnWithoutOutput, linesOn } from './lines-on.js';

/** How programs say what is no line of their log. */
export const LOG_FORMATS = ['text', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** The format that a setting names; text where it names none. @returns undefined for a word that is no format */
export function logFormatIn(setting: string | undefined): LogFormat | undefined {
  if (setting === undefined || setting === '') return 'text';
  return LOG_FORMATS.find((format) => format === setting);
}

/**
 * What a program says besides its log: for people as it is, or, where lines are read by programs, each as a line of the log (pino's JSON). On stderr, and written before the call returns: a process
 * that ends loses none of it.
 */
export class OutsideLog {
  readonly #log: ReturnType<typeof pino> | undefined;

  /** @param name of the program, as its log has it */
  constructor(name: string, format: LogFormat) {
    this.#log = format === 'json' ? pino({ name }, linesOn(2)) : undefined;
  }

  /** @param fields that a line has besides; people find them in the text */
  say(level: 'info' | 'warn' | 'fatal', text: string, fields: object = {}): void {
    if (this.#log === undefined) process.stderr.write(`${text}\n`);
    else this.#log[level](fields, text.trim());
  }

  /** Has what Node.js itself would write to stderr come as lines, too: its warnings, and errors that nobody catches, which end the process as ever. Where people read only that no output ends it which can't be written. */
  takeOver(): void {
    keepOnWithoutOutput();
    const log = this.#log;
    if (log === undefined) return;
    this.takeOverWarnings();
    process.on('uncaughtException', (error) => {
      log.fatal({ err: error }, 'nobody caught this error: the program ends');
      process.exit(1);
    });
  }

  /** The same of a thread, which has warnings of its own. Errors that nobody catches there end it, and whoever started it hears of what. */
  takeOverWarnings(): void {
    const log = this.#log;
    if (log === undefined) return;
    // The listener that Node.js begins with is what prints them.
    process.removeAllListeners('warning');
    process.on('warning', (warning) => {
      log.warn({ err: warning }, 'a warning of Node.js');
    });
  }
}
