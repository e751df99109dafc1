import { unwrap } from '@systole/api-client';
import { Option, type Command } from 'commander';
import { EXIT, UsageError } from '../exit-code.js';
import { renderReplay, renderTransition, renderTransitions } from '../render/transition.js';
import { inSession, showDocument, type Session, type Surroundings } from '../session.js';
import { addReasonedWriteOptions, because, showWriteResult, wholeNumber, writeParams, type ReasonFlags } from './write-options.js';

const DEFAULT_LIMIT = 20;

interface ListFlags {
  readonly limit: number;
  readonly status?: ('running' | 'aborting' | 'complete' | 'aborted')[];
  readonly fencing?: true;
  readonly failed?: true;
  readonly resource?: string;
  readonly node?: string;
  readonly since?: string;
  readonly until?: string;
}

export function addTransitionCommands(program: Command, surroundings: Surroundings): void {
  const transition = program.command('transition').description('look at what the cluster planned and did');

  transition
    .command('list')
    .description('list the transitions, newest first')
    .option('-n, --limit <count>', 'at most so many', wholeNumber, DEFAULT_LIMIT)
    .addOption(new Option('--status <states...>', 'in one of these states').choices(['running', 'aborting', 'complete', 'aborted']))
    .option('--fencing', 'in which nodes were to be fenced')
    .option('--failed', 'in which some action did not end as expected')
    .option('--resource <resource>', 'in which something was planned for this resource, or for what is in it')
    .option('--node <node>', 'in which something was planned on this node, or for it')
    .option('--since <time>', 'planned at or after: a date and time, or an age, e.g. 2h')
    .option('--until <time>', 'planned before')
    .action(
      inSession<ListFlags>(surroundings, async (session, { limit, ...conditions }) => {
        const query = { ...conditions, limit: Math.min(limit, 1_000) };
        const params = { path: { cluster: await session.cluster() }, query };
        const found = unwrap(await session.client.GET('/v1/clusters/{cluster}/transitions', { params }));
        session.show(found, () => renderTransitions(found.items, session.paint));
      }),
    );

  transition
    .command('show [number]')
    .description('show a transition; the newest when no number is given')
    .option('--dot', 'its graph, for Graphviz')
    .action(
      inSession<{ readonly dot?: boolean }>(surroundings, async (session, { dot }, [given]) => {
        const { client, paint } = session;
        const cluster = await session.cluster();
        const params = { path: { cluster, number: given ?? (await newest(session, cluster)) } };
        if (dot === true) {
          const path = '/v1/clusters/{cluster}/transitions/{number}/dot';
          showDocument(session, unwrap(await client.GET(path, { params, parseAs: 'text' })));
          return;
        }
        const found = unwrap(await client.GET('/v1/clusters/{cluster}/transitions/{number}', { params }));
        if (typeof found === 'string') throw new TypeError('the server sent the graph although JSON was asked for');
        session.show(found, () => renderTransition(found, paint));
      }),
    );

  transition
    .command('replay [number]')
    .description('compute a transition again from the events, and compare; the newest when no number is given')
    .action(
      inSession(surroundings, async (session, _flags, [given]) => {
        const cluster = await session.cluster();
        const number = given ?? (await newest(session, cluster));
        const params = { path: { cluster, number } };
        const found = unwrap(await session.client.GET('/v1/clusters/{cluster}/transitions/{number}/replay', { params }));
        session.show(found, () => renderReplay(number, found, session.paint));
        if (!found.same) session.end(EXIT.failed);
      }),
    );

  addReasonedWriteOptions(transition.command('abort [number]'))
    .description('begin nothing more of the transition that runs, and plan anew; the newest when no number is given')
    .action(
      inSession<ReasonFlags>(surroundings, async (session, flags, [given]) => {
        const cluster = await session.cluster();
        const params = { path: { cluster, number: given ?? (await newest(session, cluster)) }, ...writeParams(flags) };
        const body = because(flags);
        showWriteResult(
          session,
          unwrap(await session.client.POST('/v1/clusters/{cluster}/transitions/{number}/commands/abort', { params, body })),
        );
      }),
    );
}

async function newest({ client }: Session, cluster: string): Promise<string> {
  const params = { path: { cluster }, query: { limit: 1 } };
  const [transition] = unwrap(await client.GET('/v1/clusters/{cluster}/transitions', { params })).items;
  if (transition === undefined) throw new UsageError('the cluster has had no transition yet');
  return String(transition.number);
}
