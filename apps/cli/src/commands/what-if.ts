import { readJson, RepeatedKey } from '@systole/cib';
import { unwrap, type components } from '@systole/api-client';
import { Option, type Command } from 'commander';
import { whatIfLines } from '../render/what-if.js';
import { UsageError } from '../exit-code.js';
import { inSession, type Surroundings } from '../session.js';
import type { Terminal } from '../terminal.js';
import { readDocument } from './cluster.js';
import { atOption } from './at-option.js';
import { wholeNumber } from './write-options.js';

type Body = components['schemas']['WhatIfBody'];
type Result = components['schemas']['SupposedResultBody'];

interface WhatIfFlags {
  readonly nodeUp?: readonly string[];
  readonly nodeDown?: readonly string[];
  readonly nodeLost?: readonly string[];
  readonly quorum?: 'yes' | 'no';
  readonly ticketGrant?: readonly string[];
  readonly ticketRevoke?: readonly string[];
  readonly ticketStandby?: readonly string[];
  readonly ticketActivate?: readonly string[];
  readonly result?: readonly string[];
  readonly fail?: readonly string[];
  readonly edits?: string;
  readonly at?: string;
  readonly now?: number;
  readonly steps?: boolean;
}

export function addWhatIfCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('what-if')
    .description(
      'show what would become of the cluster if it lost nodes, quorum or tickets, were edited, or operations failed; nothing is done',
    )
    .option('--node-up <node>', 'a node comes online; may be given again, as all that names something', collected)
    .option('--node-down <node>', 'a node leaves in peace', collected)
    .option('--node-lost <node>', 'a node is lost, and has to be fenced', collected)
    .addOption(new Option('--quorum <yes-or-no>', 'whether there is quorum; as it is when not given').choices(['yes', 'no']))
    .option('--ticket-grant <ticket>', 'a ticket is granted', collected)
    .option('--ticket-revoke <ticket>', 'a ticket is revoked', collected)
    .option('--ticket-standby <ticket>', 'a ticket is set to standby', collected)
    .option('--ticket-activate <ticket>', 'a ticket is taken out of standby', collected)
    .option('--result <spec>', 'an operation has ended so, as RESOURCE_OPERATION_INTERVALMS@NODE=RC, e.g. db_monitor_10000@n1=7', collected)
    .option('--fail <spec>', 'an operation ends so each time that it is carried out, e.g. db_start_0@n1=1', collected)
    .option('--edits <file>', 'edits of the configuration, as POST …/configuration/batch takes them (JSON; - for standard input)')
    .addOption(atOption())
    .option('--now <epoch-seconds>', 'as if it were this time', wholeNumber)
    .option('--steps', 'also list what is carried out, step by step')
    .action(
      inSession<WhatIfFlags>(surroundings, async (session, flags) => {
        const { at, now, edits, steps = false } = flags;
        const path = { cluster: await session.cluster() };
        const query = { ...(at === undefined ? {} : { at }), ...(now === undefined ? {} : { now }) };
        const body = { ...(await happensIn(flags)), ...(edits === undefined ? {} : { edits: await editsIn(edits, session.terminal) }) };
        const found = unwrap(await session.client.POST('/v1/clusters/{cluster}/simulate', { params: { path, query }, body }));
        session.show(found, () => whatIfLines(found, session.paint, steps));
      }),
    );
}

async function happensIn(flags: WhatIfFlags): Promise<Body> {
  const { nodeUp, nodeDown, nodeLost, quorum, ticketGrant, ticketRevoke, ticketStandby, ticketActivate, result, fail } = flags;
  return {
    ...(nodeUp === undefined ? {} : { nodesUp: [...nodeUp] }),
    ...(nodeDown === undefined ? {} : { nodesDown: [...nodeDown] }),
    ...(nodeLost === undefined ? {} : { nodesLost: [...nodeLost] }),
    ...(quorum === undefined ? {} : { quorum: quorum === 'yes' }),
    ...(ticketGrant === undefined ? {} : { ticketsGranted: [...ticketGrant] }),
    ...(ticketRevoke === undefined ? {} : { ticketsRevoked: [...ticketRevoke] }),
    ...(ticketStandby === undefined ? {} : { ticketsStandby: [...ticketStandby] }),
    ...(ticketActivate === undefined ? {} : { ticketsActive: [...ticketActivate] }),
    ...(result === undefined ? {} : { results: await resultsIn(result) }),
    ...(fail === undefined ? {} : { failures: await resultsIn(fail) }),
  };
}

function collected(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** @throws {UsageError} */
async function resultsIn(specs: readonly string[]): Promise<Result[]> {
  // The simulator, which knows how results are written, is loaded by who needs it.
  const { InvalidOperationSpecError, parseOperationSpec } = await import('@systole/simulator');
  return specs.map((text) => {
    try {
      const { resource, task, interval, node, rc } = parseOperationSpec(text);
      return { resource, operation: task, intervalMs: interval, node, rc };
    } catch (error) {
      if (!(error instanceof InvalidOperationSpecError)) throw error;
      throw new UsageError(`${text} has to be RESOURCE_OPERATION_INTERVALMS@NODE=RC, e.g. db_monitor_10000@n1=7`);
    }
  });
}

/** @throws {UsageError} */
async function editsIn(file: string, terminal: Terminal): Promise<NonNullable<Body['edits']>> {
  const text = await readDocument(file, terminal);
  try {
    const read = readJson(text) as Body['edits'] | { readonly edits?: Body['edits'] };
    const edits = Array.isArray(read) ? read : read?.edits;
    if (Array.isArray(edits)) return edits;
  } catch (error) {
    if (error instanceof RepeatedKey) throw new UsageError(`${file}: ${error.message}`);
    throw new UsageError(`${file} is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new UsageError(`${file} has to hold a list of edits, or an object with such a list as edits`);
}
