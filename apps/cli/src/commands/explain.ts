import { unwrap, type components } from '@systole/api-client';
import type { Command } from 'commander';
import { renderExplanation, type ExplanationDetail } from '../render/explanation.js';
import { moment } from '../render/moment.js';
import { inSession, type Session, type Surroundings } from '../session.js';
import { atOption } from './at-option.js';
import { wholeNumber } from './write-options.js';

type ClusterExplanation = components['schemas']['ClusterExplanationDto'];
type TransitionExplanation = components['schemas']['TransitionExplanationDto'];

interface ExplainFlags {
  readonly node?: string;
  readonly transition?: number;
  readonly at?: string;
  readonly scores?: boolean;
  readonly all?: boolean;
}

export function addExplainCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('explain [resources...]')
    .description('show where resources go and why, and the reasons of each action; of resources that are named also every score as a sum')
    .option('--node <node>', 'scores and actions on this node only')
    .option('--transition <number>', 'what was decided then', wholeNumber)
    .addOption(atOption().conflicts('transition'))
    .option('--scores', 'scores as sums, also when no resource is named')
    .option('--all', 'all actions, also probes, recurring monitors, notifications and steps of groups, clones and bundles')
    .action(
      inSession<ExplainFlags>(surroundings, async (session, flags, operands) => {
        const resources = operandsOf(operands);
        const found = await read(session, resources, flags);
        const { node, scores = resources.length > 0 || node !== undefined, all: allActions = false } = flags;
        const detail: ExplanationDetail = { scores, allActions, ...(node === undefined ? {} : { node }) };
        session.show(found, () => [...head(found, session), '', ...renderExplanation(found, session.paint, detail)]);
      }),
    );
}

/** Commander gives an argument that may be repeated as one list. */
function operandsOf([resources]: readonly unknown[]): readonly string[] {
  return Array.isArray(resources) ? resources.map(String) : [];
}

async function read(
  { client, cluster: clusterOf }: Session,
  resources: readonly string[],
  { node, transition, at, scores }: ExplainFlags,
): Promise<ClusterExplanation | TransitionExplanation> {
  const cluster = await clusterOf();
  const query = {
    ...(resources.length === 0 ? {} : { resource: [...resources] }),
    ...(node === undefined ? {} : { node }),
    ...(scores === undefined ? {} : { parts: scores }),
  };
  if (transition !== undefined) {
    const params = { path: { cluster, number: String(transition) }, query };
    return unwrap(await client.GET('/v1/clusters/{cluster}/transitions/{number}/explanation', { params }));
  }
  const params = { path: { cluster }, query: { ...query, ...(at === undefined ? {} : { at }) } };
  return unwrap(await client.GET('/v1/clusters/{cluster}/explanation', { params }));
}

function head(found: ClusterExplanation | TransitionExplanation, { paint }: Session): readonly string[] {
  const time = moment(new Date(found.now * 1_000).toISOString());
  if (!('number' in found)) return [`Version ${found.version}, ${time}`];
  const other = 'Computed again it comes to another graph: another version of the scheduler planned it.';
  return [
    `${paint('bold', `Transition ${found.number}`)}, planned from version ${found.version}, ${time}`,
    ...(found.same ? [] : [paint('yellow', other)]),
  ];
}
