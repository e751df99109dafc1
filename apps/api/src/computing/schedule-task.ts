import { createHash } from 'node:crypto';
import { readCib, type Cib, type XmlElement } from '@systole/cib';
import { resultOf } from '@systole/cluster';
import { canonicalGraph, projectRun, readState, run, type Schedule, type ScheduleOptions, type TransitionGraph } from '@systole/scheduler';
import {
  injectionLine,
  monitorDocument,
  withPendingEntries,
  MOST_SCORE_LINES,
  outcomeOfFailure,
  outcomeOfLoss,
  renderDot,
  settledCib,
  UnknownNodeError,
  whatIf,
  type Failure,
} from '@systole/simulator';
import { knownTree } from '@systole/threads/inside';
import { explanationView } from '../scheduling/explanation-view.js';
import { findingsIn } from '../findings/shown-findings.js';
import { announced } from '../scheduling/announced.js';
import type {
  ActionResult,
  AnswerTask,
  AnswerText,
  BareSchedule,
  ExplainTask,
  LossTask,
  LossWithReasons,
  MonitorTask,
  Picture,
  Planning,
  ResultsTask,
  ScheduleTask,
  ScheduleTexts,
  TaskResults,
  WhatIfTask,
  WhatIfText,
} from './task.js';
import { carriedOutSteps } from '../simulate/carried-out-steps.js';
import { xmlOfJson } from './xml-of-json.js';

/** Only what is asked for leaves the thread: graphs, scores and explanations are many times a picture. */
export function pictureOf({ cib, now }: Planning): Picture {
  const { document } = readCib(documentOf(cib));
  const options = { now, scores: false, configurationWarnings: false };
  const ran = run({ document }, options);
  const { nodes, resources, messages, actions, graph } = projectRun(ran, options);
  const { timeless } = ran.cluster.cib;
  return { nodes, resources: announced(resources, actions), messages, probes: probesIn(graph), findings: findingsIn(document), timeless };
}

/** Nothing is planned for it. */
export function monitorOf({ cib, now, facts, selection }: MonitorTask): string {
  const { document } = readCib(documentOf(cib));
  const cluster = readState(readCib(withPendingEntries(document, facts.pending ?? [])), {
    now,
    scores: false,
    configurationWarnings: false,
  });
  return monitorDocument(cluster, facts, selection);
}

/** Of a document that is brought along: what an import would refuse because it is not valid is refused, as `crm_simulate` does. */
export function answerOf({ explain, cib, now }: AnswerTask): AnswerText {
  const options = { scores: true, explain: explain !== undefined, now };
  const schedule = scheduleOfDocument(readCib(documentOf(cib), { strict: true }), options);
  if (explain === undefined) return { text: textOf(bare(schedule)) };
  const outcome = explanationView(schedule, explain);
  return 'unknown' in outcome ? outcome : { text: textOf({ ...bare(schedule), explanation: outcome.view }) };
}

export function scheduleOf({ graph: place, forgotten, ...planning }: ScheduleTask): ScheduleTexts {
  const { graph, ...rest } = withProbesFirst(bare(scheduled(planning, { configurationWarnings: false })), forgotten);
  return place === 'within' ? { text: textOf({ ...rest, graph }) } : { text: textOf(rest), graph: textOf(graph) };
}

/**
 * What is forgotten is probed first. The scheduler plans the rest as if nothing of it ran; most likely the probes find it as it was, and nothing of that is
 * done.
 */
function withProbesFirst(schedule: BareSchedule, forgotten: ScheduleTask['forgotten']): BareSchedule {
  if (forgotten.length === 0) return schedule;
  const probes = forgotten.map(({ resource, node }) => ({ resource, operation: 'probe', node }));
  return { ...schedule, actions: [...probes, ...schedule.actions.map((action) => ({ ...action, afterProbe: true }))] };
}

export function explanationOf({ explain, ...planning }: ExplainTask): TaskResults['explain'] {
  const schedule = scheduled(planning, { explain: true });
  return { digest: graphDigest(schedule.graph), explanation: explanationView(schedule, explain) };
}

export function digestOf(planning: Planning): string {
  return graphDigest(scheduled(planning).graph);
}

