import { JsonReport, type Reporter, TextReport, type WriteChunk, XmlReport } from '@systole/simulator';
import type { CommandLine } from './command-line.js';
import { formatOf } from './output-format.js';

/** What a reporter says of the simulation's time. */
export interface ReportTime {
  /** Epoch seconds. */
  readonly now: number;
  readonly notice?: string;
  /** Seconds east of UTC. */
  readonly localOffsetSeconds: number;
}

/**
 * The reporter that `--output-as` asks for.
 *
 * @throws {ProgramError} when there is no such format.
 */
export function reporterOf(options: CommandLine, { now, notice, localOffsetSeconds }: ReportTime, write: WriteChunk): Reporter {
  const shown = {
    scores: options.has('show-scores'),
    utilization: options.has('show-utilization'),
    quiet: options.has('quiet'),
    attributes: options.has('show-attrs'),
    failCounts: options.has('show-failcounts'),
    localOffsetSeconds,
  };
  switch (formatOf(options)) {
    case 'text':
      return new TextReport(shown, notice, write);
    case 'xml':
      return new XmlReport(shown, options.text, write);
    case 'json':
      return new JsonReport(shown, now, write);
  }
}
