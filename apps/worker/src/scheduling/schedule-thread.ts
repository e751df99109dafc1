import { summaryLine } from '@systole/cluster';
import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { readCib, TreeReceiver, TreesDiverged, type XmlElement } from '@systole/cib';
import { logFormatIn, OutsideLog } from '@systole/program-log';
import { garbageCollector, giveBackIdleMemory } from '@systole/read-models/idle-memory';
import { activeResources, canonicalGraph, packGraph, schedule, type TransitionGraph } from '@systole/scheduler';
import type { PackedSchedule, ScheduleReply, ScheduleRequest } from './schedule-message.js';
import { graphFrom, storedForm } from './stored-graph.js';
import { YoungCollection } from './young-collection.js';

/** The entry of a scheduling thread (see schedule-pool.ts): one run at a time. */

new OutsideLog('worker', logFormatIn(process.env['LOG_FORMAT']) ?? 'text').takeOverWarnings();
giveBackIdleMemory();

const betweenPlans = new YoungCollection(garbageCollector());
const trees = new TreeReceiver();
/** Why the tree that was told last is not known; the plan for it tells so. */
let broken: Error | undefined;

parentPort?.on('message', (request: ScheduleRequest) => {
  switch (request.kind) {
    case 'tree':
      receive(request.message);
      return;
    case 'forget':
      trees.forget(request.clusters);
      return;
    case 'plan':
      answerPlan(request);
      return;
    case 'read':
      answerRead(request);
      return;
    case 'warm-up':
      // Then plans take longer at first, and no more.
      warmedUp().catch((error: unknown) => {
        process.emitWarning(`a scheduling thread could not make itself quick: ${textOf(error)}`);
      });
  }
});

function receive(message: Extract<ScheduleRequest, { kind: 'tree' }>['message']): void {
  if (message.begins !== undefined) broken = undefined;
  if (broken !== undefined) return;
  try {
    trees.receive(message);
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error));
  }
}

function answerPlan({ id, cluster, now }: Extract<ScheduleRequest, { kind: 'plan' }>): void {
  try {
    if (broken !== undefined) throw broken;
    const { graph, planned } = plan(trees.tree(cluster), now);
    reply({ kind: 'planned', id, planned }, [planned.graph.rows.buffer, planned.graph.inputs.buffer]);
    // Nobody waits for this: the plan goes on its way first.
    const stored = storedForm(graph);
    reply({ kind: 'stored', id, stored }, [stored.buffer]);
    betweenPlans.due();
  } catch (error) {
    reply({ kind: error instanceof TreesDiverged ? 'diverged' : 'failed', id, error: textOf(error) });
  }
}

/** Step by step: whatever comes meanwhile has its turn. */
async function warmedUp(): Promise<void> {
  const { warmUp } = await import('./warm-up.js');
  const steps = warmUp();
  while (steps.next().done !== true) await turn();
}

function answerRead({ id, stored }: Extract<ScheduleRequest, { kind: 'read' }>): void {
  try {
    const graph = packGraph(graphFrom(stored));
    reply({ kind: 'read', id, graph }, [graph.rows.buffer, graph.inputs.buffer]);
  } catch (error) {
    reply({ kind: 'failed', id, error: textOf(error) });
  }
}

function reply(message: ScheduleReply, transferred: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transferred);
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
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
