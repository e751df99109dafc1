import { createScratchDatabase } from '@systole/event-store/testing';
import { migrate } from '@systole/migrations';
import { ServerProcesses } from '../e2e/server-processes.js';
import { providePostgresql } from '../servers/postgresql.js';
import { percentile, underViewers, type Polls } from './viewers/under-viewers.js';

/**
 * How long an agent's renewal of its lease takes while viewers ask for the costliest that they may, and without them.
 *
 *     npm run bench:viewers [-- <viewers> [<seconds>]]
 */
const [viewers = 10, seconds = 30] = process.argv.slice(2).map(Number);

function figuresOf({ times, refused }: Polls): string {
  const figures = [50, 95, 99, 100].map((percent) => `p${percent} ${percentile(times, percent).toFixed(0)} ms`).join(', ');
  return `${times.length} polls, ${figures}; refused: ${refused.length}`;
}

async function main(): Promise<void> {
  const postgresql = await providePostgresql();
  process.env['DATABASE_URL'] = postgresql.url;
  const database = await createScratchDatabase({ empty: true });
  try {
    await migrate(database.url);
    const servers = await ServerProcesses.start({ databaseUrl: database.url });
    try {
      const { quiet, loaded, leasesLost, answers } = await underViewers({
        url: servers.url,
        adminToken: servers.adminToken,
        viewers,
        seconds,
      });
      process.stdout.write(`no viewers: ${figuresOf(quiet)}\n${viewers} viewers: ${figuresOf(loaded)}\n`);
      const ratio = percentile(loaded.times, 99) / percentile(quiet.times, 99);
      process.stdout.write(`p99 with viewers / without: ${ratio.toFixed(1)}; leases lost: ${leasesLost}\n`);
      process.stdout.write(`answers to viewers: ${JSON.stringify(answers)}\n`);
    } finally {
      await servers.stop();
    }
  } finally {
    await database.drop();
    await postgresql.stop();
  }
}

await main();
