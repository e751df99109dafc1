/**
 * How fast the service is: from plan to node and back, with simulated agents over the real protocol. docs/performance.md explains it.
 *
 *     npm run bench:service [-- --only NAME[,NAME]] [--rounds 3] [--sizes 8x100,16x500] [--clusters 2000] [--seconds 60] [--servers] [--lab FILE] [--cpu-prof DIR] [--write]
 *
 * `--only` chooses measurements. `--servers` has api and worker run as processes of their own, with PostgreSQL and Redis as servers. `--cpu-prof` keeps the server's CPU profiles there and says where its time went. `--write` puts the tables of those that ran into docs/performance.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkout } from '@systole/examples';
import type { ClusterSize } from './scheduler/clusters.js';
import type { Measurement } from './service/measurement.js';
import { readProfiles } from './service/profile-reading.js';
import { besidePacemaker } from './service/measurements/beside-pacemaker.js';
import { manyClusters } from './service/measurements/clusters.js';
import { coldStart } from './service/measurements/cold-start.js';
import { idleAgents } from './service/measurements/idle.js';
import { nodeLost } from './service/measurements/node-lost.js';
import { processes } from './service/measurements/processes.js';
import { recovery } from './service/measurements/recovery.js';
import { sustainedResults } from './service/measurements/results.js';
import { startOnLongLog } from './service/measurements/start.js';

const MEASUREMENTS: Readonly<Record<string, Measurement>> = {
  cold: coldStart,
  recovery,
  results: sustainedResults,
  'node-lost': nodeLost,
  idle: idleAgents,
  clusters: manyClusters,
  processes,
  start: startOnLongLog,
  pacemaker: besidePacemaker,
};

/** All that need nothing but this machine. */
const ALONE = Object.keys(MEASUREMENTS).filter((name) => name !== 'pacemaker');

/** What can be asked for, as `--help` says it. */
const USAGE = `npm run bench:service [-- OPTION…]

  --only NAME[,NAME]   of ${Object.keys(MEASUREMENTS).join(', ')}; all but pacemaker when left out
  --rounds N           how often each is made, on a new server; 3 when left out
  --sizes 8x100,…      nodes and resources of the clusters, instead of the measurement's own
  --clusters N         how many, instead of the measurement's own number
  --seconds N          how long it goes on, instead of the measurement's own time
  --servers            api and worker as processes of their own, with PostgreSQL and Redis as servers
  --lab FILE           program that starts nodes of Pacemaker, for the measurement pacemaker
  --cpu-prof DIR       keeps the server's CPU profiles there and says where its time went
  --write              puts the tables of those that ran into docs/performance.md`;

const OPTIONS = {
  options: {
    help: { type: 'boolean', default: false },
    only: { type: 'string', default: ALONE.join(',') },
    rounds: { type: 'string', default: '3' },
    sizes: { type: 'string' },
    clusters: { type: 'string' },
    seconds: { type: 'string' },
    servers: { type: 'boolean', default: false },
    lab: { type: 'string' },
    'cpu-prof': { type: 'string' },
    write: { type: 'boolean', default: false },
  },
} as const;

/** What was asked for; who asks for help, or for what there is not, is told how to. */
function asked(): ReturnType<typeof parseArgs<typeof OPTIONS>>['values'] {
  try {
    const { values } = parseArgs(OPTIONS);
    if (!values.help) return values;
    console.log(USAGE);
    process.exit(0);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    console.error(`${error.message}\n\n${USAGE}`);
    process.exit(2);
  }
}

/** `8x100`: nodes and resources. */
function sizeOf(text: string): ClusterSize {
  const [nodes = Number.NaN, resources = Number.NaN] = text.split('x').map(Number);
  if (!(nodes > 0 && resources > 0)) throw new Error(`"${text}" is no size: give nodes and resources, as 8x100`);
  return { nodes, resources };
}

/** Puts the tables of a measurement between its two marks in the document. */
function writeTables(name: string, tables: readonly string[]): void {
  const document = join(checkout, 'docs/performance.md');
  const [begin, end] = [`<!-- service ${name}: begin -->`, `<!-- service ${name}: end -->`];
  const [before, rest] = readFileSync(document, 'utf8').split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${document} lacks the marks ${begin} and ${end}`);
  writeFileSync(document, `${before}${begin}\n\n${tables.join('\n\n')}\n\n${end}${after}`);
}

const { only, rounds, sizes, clusters, seconds, servers, lab, 'cpu-prof': profiles, write } = asked();
console.log(`${cpus().length} processors, Node.js ${process.versions.node}; medians of ${rounds} rounds`);
for (const name of only.split(',')) {
  const measurement = MEASUREMENTS[name];
  if (measurement === undefined) throw new Error(`there is no measurement "${name}": choose from ${Object.keys(MEASUREMENTS).join(', ')}`);
  const tables = await measurement({
    rounds: Number(rounds),
    servers,
    ...(sizes === undefined ? {} : { sizes: sizes.split(',').map(sizeOf) }),
    ...(clusters === undefined ? {} : { clusters: Number(clusters) }),
    ...(seconds === undefined ? {} : { seconds: Number(seconds) }),
    ...(lab === undefined ? {} : { lab }),
    ...(profiles === undefined ? {} : { profiles }),
  });
  console.log(`\n${tables.join('\n\n')}\n`);
  if (write) writeTables(name, tables);
  if (profiles !== undefined) console.log(`${readProfiles(profiles).join('\n\n')}\n`);
}