export function dotOf({ cib, now }: Planning): string {
  return renderDot(run(readCib(documentOf(cib)), { now, scores: false }));
}

/** Resources of which is explained why they are down. */
const EXPLAINED = 10;

export function lossOf({ cib, now, loss }: LossTask): LossWithReasons {
  const settled = settledCib(readCib(documentOf(cib)), now);
  const { output, ...outcome } = 'resource' in loss ? failureOf(settled, loss, now) : outcomeOfLoss(settled, loss, now);
  const resources = outcome.affected.filter(({ effect }) => effect === 'down').map(({ resource }) => resource);
  if (resources.length === 0) return { outcome, why: [] };
  const schedule = projectRun(run(output, { now, scores: false, explain: true }), { now, explain: true });
  const explained = explanationView(schedule, { resources: resources.slice(0, EXPLAINED), actions: 'blocked', parts: true });
  return { outcome, why: 'unknown' in explained ? [] : explained.view.placements };
}

function failureOf(settled: Cib, failed: Failure, now: number): LossWithReasons['outcome'] & { readonly output: Cib } {
  const { unnoticed, ...outcome } = outcomeOfFailure(settled, failed, now);
  return { ...outcome, nodes: [], failed, ...(unnoticed ? { unnoticed } : {}) };
}

export function whatIfOf({ cib, now, assumed }: WhatIfTask): WhatIfText {
  try {
    const { modifications, plans, ...supposed } = whatIf(readCib(documentOf(cib)), { ...assumed, now });
    const impossible = modifications.flatMap((change) => (change.kind === 'error' ? [change.text] : []));
    if (impossible.length > 0) return { impossible };
    const shown = plans.map(({ transition: { nodes, resources }, executed, end }) => ({
      nodes: nodes.map(({ kind, ...of }) => ({ change: kind, ...of })),
      resources: resources.map(({ verb, ...of }) => ({ change: verb, ...of })),
      steps: carriedOutSteps(executed),
      complete: end === 'complete',
    }));
    return { text: textOf({ now, happens: modifications.map(injectionLine), plans: shown, ...supposed }) };
  } catch (error) {
    if (error instanceof UnknownNodeError) return { impossible: [error.message] };
    throw error;
  }
}

/** `graph` is what the scheduler made: the digest vouches for what was stored. */
export function resultsOf({ graph, transition }: ResultsTask): readonly ActionResult[] {
  return (JSON.parse(new TextDecoder().decode(graph)) as TransitionGraph).synapses.flatMap(({ action }) => {
    const result = resultOf(transition, action);
    return result === undefined ? [] : [{ id: action.id, ...result }];
  });
}

function probesIn({ synapses }: TransitionGraph): Picture['probes'] {
  return synapses.flatMap(({ action: { operation, attributes, primitive, node } }) => {
    const isProbe = operation === 'monitor' && Number(attributes['CRM_meta_interval'] ?? '0') === 0;
    return isProbe && primitive !== undefined && node !== undefined ? [{ resource: primitive.id, node: node.name }] : [];
  });
}

function scheduled({ cib, now }: Planning, options: Omit<ScheduleOptions, 'now' | 'mostScores'> = {}): Schedule {
  return scheduleOfDocument(readCib(documentOf(cib)), { scores: false, explain: false, ...options, now });
}

function scheduleOfDocument(cib: Cib, asked: ScheduleOptions): Schedule {
  const options = { ...asked, mostScores: MOST_SCORE_LINES };
  return projectRun(run(cib, options), options);
}

function documentOf(cib: Planning['cib']): XmlElement | string {
  switch (cib.format) {
    case 'told':
      return knownTree(cib.key);
    case 'xml':
      return cib.text;
    case 'json':
      return xmlOfJson(cib.text);
  }
}

function bare({ explanation: _, ...schedule }: Schedule): BareSchedule {
  const resources = announced(schedule.resources, schedule.actions);
  return { ...schedule, resources, probes: probesIn(schedule.graph), scores: schedule.scores.map(({ parts: _, ...entry }) => entry) };
}

/** As the worker records it in TransitionPlanned. */
function graphDigest(graph: TransitionGraph): string {
  const hash = createHash('sha256');
  for (const text of canonicalGraph(graph)) hash.update(text);
  return hash.digest('hex');
}

function textOf(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}
