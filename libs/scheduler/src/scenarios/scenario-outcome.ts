import type { GraphAction, Synapse } from '../graph/transition-graph.js';
import type { Resource } from '../outcome.js';
import type { SchedulerRun } from '../run.js';
import type { ResourceSummary, Schedule } from '../schedule-result.js';
import { actionText, isProbe, isReal } from './scenario-action-text.js';

/**
 * Answers the lower half of a scenario file: each expectation is printed again as what really happened, so that a difference is readable.
 *
 * - `place RSC NODE ...|nowhere`: where the primitives of a resource are assigned
 * - `actions A; B; ...|none`: all real actions but probes; see `scenario-action-text.ts` for their names
 * - `probes A; B|none`: e.g. `db n1`; `pseudo A; B|none`: keys of pseudo-actions
 * - `A before B`: B waits for A in the graph, directly or through others; `A not before B`; `A waits for B; C|nothing`: its direct inputs
 * - `with A: name=value ...`: what the action carries, `name=-` when it doesn't have it (also `router_node`, `shutdown-lock`, `downed`, `maintenance`); `graph name=value ...`: the graph's header
 * - `value NAME of A: "..."`: one of them with its blanks; `names of A: ...`: all, in their order; `key of A: KEY [internal KEY]`: the operation's keys
 * - `created A; B; ...`: the order of their ids; `written A; B; ...`: the order of their synapses; `priority A N`: of its synapse
 * - `because RSC: REASON|nothing`: the first reason that any of its actions has; `because NODE`, or `because node NODE` when a resource has its name
 * - `score RSC NODE SCORE`: at its last assignment; `promotion RSC SCORE`; `listing RSC PHASE NODE=SCORE ...`: the last lines of a phase
 * - `assigned A; B; ...`: the order in which these primitives were placed; `listed PHASE; A; B; ...`: the order of score lines
 * - `lines RSC PHASE NODE COUNT`: how often a score is listed
 * - `role RSC ROLE`: the next role; `state RSC ROLE [NODE ...] [failed|blocked|unmanaged|removed ...]`: the present one; `node NODE STATE ...`
 * - `blocked A; B|none`: required actions that can't be carried out
 * - `recheck SECONDS|never`; `warns TEXT|nothing`: the first message; `refused REASON` (nothing else is expected then)
 */
