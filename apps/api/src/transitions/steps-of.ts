import { isExpected, parseTransitionKey, type ClusterEvent } from '@systole/cluster';

/** What became of a planned action; `open`: nobody reported an end of it. */
export type StepState = 'done' | 'failed' | 'open';

/**
 * What became of each line of a transition's summary.
 *
 * @param events of the cluster since it was planned, oldest first: operations and fencing
 */
export function stepsOf(number: number, summary: readonly string[], events: readonly ClusterEvent[]): readonly StepState[] {
  const ended = new Map<string, StepState>();
  const fencing = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'OperationRecorded') {
      const { operation, resource, node, intervalMs, transitionKey } = event.data;
      const key = parseTransitionKey(transitionKey);
      if (key?.transition !== number || intervalMs > 0) continue;
      ended.set(`${operation} ${resource} on ${node}`, isExpected(event.data, key.expectedRc) ? 'done' : 'failed');
    } else if (event.type === 'FencingRequested' && event.data.transition === number) {
      const { fencingId, wanted, action, target } = event.data;
      fencing.set(fencingId, `fence-${wanted ?? action} ${target}`);
    } else if (event.type === 'FencingCompleted') {
      const { fencingId, confirmed, outcome } = event.data;
      const line = fencing.get(fencingId);
      if (line === undefined) continue;
      if (outcome !== 'succeeded') ended.set(line, 'failed');
      else if (confirmed !== false) ended.set(line, 'done');
    }
  }
  return summary.map((line) => ended.get(actionIn(line)) ?? 'open');
}

/** A line is `start app:0 on n1 (why)`; instances of a clone that share their history are recorded without their number. */
function actionIn(line: string): string {
  return (line.split(' (')[0] ?? '').replace(/:\d+ on /, ' on ');
}
