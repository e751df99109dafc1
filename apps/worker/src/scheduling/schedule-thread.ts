import { createHash } from 'node:crypto';
import { readCib, type XmlElement } from '@systole/cib';
import { summaryLine } from '@systole/cluster';
import { logFormatIn, OutsideLog } from '@systole/program-log';
import { garbageCollector, giveBackIdleMemory } from '@systole/read-models/idle-memory';
import { activeResources, canonicalGraph, packGraph, schedule, type PackedGraph, type TransitionGraph } from '@systole/scheduler';
import { knownTree, serveThread, type Performed } from '@systole/threads/inside';
import type { PackedSchedule, ScheduleOutcome, ScheduleTask, StoredForm } from './schedule-task.js';
import { graphFrom, storedForm } from './stored-graph.js';
import { YoungCollection } from './young-collection.js';

/** The entry of a scheduling thread (see schedule-pool.ts): one run at a time. */

new OutsideLog('worker', logFormatIn(process.env['LOG_FORMAT']) ?? 'text').takeOverWarnings();
giveBackIdleMemory();

const betweenPlans = new YoungCollection(garbageCollector());

serveThread({ perform, rehearsal: async () => (await import('./warm-up.js')).warmUp() });

function perform(task: ScheduleTask): Performed<ScheduleOutcome, StoredForm> {
  switch (task.kind) {
    case 'plan':
      return planned(task);
    case 'read': {
      const graph = packGraph(graphFrom(task.stored));
      return { result: { kind: 'read', graph }, moved: buffersOf(graph) };
    }
  }
}

/** Nobody waits for what is stored: the plan goes on its way first. */
function planned({ cluster, now }: Extract<ScheduleTask, { kind: 'plan' }>): Performed<ScheduleOutcome, StoredForm> {
  const { graph, planned: result } = plan(knownTree(cluster), now);
  return {
    result: { kind: 'planned', planned: result },
    moved: buffersOf(result.graph),
    later: () => {
      const stored = storedForm(graph);
      betweenPlans.due();
      return { later: stored, moved: [stored.buffer] };
    },
  };
}

function buffersOf({ rows, inputs }: PackedGraph): readonly ArrayBuffer[] {
  return [rows.buffer, inputs.buffer];
}

/** Without the score listing: it is a line per resource and node, and an explanation computes it anew. */
function plan(cib: XmlElement, now: number): { readonly graph: TransitionGraph; readonly planned: PackedSchedule } {
  const begun = performance.now();
  const { graph, actions, resources } = schedule(readCib(cib), { now, scores: false });
  const planned = {
    graph: packGraph(graph),
    digest: digestOf(graph),
    counts: countActions(graph),
    active: activeResources(resources).length,
    summary: actions.map(summaryLine),
    schedulerMs: performance.now() - begun,
  };
  return { graph, planned };
}

function digestOf(graph: TransitionGraph): string {
  const hash = createHash('sha256');
  for (const text of canonicalGraph(graph)) hash.update(text);
  return hash.digest('hex');
}

function countActions({ synapses }: TransitionGraph): PackedSchedule['counts'] {
  let pseudo = 0;
  let fencing = 0;
  for (const { action } of synapses) {
    if (action.kind === 'pseudo_event') pseudo++;
    else if (action.kind === 'crm_event' && action.operation === 'stonith') fencing++;
  }
  return { actions: synapses.length - pseudo - fencing, pseudo, fencing };
}
