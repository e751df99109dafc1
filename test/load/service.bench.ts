/**
 * How fast the service is: from plan to node and back, with simulated agents over the real protocol. docs/performance.md explains it.
 *
 *     npm run bench:service [-- --only NAME[,NAME]] [--rounds 3] [--sizes 8x100,16x500] [--clusters 2000] [--seconds 60] [--idle-first 10] [--servers] [--lab FILE] [--cpu-prof DIR] [--write]
 *
 * `--only` chooses measurements. `--servers` has api and worker run as processes of their own, with PostgreSQL and Redis as servers. `--cpu-prof` keeps the server's CPU profiles there and says where its time went. `--write` puts the tables of those that ran into docs/performance.md.
 */
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { writeTables } from './performance-page.js';
import type { ClusterSize } from './scheduler/clusters.js';
import { orCleanUp } from './service/interrupted.js';
import type { Measurement, MeasurementOptions } from './service/measurement.js';
import { readProfiles } from './service/profile-reading.js';
import { besidePacemaker } from './service/measurements/beside-pacemaker.js';
import { manyClusters } from './service/measurements/clusters.js';
import { coldStart } from './service/measurements/cold-start.js';
import { frozenServer } from './service/measurements/frozen.js';
import { idleAgents } from './service/measurements/idle.js';
import { largeConfiguration } from './service/measurements/large.js';
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
  large: largeConfiguration,
  clusters: manyClusters,
  frozen: frozenServer,
  processes,
  start: startOnLongLog,
  pacemaker: besidePacemaker,
};

/** All that need nothing but this machine. */
const ALONE = Object.keys(MEASUREMENTS).filter((name) => name !== 'pacemaker');

/** More programs than this that want a processor, and a measurement is not of this product alone. */
const BUSY_LOAD = 1;

/** What can be asked for, as `--help` says it. */
const USAGE = `npm run bench:service [-- OPTION…]

  --only NAME[,NAME]   of ${Object.keys(MEASUREMENTS).join(', ')}; all but pacemaker when left out
  --rounds N           how often each is made, on a new server; 3 when left out
  --sizes 8x100,…      nodes and resources of the clusters, instead of the measurement's own
  --clusters N         how many, instead of the measurement's own number
  --seconds N          how long it goes on, instead of the measurement's own time
  --idle-first N       seconds that a server idles after it is ready before anything is measured; 0 when left out
  --servers            api and worker as processes of their own, with PostgreSQL and Redis as servers
  --lab FILE           program that starts nodes of Pacemaker, for the measurement pacemaker
  --cpu-prof DIR       keeps the server's CPU profiles there and says where its time went
  --write              puts the tables of those that ran into docs/performance.md

Each simulated agent says that it carries out 16 actions at a time, or SYSTOLE_ACTION_LIMIT of the environment. SYSTOLE_LEASE_MS is the length of leases, as the server has it; SYSTOLE_WARM_UP=off: the server does not make itself quick.`;

const OPTIONS = {
  options: {
    help: { type: 'boolean', default: false },
    only: { type: 'string', default: ALONE.join(',') },
    rounds: { type: 'string', default: '3' },
    sizes: { type: 'string' },
    clusters: { type: 'string' },
    seconds: { type: 'string' },
    'idle-first': { type: 'string' },
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
    refuse(error.message);
  }
}

/** What was asked for, once it is known to make sense. */
interface Understood {
  readonly measurements: readonly (readonly [name: string, Measurement])[];
  readonly options: MeasurementOptions;
  readonly profiles: string | undefined;
  readonly write: boolean;
}

function understood({
  only,
  rounds,
  sizes,
  clusters,
  seconds,
  'idle-first': idleFirst,
  servers,
  lab,
  'cpu-prof': profiles,
  write,
}: ReturnType<typeof asked>): Understood {
  return {
    measurements: only.split(',').map((name) => [name, measurementOf(name)]),
    options: {
      rounds: countOf('--rounds', rounds),
      servers,
      ...(sizes === undefined ? {} : { sizes: sizes.split(',').map(sizeOf) }),
      ...(clusters === undefined ? {} : { clusters: countOf('--clusters', clusters) }),
      ...(seconds === undefined ? {} : { seconds: countOf('--seconds', seconds) }),
      ...(idleFirst === undefined ? {} : { idleFirst: countOf('--idle-first', idleFirst) }),
      ...(lab === undefined ? {} : { lab }),
      ...(profiles === undefined ? {} : { profiles }),
    },
    profiles,
    write,
  };
}

function measurementOf(name: string): Measurement {
  return MEASUREMENTS[name] ?? refuse(`there is no measurement "${name}": choose from ${Object.keys(MEASUREMENTS).join(', ')}`);
}

/** `8x100`: nodes and resources. */
function sizeOf(text: string): ClusterSize {
  const [, nodes = '', resources = ''] = /^(\d+)x(\d+)$/.exec(text) ?? refuse(`"${text}" is no size: give nodes and resources, as 8x100`);
  return { nodes: countOf('--sizes', nodes), resources: countOf('--sizes', resources) };
}

function countOf(option: string, text: string): number {
  const count = Number(text);
  return Number.isSafeInteger(count) && count > 0 ? count : refuse(`${option} takes a whole number above 0, not "${text}"`);
}

function refuse(why: string): never {
  console.error(`${why}\n\n${USAGE}`);
  process.exit(2);
}

const { measurements, options, profiles, write } = understood(asked());
console.log(`${cpus().length} processors, Node.js ${process.versions.node}; medians of ${options.rounds} rounds`);
const [load = 0] = loadavg();
if (load > BUSY_LOAD) console.log(`Other programs are at work (load ${load.toFixed(1)}): what follows is slower than on a quiet machine.`);
await orCleanUp(async () => {
  for (const [name, measurement] of measurements) {
    const tables = await measurement(options);
    console.log(`\n${tables.join('\n\n')}\n`);
    if (write) writeTables(`service ${name}`, tables);
    if (profiles !== undefined) console.log(`${readProfiles(profiles).join('\n\n')}\n`);
  }
});
