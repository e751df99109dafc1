import { arch, platform, release } from 'node:os';
import { unwrap } from '@systole/api-client';
import { allPages } from '../connection.js';
import type { Session } from '../session.js';
import { expectFree } from '../whole-file.js';
import { writeArchive } from './archive.js';
import { Collector, Listing, type Collecting, type MissingFile, type TakenFile } from './collector.js';
import { renderOverview, type SizedFile } from './overview.js';
import { Redaction } from './redaction.js';
import { StagedFiles } from './staged-files.js';
import { clustersOf, takeCluster, takeServer, type ClusterAccount, type Extent, type ServerAccount } from './what-is-taken.js';

/** What a report is about. */
export interface Asked extends Extent {
  /** Ids or names; none: all that the caller may see. */
  readonly clusters: readonly string[];
  /** Where it is written; it must not be there yet. */
  readonly output: string;
  /** Name of the one folder in it. */
  readonly folder: string;
}

/** What came of it. */
export interface Made {
  readonly file: string;
  readonly bytes: number;
  readonly files: number;
  readonly clusters: readonly string[];
  readonly missing: readonly MissingFile[];
}

const OVERVIEW = 'README.md';
const CONTENTS = 'contents.json';

/**
 * Collects over the API, as the caller and within the caller's rights, and packs it.
 *
 * @param version of this program
 * @throws {FileThere} where the output is there already
 * @throws {ProblemError} for a cluster that is not there, and where not even the list of clusters can be had
 */
export async function makeReport(session: Session, asked: Asked, version: string): Promise<Made> {
  const { settings, terminal } = session;
  await expectFree(asked.output);
  const clusters = await chosenClusters(session, asked);
  const redaction = new Redaction([settings.token]);
  const staged = await StagedFiles.open(asked.folder);
  try {
    const madeAt = new Date().toISOString();
    const collector = new Collector(staged, redaction, terminal.interrupted, terminal.progress);
    const { ofServer, accounts } = await takeAll(collector, session, clusters, asked);
    for (const { path } of collector.files) await staged.takeOutOf(path, redaction);
    const head = { server: redaction.text(settings.server), madeAt, version, since: asked.since, until: asked.until };
    const files = await sized(staged, collector.files);
    const { missing } = collector;
    await staged.write(OVERVIEW, [renderOverview({ ...head, ofServer, clusters: accounts, files, missing })]);
    const made = { ...head, on: `${platform()} ${release()} ${arch()}, Node.js ${process.version}`, by: 'systole report' };
    await staged.write(CONTENTS, [`${JSON.stringify({ ...made, bounds: boundsOf(asked), files, missing }, undefined, 2)}\n`]);
    for (const path of [OVERVIEW, CONTENTS]) await staged.takeOutOf(path, redaction);
    const bytes = await writeArchive(asked.output, staged, [OVERVIEW, CONTENTS, ...files.map(({ path }) => path)]);
    const names = clusters.map(({ name }) => name);
    return { file: asked.output, bytes, files: files.length + 2, clusters: names, missing };
  } finally {
    await staged.close();
  }
}

/** What would be taken; nothing but the list of clusters is asked for. */
export async function listReport(session: Session, asked: Asked): Promise<readonly Pick<TakenFile, 'path' | 'what'>[]> {
  const listing = new Listing();
  await takeAll(listing, session, await chosenClusters(session, asked), asked);
  const own = [
    { path: OVERVIEW, what: 'what is wrong now, the last failures, a timeline, and what is in the report' },
    { path: CONTENTS, what: 'the table of contents: sizes, times, requests, and what could not be had' },
  ];
  return [...own, ...listing.files];
}

type Clusters = Awaited<ReturnType<typeof clustersOf>>;

function chosenClusters({ client }: Session, { clusters }: Asked): Promise<Clusters> {
  return clustersOf(client, clusters, () =>
    allPages(async (page) => unwrap(await client.GET('/v1/clusters', { params: { query: { limit: 1_000, ...page } } }))),
  );
}

async function takeAll(
  collecting: Collecting,
  { client }: Session,
  clusters: Clusters,
  extent: Extent,
): Promise<{ readonly ofServer: ServerAccount; readonly accounts: readonly ClusterAccount[] }> {
  const accounts: ClusterAccount[] = [];
  for (const cluster of clusters) accounts.push(await takeCluster(collecting, client, cluster, extent));
  return { ofServer: await takeServer(collecting, client, extent), accounts };
}

function boundsOf({ events, transitions }: Asked): object {
  return { eventsOfEachCluster: events, transitionsInDetail: transitions };
}

async function sized(staged: StagedFiles, files: readonly TakenFile[]): Promise<readonly SizedFile[]> {
  return Promise.all(files.map(async (file) => ({ ...file, bytes: await staged.bytesOf(file.path) })));
}