export function outcomeOf(expectation: string, run: SchedulerRun, schedule: Schedule): string {
  const order = /^(.*?) (not )?before (.*)$/.exec(expectation);
  if (order) {
    const [, a = '', , b = ''] = order;
    return `${a} ${waitsFor(schedule, b, a) ? '' : 'not '}before ${b}`;
  }
  const waiting = /^(.*?) waits for /.exec(expectation);
  if (waiting) return `${waiting[1] ?? ''} waits for ${inputsOf(schedule, waiting[1] ?? '')}`;
  const content = /^with (.*?): (.*)$/.exec(expectation);
  if (content) return `with ${content[1] ?? ''}: ${contentOf(schedule, content[1] ?? '', namesIn(content[2] ?? ''))}`;
  const detail = /^(value (\S+)|names|key) of (.*): .*$/.exec(expectation);
  if (detail) {
    const [, what = '', name, text = ''] = detail;
    const { action } = synapseOf(schedule, text);
    const keys = [action.operationKey, ...(action.internalOperationKey === undefined ? [] : ['internal', action.internalOperationKey])];
    const answer =
      name !== undefined ? `"${attributeOf(action, name) ?? '-'}"` : (what === 'names' ? Object.keys(action.attributes) : keys).join(' ');
    return `${what} of ${text}: ${answer}`;
  }
  const [verb = '', ...words] = expectation.split(/\s+/);
  const subject = words[0] ?? '';
  switch (verb) {
    case 'place':
      return `place ${subject} ${placeOf(find(run, subject))}`;
    case 'actions':
      return `actions ${listing(
        actions(schedule)
          .filter((action) => isReal(action) && !isProbe(action))
          .map(actionText),
      )}`;
    case 'probes':
      return `probes ${listing(actions(schedule).filter(isProbe).map(actionText)).replaceAll('probe ', '')}`;
    case 'pseudo':
      return `pseudo ${listing(
        actions(schedule)
          .filter((action) => !isReal(action))
          .map(actionText),
      )}`;
    case 'created':
    case 'written': {
      const named = parts(expectation.slice(verb.length));
      const all = actions(schedule);
      const sorted = verb === 'created' ? all.toSorted((a, b) => a.id - b.id) : all;
      return `${verb} ${sorted
        .map(actionText)
        .filter((text) => named.includes(text))
        .join('; ')}`;
    }
    case 'priority': {
      const text = words.slice(0, -1).join(' ');
      return `priority ${text} ${synapseOf(schedule, text).priority}`;
    }
    case 'graph':
      return `graph ${namesIn(words.join(' '))
        .map((name) => `${name}=${header(schedule)[name] ?? '-'}`)
        .join(' ')}`;
    case 'because': {
      const ofNode = subject === 'node';
      const name = (ofNode ? (words[1] ?? '') : subject).replace(/:$/, '');
      return `because ${ofNode ? 'node ' : ''}${name}: ${reasonOf(run, name, ofNode) ?? 'nothing'}`;
    }
    case 'score':
      return `score ${subject} ${words[1] ?? ''} ${scoreOf(schedule, subject, words[1] ?? '')}`;
    case 'listing':
      return `listing ${subject} ${words[1] ?? ''} ${listingOf(schedule, subject, words[1] ?? '')}`;
    case 'assigned':
    case 'listed': {
      const named = parts(expectation.slice(verb.length));
      const phases = verb === 'listed' ? named.splice(0, 1) : ['pcmk__primitive_assign'];
      const lines = schedule.scores.filter(({ phase }) => phases.includes(phase)).map(({ resource }) => resource);
      const order = [...new Set(lines)].filter((id) => named.includes(id));
      return `${verb} ${[...(verb === 'listed' ? phases : []), ...order].join('; ')}`;
    }
    case 'lines': {
      const [, phase = '', node = ''] = words;
      const lines = schedule.scores.filter((entry) => entry.resource === subject && entry.phase === phase && entry.node === node);
      return `lines ${subject} ${phase} ${node} ${lines.length}`;
    }
    case 'promotion':
      return `promotion ${subject} ${scoreText(schedule.scores.findLast(({ phase, resource }) => phase === 'promotion' && resource === subject)?.score)}`;
    case 'role':
      return `role ${subject} ${summaryOf(schedule.resources, subject)?.nextRole ?? 'missing'}`;
    case 'state':
      return `state ${subject} ${stateText(summaryOf(schedule.resources, subject))}`;
    case 'node':
      return `node ${subject} ${nodeText(schedule, subject)}`;
    case 'blocked':
      return `blocked ${listing(blockedOf(run))}`;
    case 'recheck':
      return `recheck ${schedule.graph.recheckBy ?? 'never'}`;
    case 'warns':
      return `warns ${schedule.messages[0]?.text ?? 'nothing'}`;
    case 'refused':
      return 'not refused';
    default:
      throw new Error(`"${verb}" is no expectation`);
  }
}

/** Puts the parts of a list into the order in which outcomes print them. */
export function normalize(expectation: string): string {
  const match = /^(actions|probes|pseudo|blocked|.* waits for) (.*)$/.exec(expectation);
  if (!match) return expectation.startsWith('value ') ? expectation : expectation.replace(/\s+/g, ' ');
  return `${match[1] ?? ''} ${listing(parts(match[2] ?? ''), match[2])}`;
}

const parts = (text: string): string[] => text.split(';').map((part) => part.trim());
const listing = (texts: readonly string[], none = 'none'): string => (texts.length === 0 ? none : [...texts].sort().join('; '));
const namesIn = (text: string): string[] => text.split(/\s+/).map((word) => word.slice(0, word.indexOf('=')));
const actions = (schedule: Schedule): GraphAction[] => schedule.graph.synapses.map(({ action }) => action);

