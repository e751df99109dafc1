import { unwrap } from '@systole/api-client';
import type { Command } from 'commander';
import { renderSchedule } from '../render/schedule.js';
import { inSession, type Surroundings } from '../session.js';
import { asXml } from './cib.js';
import { readDocument } from './cluster.js';
import { wholeNumber } from './write-options.js';

interface SimulateFlags {
  readonly now?: number;
  readonly scores?: boolean;
}

export function addSimulateCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('simulate <file>')
    .description('show what the scheduler would do with a CIB (- for standard input); no cluster is touched')
    .option('--now <epoch-seconds>', 'as if it were this time', wholeNumber)
    .option('--scores', 'show the scores too')
    .action(
      inSession<SimulateFlags>(surroundings, async ({ client, terminal, show, paint }, { now, scores = false }, [file = '']) => {
        const params = { query: now === undefined ? {} : { now } };
        const document = await readDocument(file, terminal);
        const schedule = unwrap(await client.POST('/v1/simulate', { params, ...asXml(document) }));
        show(schedule, () => renderSchedule(schedule, paint, scores));
      }),
    );
}
