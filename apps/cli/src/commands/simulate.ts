import { unwrap } from '@systole/api-client';
import type { Command } from 'commander';
import { renderExplanation } from '../render/explanation.js';
import { renderSchedule } from '../render/schedule.js';
import { inSession, type Surroundings } from '../session.js';
import { asXml } from '../xml-body.js';
import { readDocument } from './cluster.js';
import { wholeNumber } from './write-options.js';

interface SimulateFlags {
  readonly now?: number;
  readonly scores?: boolean;
  /** The resources that were named; true for all. */
  readonly explain?: readonly string[] | true;
}

export function addSimulateCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('simulate <file>')
    .description('show what the scheduler would do with a CIB (- for standard input); no cluster is touched')
    .option('--now <epoch-seconds>', 'as if it were this time', wholeNumber)
    .option('--scores', 'show the scores too')
    .option('--explain [resources...]', 'say why: where resources go, and the reasons of each action')
    .action(
      inSession<SimulateFlags>(surroundings, async ({ client, terminal, show, paint }, flags, [file = '']) => {
        const { now, scores = false, explain } = flags;
        const resources = Array.isArray(explain) ? explain : [];
        const params = {
          query: {
            ...(now === undefined ? {} : { now }),
            ...(explain === undefined ? {} : { explain: true }),
            ...(resources.length === 0 ? {} : { resource: resources }),
            ...(explain !== undefined && scores ? { parts: true } : {}),
          },
        };
        const document = await readDocument(file, terminal);
        const schedule = unwrap(await client.POST('/v1/simulate', { params, ...asXml(document) }));
        const { explanation } = schedule;
        const detail = { scores: scores || resources.length > 0, allActions: false };
        show(schedule, () =>
          explanation === undefined ? renderSchedule(schedule, paint, scores) : renderExplanation(explanation, paint, detail),
        );
      }),
    );
}
