import { childrenNamed, firstChildNamed, type Cib, type XmlElement } from '@systole/cib';
import { schedule, type Cluster } from '@systole/scheduler';

/** `op-status` of an operation that is in progress. */
const IN_PROGRESS = '-1';

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
  const status = firstChildNamed(cib.document, 'status');
  const states = (status ? childrenNamed(status, 'node_state') : []).filter(({ attributes }) => online.has(attributes['uname'] ?? ''));
  return states.flatMap((state) =>
    historiesOf(state).flatMap((history) =>
      childrenNamed(history, 'lrm_rsc_op')
        .filter(({ attributes }) => attributes['op-status'] === IN_PROGRESS)
        .map(
          ({ attributes }) => `${history.attributes['id'] ?? ''} ${attributes['operation'] ?? ''} on ${state.attributes['uname'] ?? ''}`,
        ),
    ),
  );
}

function historiesOf(state: XmlElement): readonly XmlElement[] {
  const lrm = firstChildNamed(state, 'lrm');
  const resources = lrm && firstChildNamed(lrm, 'lrm_resources');
  return resources ? childrenNamed(resources, 'lrm_resource') : [];
}
