import { childrenNamed, firstChildNamed, type Cib } from '@systole/cib';
import { schedule, type Cluster } from '@systole/scheduler';
import { isInProgress, recordedHistories } from './recorded-histories.js';

/**
 * Who waits for the cluster waits for what is in progress on nodes that are there, and for all that a transition would do that began now: the first run of
 * a recurring monitor, too, before which notifications are due.
 * @param nodes as they are read from it
 * @returns an action a line
 */
export function unfinished(cib: Cib, { nodes }: Pick<Cluster, 'nodes'>, now: number): string {
  const { graph } = schedule(cib, { now, scores: false, configurationWarnings: false });
  const planned = graph.synapses.flatMap(({ action: { kind, primitive, operation, node } }) =>
    kind === 'pseudo_event' ? [] : [[primitive?.id, operation, 'on', node?.name].filter((word) => word !== undefined).join(' ')],
  );
  const lines = new Set([...inProgress(cib, new Set(nodes.filter(({ online }) => online).map(({ name }) => name))), ...planned]);
  return [...lines].map((line) => `${line}\n`).join('');
}

function inProgress(cib: Cib, online: ReadonlySet<string>): readonly string[] {
  return recordedHistories(firstChildNamed(cib.document, 'status'))
    .filter(({ node }) => online.has(node))
    .flatMap(({ node, history }) =>
      childrenNamed(history, 'lrm_rsc_op')
        .filter(({ attributes }) => isInProgress(attributes))
        .map(({ attributes }) => `${history.attributes['id'] ?? ''} ${attributes['operation'] ?? ''} on ${node}`),
    );
}
