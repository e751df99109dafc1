import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import type { Made } from '../report/make-report.js';
import { columns } from '../render/columns.js';
import { inSession, type Session, type Surroundings } from '../session.js';
import { PROGRAM_VERSION } from '../version.js';
import { wholeNumber } from './write-options.js';

interface ReportFlags {
  readonly from: string;
  readonly to?: string;
  readonly output?: string;
  readonly events: number;
  readonly transitions: number;
  readonly dryRun?: true;
}

const DEFAULT_FROM = '1d';
const DEFAULT_EVENTS = 20_000;
const DEFAULT_TRANSITIONS = 5;
/** So many parts that could not be had are named; all are in the report. */
const MISSING_NAMED = 5;

export function addReportCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('report [clusters...]')
    .description(
      'write one archive for support: status, configuration, events, transitions, failures, metrics of clusters and server, without secrets',
    )
    .option('--from <time>', 'what happened from then on: ISO 8601, or an age, e.g. 2h', time, DEFAULT_FROM)
    .option('--to <time>', 'and before then', time)
    .addOption(
      new Option('-o, --output <file>', 'the archive (tar.gz), which must not be there yet; default: systole-report-<time>.tar.gz here'),
    )
    .option('--events <count>', 'at most so many events of each cluster, the newest', wholeNumber, DEFAULT_EVENTS)
    .option(
      '--transitions <count>',
      'of so many of the newest transitions, and of as many that went amiss, also graph, reasons and input',
      wholeNumber,
      DEFAULT_TRANSITIONS,
    )
    .option('--dry-run', 'only list what would be taken')
    .action(
      inSession<ReportFlags>(surroundings, async (session, flags, operands) => {
        // What only this needs is loaded only now.
        const { listReport, makeReport } = await import('../report/make-report.js');
        const asked = askedWith(session, flags, operands);
        if (flags.dryRun === true) {
          const files = await listReport(session, asked);
          session.show({ dryRun: true, files }, () => columns([['FILE', 'WHAT IT IS'], ...files.map(({ path, what }) => [path, what])]));
          return;
        }
        const made = await makeReport(session, asked, PROGRAM_VERSION);
        session.show(made, () => madeLines(made));
      }),
    );
}

function askedWith({ settings }: Session, { from, to, output, events, transitions }: ReportFlags, [operands]: readonly unknown[]) {
  const named = Array.isArray(operands) ? operands.map(String) : [];
  const folder = `systole-report-${new Date().toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '')}`;
  return {
    clusters: named.length > 0 || settings.cluster === undefined ? named : [settings.cluster],
    since: from,
    ...(to === undefined ? {} : { until: to }),
    events,
    transitions,
    folder,
    output: output ?? `${folder}.tar.gz`,
  };
}

function madeLines({ file, bytes, files, clusters, missing }: Made): readonly string[] {
  const more = missing.length - MISSING_NAMED;
  return [
    `Wrote ${file}: ${String(files)} files about ${clusters.length === 0 ? 'the server' : clusters.join(', ')}, ${String(Math.ceil(bytes / 1_024))} KiB. README.md in it comes first.`,
    'Secrets that can be told by name or form were taken out. Look it through before you give it away: docs/guide/support-report.md says what is not found.',
    ...(missing.length === 0 ? [] : [`${String(missing.length)} of its parts could not be had:`]),
    ...missing.slice(0, MISSING_NAMED).map(({ path, detail }) => `  ${path}: ${detail}`),
    ...(more > 0 ? [`  and ${String(more)} more: README.md has all`] : []),
  ];
}

/** As the API takes times. @throws {InvalidArgumentError} */
function time(text: string): string {
  const isAge = /^\d{1,9}[smhdw]$/.test(text);
  const isDate = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(text);
  if (!isAge && !(isDate && !Number.isNaN(Date.parse(text)))) {
    throw new InvalidArgumentError('Give a date and time, e.g. 2026-01-31T12:00:00Z, or an age, e.g. 2h.');
  }
  return text;
}
