import type { Resource } from '../model/resource.js';
import type { SchedulerRun } from '../run.js';
import type { Schedule } from '../schedule.js';
import type { GraphAction, Synapse } from '../graph/transition-graph.js';

/**
 * Answers the lower half of a scenario file: each expectation is printed again as what really happened, so that a difference is readable.
 *
 * - `place RSC NODE ...|nowhere`: where the primitives of a resource are assigned
 * - `actions A; B; ...|none`: all real actions but probes, e.g. `start db n1`, `monitor-10s db n1`, `fence n2`, `clear-failures db n1`
 * - `probes A; B|none`: e.g. `db n1`
 * - `A before B`: B waits for A in the graph, directly or through others
 * - `A not before B`
 * - `because RSC: REASON|nothing`: the first reason that any of its actions or, for a node, its fencing has
 * - `score RSC NODE SCORE`: at its last assignment; `promotion RSC SCORE`
 * - `role RSC ROLE`: the next role; `node NODE STATE ...`
 * - `blocked A; B|none`: required actions that can't be carried out
 * - `recheck SECONDS|never`
 */
export function outcomeOf(expectation: string, run: SchedulerRun, schedule: Schedule): string {
  const before = /^(.*?) (not )?before (.*)$/.exec(expectation);
  if (before) {
    const [, a = '', , b = ''] = before;
    return `${a} ${waitsFor(schedule, b, a) ? '' : 'not '}before ${b}`;
  }
  const [verb = '', ...words] = expectation.split(/\s+/);
  const subject = words[0] ?? '';
  switch (verb) {
    case 'place':
      return `place ${subject} ${placeOf(find(run, subject))}`;
    case 'actions':
      return `actions ${listing(schedule.graph.synapses.filter(({ action }) => isReal(action) && !isProbe(action)).map(({ action }) => actionText(action)))}`;
    case 'probes':
      return `probes ${listing(schedule.graph.synapses.filter(({ action }) => isProbe(action)).map(({ action }) => actionText(action).replace('probe ', '')))}`;
    case 'because': {
      const name = subject.replace(/:$/, '');
      return `because ${name}: ${reasonOf(run, name) ?? 'nothing'}`;
    }
    case 'score':
      return `score ${subject} ${words[1] ?? ''} ${scoreOf(schedule, subject, words[1] ?? '')}`;
    case 'promotion':
      return `promotion ${subject} ${scoreText(schedule.scores.findLast(({ phase, resource }) => phase === 'promotion' && resource === subject)?.score)}`;
    case 'role':
      return `role ${subject} ${roleOf(schedule.resources, subject)}`;
    case 'node':
      return `node ${subject} ${nodeText(schedule, subject)}`;
    case 'blocked':
      return `blocked ${listing(blockedOf(run))}`;
    case 'recheck':
      return `recheck ${schedule.graph.recheckBy ?? 'never'}`;
    default:
      throw new Error(`"${verb}" is no expectation`);
  }
}

/** Puts the parts of a list into the order in which outcomes print them. */
export function normalize(expectation: string): string {
  const match = /^(actions|probes|blocked) (.*)$/.exec(expectation);
  if (!match) return expectation.replace(/\s+/g, ' ');
  return `${match[1] ?? ''} ${listing((match[2] ?? '').split(';').map((part) => part.trim()))}`;
}

const listing = (parts: readonly string[]): string => (parts.length === 0 ? 'none' : [...parts].sort().join('; '));

function find(run: SchedulerRun, id: string): Resource {
  const resource = run.cluster.findResource(id);
  if (!resource) throw new Error(`there is no resource "${id}"`);
  return resource;
}

function placeOf(resource: Resource): string {
  const nodes: string[] = [];
  const visit = (one: Resource): void => {
    if (one.isPrimitive && one.assignedNode) nodes.push(one.assignedNode.name);
    one.children.forEach(visit);
  };
  visit(resource);
  return nodes.length === 0 ? 'nowhere' : [...new Set(nodes)].sort().join(' ');
}

const isReal = ({ kind }: GraphAction): boolean => kind !== 'pseudo_event';
const isProbe = ({ kind, operation, attributes }: GraphAction): boolean =>
  kind === 'rsc_op' && operation === 'monitor' && attributes['CRM_meta_interval'] === undefined;

function resourceOf(action: GraphAction): string {
  return action.primitive?.longId ?? action.primitive?.id ?? action.operationKey.replace(/_[a-z-]+_\d+$/, '');
}

function actionText(action: GraphAction): string {
  const { operation, attributes, node, primitive } = action;
  const at = node ? ` ${node.name}` : '';
  if (operation === 'stonith') return `${attributes['CRM_meta_stonith_action'] === 'on' ? 'unfence' : 'fence'}${at}`;
  if (operation === 'do_shutdown') return `shutdown${at}`;
  if (!primitive) return `${operation} ${resourceOf(action)}`;
  const interval = attributes['CRM_meta_interval'];
  const seconds = interval === undefined ? '' : `-${Number(interval) / 1000}s`;
  const task = operation === 'clear_failcount' ? 'clear-failures' : isProbe(action) ? 'probe' : `${operation}${seconds}`;
  return `${task} ${resourceOf(action)}${at}`;
}

function waitsFor(schedule: Schedule, later: string, earlier: string): boolean {
  const byId = new Map<number, Synapse>(schedule.graph.synapses.map((synapse) => [synapse.action.id, synapse]));
  const pending = schedule.graph.synapses.filter(({ action }) => actionText(action) === later);
  if (pending.length === 0) throw new Error(`"${later}" is not in the graph`);
  const seen = new Set<number>();
  for (let synapse = pending.pop(); synapse; synapse = pending.pop()) {
    for (const id of synapse.inputs) {
      const input = byId.get(id);
      if (!input || seen.has(id)) continue;
      if (actionText(input.action) === earlier) return true;
      seen.add(id);
      pending.push(input);
    }
  }
  return false;
}

function reasonOf(run: SchedulerRun, name: string): string | undefined {
  const actions = run.cluster.actions.filter(
    ({ resource, node, optional }) => !optional && (resource ? resource.id === name : node?.name === name),
  );
  return actions.find(({ reason }) => reason !== undefined)?.reason;
}

function scoreText(score: number | undefined): string {
  if (score === undefined) return 'missing';
  return score >= 1_000_000 ? 'INFINITY' : score <= -1_000_000 ? '-INFINITY' : String(score);
}

function scoreOf(schedule: Schedule, id: string, node: string): string {
  const entry = schedule.scores.findLast((score) => score.resource === id && score.node === node && score.phase !== 'promotion');
  return scoreText(entry?.score);
}

function roleOf(resources: Schedule['resources'], id: string): string {
  for (const resource of resources) {
    if (resource.id === id) return resource.nextRole;
    const below = roleOf(resource.children, id);
    if (below !== 'missing') return below;
  }
  return 'missing';
}

function nodeText(schedule: Schedule, name: string): string {
  const node = schedule.nodes.find((candidate) => candidate.name === name);
  if (!node) return 'missing';
  const flags = (['unclean', 'pending', 'standby', 'maintenance', 'shutdown'] as const).filter((flag) => node[flag]);
  return [node.online ? 'online' : 'offline', ...flags].join(' ');
}

function blockedOf(run: SchedulerRun): string[] {
  return run.cluster.actions
    .filter(({ optional, runnable, resource, pseudo }) => !optional && !runnable && !pseudo && resource?.isPrimitive)
    .map(({ task, resource, node }) => `${task === 'monitor' ? 'probe' : task} ${resource?.id ?? ''}${node ? ` ${node.name}` : ''}`);
}