function find(run: SchedulerRun, id: string): Resource {
  const resource = run.cluster.resourceNames.first(id);
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

function synapseOf(schedule: Schedule, text: string): Synapse {
  const found = schedule.graph.synapses.find(({ action }) => actionText(action) === text);
  if (!found) throw new Error(`"${text}" is not in the graph`);
  return found;
}

function inputsOf(schedule: Schedule, text: string): string {
  const { inputs } = synapseOf(schedule, text);
  const texts = actions(schedule)
    .filter(({ id }) => inputs.includes(id))
    .map(actionText);
  return listing(texts, 'nothing');
}

function contentOf(schedule: Schedule, text: string, names: readonly string[]): string {
  const { action } = synapseOf(schedule, text);
  return names.map((name) => `${name}=${attributeOf(action, name) ?? '-'}`).join(' ');
}

function attributeOf(action: GraphAction, name: string): string | undefined {
  const { attributes, params, node, shutdownLock, downed, maintenance } = action;
  switch (name) {
    case 'router_node':
      return node?.router;
    case 'shutdown-lock':
      return shutdownLock?.toString();
    case 'downed':
      return downed?.join(',');
    case 'maintenance':
      return maintenance?.map(({ nodeId, inMaintenance }) => `${nodeId}:${inMaintenance ? 1 : 0}`).join(',');
    default:
      return attributes[name] ?? params?.find((param) => param.name === name)?.value;
  }
}

function header({ graph }: Schedule): Readonly<Record<string, string | undefined>> {
  return {
    'cluster-delay': graph.clusterDelay,
    'fencing-timeout': graph.fencingTimeout,
    'failed-start-offset': graph.failedStartOffset,
    'failed-stop-offset': graph.failedStopOffset,
    'batch-limit': graph.batchLimit,
    'migration-limit': graph.migrationLimit,
  };
}

function waitsFor(schedule: Schedule, later: string, earlier: string): boolean {
  const byId = new Map<number, Synapse>(schedule.graph.synapses.map((synapse) => [synapse.action.id, synapse]));
  const pending = schedule.graph.synapses.filter(({ action }) => actionText(action) === later);
  if (pending.length === 0) throw new Error(`"${later}" is not in the graph`);
  synapseOf(schedule, earlier);
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

function reasonOf(run: SchedulerRun, name: string, ofNode: boolean): string | undefined {
  const required = run.cluster.actions.filter(
    ({ resource, node, optional }) => !optional && (resource ? !ofNode && resource.id === name : node?.name === name),
  );
  return required.find(({ reason }) => reason !== undefined)?.reason;
}

function scoreText(score: number | undefined): string {
  if (score === undefined) return 'missing';
  return score >= 1_000_000 ? 'INFINITY' : score <= -1_000_000 ? '-INFINITY' : String(score);
}

function scoreOf(schedule: Schedule, id: string, node: string): string {
  const entry = schedule.scores.findLast((score) => score.resource === id && score.node === node && score.phase !== 'promotion');
  return scoreText(entry?.score);
}

/** The last line of each node in a phase, in the order of the listing. */
function listingOf(schedule: Schedule, id: string, phase: string): string {
  const last = new Map<string, number>();
  for (const entry of schedule.scores) if (entry.resource === id && entry.phase === phase) last.set(entry.node, entry.score);
  return last.size === 0 ? 'missing' : [...last].map(([node, score]) => `${node}=${scoreText(score)}`).join(' ');
}

function summaryOf(resources: readonly ResourceSummary[], id: string): ResourceSummary | undefined {
  for (const resource of resources) {
    const found = resource.id === id ? resource : summaryOf(resource.children, id);
    if (found) return found;
  }
  return undefined;
}

function stateText(resource: ResourceSummary | undefined): string {
  if (!resource) return 'missing';
  const flags = (['failed', 'blocked', 'removed'] as const).filter((flag) => resource[flag]);
  return [resource.role, ...resource.activeOn, ...flags, ...(resource.managed ? [] : ['unmanaged'])].join(' ');
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
