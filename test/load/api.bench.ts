/**
 * How fast the API is: reads, writes, the past, resilience and large clusters, asked over HTTP of a product whose clusters simulated agents fill. docs/performance.md explains it.
 *
 *     npm run bench:api [-- --only NAME[,NAME]] [--forms embedded,servers] [--rounds N] [--quick] [--cpu-prof DIR] [--write]
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { isReached, table, targetRows, type Target } from './scheduler/report.js';
import { FORMS, loadText, type ApiBenchOptions, type ApiMeasurement, type Form } from './api/measurement.js';
import { largeStatus } from './api/measurements/large-status.js';
import { longLog } from './api/measurements/events.js';
import { readsAndWrites } from './api/measurements/reads.js';
import { resilience } from './api/measurements/resilience.js';
import { writeTables } from './performance-page.js';
import { orCleanUp } from './service/interrupted.js';
import { readProfiles } from './service/profile-reading.js';

const MEASUREMENTS: Readonly<Record<string, ApiMeasurement>> = { reads: readsAndWrites, events: longLog, resilience, large: largeStatus };

const USAGE = `npm run bench:api [-- OPTION…]

  --only NAME[,NAME]   of ${Object.keys(MEASUREMENTS).join(', ')}; all when left out
  --forms NAME[,NAME]  of ${FORMS.join(', ')}: api and worker in one process that starts its PostgreSQL, or apart with PostgreSQL and Redis as servers; both when left out
  --rounds N           how often each thing is measured; once when left out
  --quick              small clusters and short logs, two minutes for all
  --cpu-prof DIR       keeps the servers' CPU profiles there and says where their time went
  --write              puts the tables of those that ran into docs/performance.md

It ends with exit code 1 when a target is missed.`;

const OPTIONS = {
  options: {
    help: { type: 'boolean', default: false },
    only: { type: 'string', default: Object.keys(MEASUREMENTS).join(',') },
    forms: { type: 'string', default: FORMS.join(',') },
    rounds: { type: 'string', default: '1' },
    quick: { type: 'boolean', default: false },
    'cpu-prof': { type: 'string' },
    write: { type: 'boolean', default: false },
  },
} as const;

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

function refuse(why: string): never {
  console.error(`${why}\n\n${USAGE}`);
  process.exit(2);
}

function measurementOf(name: string): readonly [string, ApiMeasurement] {
  return [name, MEASUREMENTS[name] ?? refuse(`there is no measurement "${name}": choose from ${Object.keys(MEASUREMENTS).join(', ')}`)];
}

function formOf(name: string): Form {
  return FORMS.find((form) => form === name) ?? refuse(`there is no form "${name}": choose from ${FORMS.join(', ')}`);
}

const { only, forms, rounds, quick, 'cpu-prof': profiles, write } = asked();
const count = Number(rounds);
if (!Number.isSafeInteger(count) || count < 1) refuse(`--rounds takes a whole number above 0, not "${rounds}"`);
if (quick && write) refuse('what --quick finds is not for the document');
const measurements = only.split(',').map(measurementOf);
const options: ApiBenchOptions = {
  ...{ forms: forms.split(',').map(formOf), rounds: count, quick },
  ...(profiles === undefined ? {} : { profiles }),
};
console.log(`${cpus().length} processors, Node.js ${process.versions.node}; load ${loadText()} at the beginning`);
const targets: Target[] = [];
await orCleanUp(async () => {
  for (const [name, measurement] of measurements) {
    const found = await measurement(options);
    const tables = [...found.tables, table(['target', 'measured', 'at most', ''], targetRows(found.targets))];
    console.log(`\n${tables.join('\n\n')}\n`);
    if (write) writeTables(`api ${name}`, tables);
    if (profiles !== undefined) console.log(`${readProfiles(profiles).join('\n\n')}\n`);
    targets.push(...found.targets);
  }
});
if (!quick && !targets.every(isReached)) process.exitCode = 1;
