import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { readCib } from '@systole/cib';
import type { PlannedSchedule } from '@systole/control-plane';
import { canonicalJson } from '@systole/event-store';
import { activeResources, schedule, type PlannedAction, type TransitionGraph } from '@systole/scheduler';
import type { ScheduleReply, ScheduleRequest } from './schedule-message.js';

/** The entry of a scheduling thread (see schedule-pool.ts): one request at a time, one reply for each. */
parentPort?.on('message', (request: ScheduleRequest) => {
  parentPort?.postMessage(reply(request));
});

function reply({ id, cib, now }: ScheduleRequest): ScheduleReply {
  try {
    return { id, ok: true, planned: plan(cib, now) };
  } catch (error) {
    return { id, ok: false, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** Without the score listing: it is a line per resource and node, and an explanation computes it anew. */
function plan(cib: string, now: number): PlannedSchedule {
  const { graph, ...rest } = schedule(readCib(cib), { now, scores: false });
  return {
    graph,
    digest: createHash('sha256').update(canonicalJson(graph)).digest('hex'),
    graphJson: JSON.stringify(graph),
    scheduleJson: JSON.stringify(rest),
    counts: countActions(graph),
    active: activeResources(rest.resources),
    summary: rest.actions.map(describe),
  };
}

function countActions(graph: TransitionGraph): PlannedSchedule['counts'] {
  const all = graph.synapses.map(({ action }) => action);
  const pseudo = all.filter(({ kind }) => kind === 'pseudo_event').length;
  const fencing = all.filter(({ kind, operation }) => kind === 'crm_event' && operation === 'stonith').length;
  return { actions: all.length - pseudo - fencing, pseudo, fencing };
}

function describe({ resource, operation, node, reason }: PlannedAction): string {
  // The scheduler names a node's own action by the node in place of a resource.
  const what = resource === node ? `${operation} ${node}` : `${operation} ${resource} on ${node}`;
  return reason === undefined ? what : `${what} (${reason})`;
}
