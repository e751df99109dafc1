import { unwrap, type components } from '@systole/api-client';
import { DEBUG_OPERATIONS, type DebugOperation } from '@systole/cluster';
import { Argument, type Command } from 'commander';
import { EXIT } from '../exit-code.js';
import { inSession, type Session, type Surroundings } from '../session.js';
import { addReasonedWriteOptions, because, showWriteResult, wholeNumber, writeParams, type ReasonFlags } from './write-options.js';

interface DebugFlags extends ReasonFlags {
  readonly timeout?: number;
}

/** Return codes of what runs: as it should, and promoted. */
const RUNS: ReadonlySet<number | undefined> = new Set([0, 8]);

export function addDebugCommand(resource: Command, surroundings: Surroundings): void {
  addReasonedWriteOptions(resource.command('debug <resource>'))
    .description('have one operation of a resource carried out on a node, and see what its agent says')
    .addArgument(new Argument('<operation>', 'what the agent is called with').choices([...DEBUG_OPERATIONS]))
    .argument('<node>', 'the node whose agent does it')
    .option('--timeout <seconds>', 'after which the agent ends it; as configured when not given', wholeNumber)
    .action(
      inSession<DebugFlags>(surroundings, async (session, flags, [name = '', operation = '', node = '']) => {
        const params = { path: { cluster: await session.cluster(), resource: name }, ...writeParams(flags) };
        const timeout = flags.timeout === undefined ? {} : { timeoutMs: flags.timeout * 1_000 };
        // Commander has seen to it that it is one of those.
        const body = { operation: operation as DebugOperation, node, ...timeout, ...because(flags) };
        const result = unwrap(await session.client.POST('/v1/clusters/{cluster}/resources/{resource}/commands/debug', { params, body }));
        showTried(session, result);
      }),
    );
}

/** Shows what was tried; that it did not end, or not well, makes the exit code. */
export function showTried(session: Session, result: components['schemas']['WriteResultDto']): void {
  showWriteResult(session, result);
  const { tried } = result;
  if (tried === undefined) return;
  if (tried.state !== 'ended') session.end(EXIT.unsettled);
  else if (tried.status !== 'done' || !RUNS.has(tried.rc)) session.end(EXIT.failed);
}
