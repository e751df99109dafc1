import { furtherTroubles } from '@systole/api-client';
import { printable, shownAsOneLine } from '@systole/protocol';
import { columns } from '../render/columns.js';
import type { MissingFile, TakenFile } from './collector.js';
import type { ClusterAccount, ServerAccount } from './what-is-taken.js';

/** A file, and how long it is. */
export interface SizedFile extends TakenFile {
  readonly bytes: number;
}

/** What the first page of a report is made of. */
export interface Overview {
  readonly server: string;
  readonly madeAt: string;
  readonly version: string;
  readonly since: string;
  readonly until: string | undefined;
  /** Undefined: only clusters were asked for. */
  readonly ofServer: ServerAccount;
  readonly clusters: readonly ClusterAccount[];
  readonly files: readonly SizedFile[];
  readonly missing: readonly MissingFile[];
}

/** The page that a person reads first, in Markdown. What strangers wrote stands in it as code, on one line each: no mark-up of theirs counts. */
export function renderOverview(overview: Overview): string {
  const { server, madeAt, version, since, until, ofServer, clusters, files, missing } = overview;
  return printable(
    [
      '# Report for support',
      '',
      ...code([
        `server   ${server}`,
        `made     ${madeAt}, by systole ${version}`,
        `time     ${/^\d+[smhdw]$/.test(since) ? `the last ${since}` : `from ${since}`}${until === undefined ? '' : `, to ${until}`}`,
        `clusters ${clusters.map(({ name }) => name).join(', ') || 'none'}`,
      ]),
      '',
      'Times on this page are in UTC; in `status.txt` they are those of the machine on which the report was made.',
      '',
      '**Secrets were taken out** where they can be told by their names, or by their form: `********` stands for each. What bears no such name, as a password in a sentence, nobody can tell: look the report through before you give it away.',
      '',
      '## What is wrong now',
      '',
      ...code(healthLines(ofServer)),
      ...clusters.flatMap(({ name, status }) => [
        '',
        `### ${name}`,
        '',
        ...code(
          status === undefined
            ? ['the status could not be had: see below']
            : [
                `health ${status.health}, ${status.settled ? 'settled' : 'not settled'}, version ${String(status.version)}`,
                ...furtherTroubles(status).map(({ level, text }) => `${level.padEnd(5)} ${text}`),
              ],
        ),
      ]),
      '',
      ...told('Last failures', clusters, ({ failures }) => failures, 'no operation failed in that time'),
      ...told('Timeline', clusters, ({ timeline }) => timeline, 'nothing that is not everyday happened in that time'),
      '## What is in here',
      '',
      ...code(
        columns([
          ['BYTES', 'TAKEN', 'FILE', 'WHAT IT IS'],
          ...files.map(({ bytes, takenAt, path, what, items, isCut }) => [
            String(bytes),
            takenAt,
            path,
            `${what}${countText(items, isCut)}`,
          ]),
        ]),
      ),
      '',
      'The same for programs, with the request that each is the answer to: `contents.json`.',
      '',
      '## What could not be had',
      '',
      ...code(
        missing.length === 0
          ? ['nothing: all was there that was asked for']
          : columns(
              missing.map(({ path, what, status, detail }) => [
                path,
                what,
                `${status === undefined ? '' : `${String(status)}: `}${detail}`,
              ]),
            ),
      ),
      '',
      '## What is not in here',
      '',
      'Logs. Those of servers, workers and agents are on their machines; each line is JSON, with the ids that this report has:',
      '',
      ...code(['journalctl -u systole-agent -o cat --since "2 hours ago"']),
      '',
      'Neither are: metrics of workers and of other servers than the one that answered, private attributes of nodes, and what agents write into files of their own.',
      '',
    ].join('\n'),
  );
}

/** Indented: whatever stands in a line, it is code. */
function code(lines: readonly string[]): readonly string[] {
  return shownAsOneLine([...lines]).map((line) => `    ${line}`);
}

function told(
  title: string,
  clusters: readonly ClusterAccount[],
  linesOf: (cluster: ClusterAccount) => readonly string[],
  none: string,
): readonly string[] {
  return [
    `## ${title}`,
    '',
    ...clusters.flatMap((cluster) => {
      const lines = linesOf(cluster);
      return [`### ${cluster.name}`, '', ...code(lines.length === 0 ? [none] : lines), ''];
    }),
  ];
}

/** What of a server is not up, as its readiness tells. */
function healthLines({ health }: ServerAccount): readonly string[] {
  if (typeof health !== 'object' || health === null) return ['server: its health could not be had'];
  const told: Readonly<Record<string, unknown>> = { ...health };
  const { details, checks, status, detail } = told;
  const parts = Object.entries({ ...(isObject(details) ? details : {}), ...(isObject(checks) ? checks : {}) }).flatMap(([name, part]) => {
    if (!isObject(part) || part['status'] === 'up') return [];
    const { status: is, message } = part;
    return [`server: ${name} is ${String(is)}${typeof message === 'string' ? `: ${message}` : ''}`];
  });
  return [`server: ${typeof detail === 'string' ? detail : String(status)}`, ...parts];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function countText(items: number | undefined, isCut = false): string {
  if (items === undefined) return '';
  return isCut ? `; ${String(items)}, and there are more` : `; ${String(items)}`;
}
