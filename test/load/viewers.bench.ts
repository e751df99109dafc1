import { createScratchDatabase } from '@systole/event-store/testing';
import { migrate } from '@systole/migrations';
import { ServerProcesses } from '../e2e/server-processes.js';
import { providePostgresql } from '../servers/postgresql.js';
import { percentile, underViewers } from './viewers/under-viewers.js';

/**
 * How long an agent's renewal of its lease takes while viewers ask for the costliest that they may.
 *
 *     npm run bench:viewers [-- <viewers> [<seconds>]]
 */
const [viewers = 10, seconds = 30] = process.argv.slice(2).map(Number);

async function main(): Promise<void> {
  const postgresql = await providePostgresql();
  process.env['DATABASE_URL'] = postgresql.url;
  const database = await createScratchDatabase({ empty: true });
  try {
    await migrate(database.url);
    const servers = await ServerProcesses.start({ databaseUrl: database.url });
    try {
      for (const count of [0, viewers]) {
        const { polls, refusedPolls, answers } = await underViewers({
          url: servers.url,
          adminToken: servers.adminToken,
          viewers: count,
          seconds,
        });
        const figures = [50, 95, 99, 100].map((percent) => `p${percent} ${percentile(polls, percent).toFixed(0)} ms`).join(', ');
        process.stdout.write(`${count} viewers: ${polls.length} polls, ${figures}; refused polls: ${refusedPolls.length}\n`);
        if (count > 0) process.stdout.write(`  answers to viewers: ${JSON.stringify(answers)}\n`);
      }
    } finally {
      await servers.stop();
    }
  } finally {
    await database.drop();
    await postgresql.stop();
  }
}

await main();
