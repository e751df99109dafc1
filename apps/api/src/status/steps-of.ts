import { isExpected, parseTransitionKey, summaryLine, type ClusterEvent } from '@systole/cluster';

/** What became of a planned action; `open`: nobody reported an end of it. */
export type StepState = 'done' | 'failed' | 'open';

/**
 * What became of each line of a transition's summary.
 *
 * @param events of the cluster since it was planned, oldest first: operations, fencing, and nodes that left
 */
export function stepsOf(number: number, summary: readonly string[], events: readonly ClusterEvent[]): readonly StepState[] {
  const ended = new Map<string, StepState>();
  const fencing = new Map<string, string>();
  const fenced = new Set<string>();
  for (const event of events) {
    if (event.type === 'OperationRecorded') {
      const { operation, resource, node, intervalMs, transitionKey } = event.data;
      const key = parseTransitionKey(transitionKey);
      if (key?.transition !== number || intervalMs > 0) continue;
      ended.set(summaryLine({ operation, resource, node }), isExpected(event.data, key.expectedRc) ? 'done' : 'failed');
    } else if (event.type === 'FencingRequested' && event.data.transition === number) {
      const { fencingId, wanted, action, target } = event.data;
      fencing.set(fencingId, summaryLine({ operation: `fence-${wanted ?? action}`, resource: target, node: target }));
    } else if (event.type === 'FencingCompleted') {
      const { fencingId, confirmed, outcome } = event.data;
      const line = fencing.get(fencingId);
      if (line === undefined) continue;
      if (outcome !== 'succeeded') ended.set(line, 'failed');
      else if (confirmed !== false) {
        ended.set(line, 'done');
        fenced.add(event.data.target);
      }
    } else if (event.type === 'NodeLeft') {
      const { node } = event.data;
      ended.set(summaryLine({ operation: 'shutdown', resource: node, node }), 'done');
    }
  }
  return summary.map((line) => {
    const action = line.split(' (')[0] ?? '';
    // Instances of a clone that share their history are recorded without their number.
    const reported = ended.get(action) ?? ended.get(action.replace(/:\d+ on /, ' on '));
    return reported ?? (endedByFencing(action, fenced) ? 'done' : 'open');
  });
}

/** With a node everything on it is down. */
function endedByFencing(action: string, fenced: ReadonlySet<string>): boolean {
  const node = /^(?:stop|demote) .* on (?<node>\S+)$/.exec(action)?.groups?.['node'];
  return node !== undefined && fenced.has(node);
}
