import { tooLarge } from '@systole/cib';
import { explain } from './explain/explanation.js';
import { scoreParts } from './explain/score-parts.js';
import type { TransitionGraph } from './graph/transition-graph.js';
import { compareNatural } from './model/names.js';
import { RoleLevel, roleName } from './model/role.js';
import type { ScoreTrail } from './model/score-trail.js';
import type { SchedulerRun } from './run.js';
import type { ScheduleOptions } from './schedule-options.js';
import type { NodeSummary, PlannedAction, ReplicaSummary, ResourceSummary, Schedule, ScoreEntry } from './schedule-result.js';
import type { PlacementNote, UtilizationEntry } from './model/score-record.js';
import { currentRole, isDisabled, nextRole } from './model/activity.js';
import type { ResourceChange } from './graph/changes.js';
import type { Action, Cluster, ClusterNode, Replica, Resource } from './outcome.js';

/** The plain data of a run. */
export function projectRun({ cluster, changes, graph }: SchedulerRun, options: ScheduleOptions): Schedule {
  return {
    now: options.now,
    quorate: cluster.quorate,
    nodes: cluster.nodes.map(nodeSummary),
    resources: cluster.resources.map(resourceSummary),
    scores: scoreEntries(cluster, options.mostScores),
    actions: inOrder([...fencingActions(cluster), ...changes.flatMap(listedActions)], graph),
    graph,
    messages: cluster.messages,
    ...(cluster.explains ? { explanation: explain(cluster) } : {}),
  };
}

function nodeSummary(node: ClusterNode): NodeSummary {
  const { id, name, unclean, standby, maintenance, pending, shutdown } = node;
  const online = node.online && !node.comesOnline;
  const kind = !node.remoteType ? 'cluster' : node.isBundleNode ? 'bundle' : node.isGuest ? 'guest' : 'remote';
  return { id, name, kind, online, unclean, standby, maintenance, pending, shutdown };
}

function resourceSummary(resource: Resource): ResourceSummary {
  const { class: standard, provider, type } = resource.element.attributes;
  const assigned = resource.singleAssigned;
  return {
    id: resource.id,
    kind: resource.kind,
    ...(resource.isPrimitive
      ? { agent: { class: standard ?? '', ...(provider === undefined ? {} : { provider }), type: type ?? '' } }
      : {}),
    managed: resource.managed,
    failed: resource.failed,
    blocked: resource.blocked,
    removed: resource.removed,
    ...(isDisabled(resource) ? { disabled: true } : {}),
    role: roleName(highest(resource, currentRole)),
    nextRole: roleName(highest(resource, nextRole)),
    activeOn: distinctNames(resource.activeOn),
    ...(assigned ? { assignedTo: assigned.name } : {}),
    children: resource.children.map(resourceSummary),
    ...(resource.bundle === undefined ? {} : { replicas: resource.bundle.replicas.map(replicaSummary) }),
  };
}

/** Of a bundle, what its replicas are for counts; without anything in their containers, the containers. */
function highest(resource: Resource, roleOf: (part: Resource) => RoleLevel): RoleLevel {
  const parts = resource.bundle?.replicas.map(({ container, child }) => child ?? container) ?? [resource];
  return parts.reduce<RoleLevel>((level, part) => Math.max(level, roleOf(part)), RoleLevel.Unknown);
}

function replicaSummary({ offset, ipAddress, ip, container, connection, child }: Replica): ReplicaSummary {
  return {
    number: offset,
    role: roleName(currentRole(child ?? container)),
    activeOn: distinctNames(container.activeOn),
    failed: [ip, container, connection, child].some((part) => part?.failed === true),
    ...(ipAddress === undefined ? {} : { ipAddress }),
    parts: {
      container: container.id,
      ...(ip === undefined ? {} : { ip: ip.id }),
      ...(connection === undefined ? {} : { connection: connection.id }),
      ...(child === undefined ? {} : { resource: child.id }),
    },
  };
}

function distinctNames(nodes: readonly ClusterNode[]): string[] {
  return (nodes.length < 2 ? nodes : [...new Set(nodes)]).map(({ name }) => name);
}

/** Most lines of a listing: 10,000 resources on 1,000 nodes, twice over. */
const MOST_LINES = 20_000_000;

/**
 * The score listing, nodes of one resource in natural name order (specification 04 §13).
 *
 * @throws {CibRefused} `too-large` when it has more lines than that.
 */
export function scoreEntries(cluster: Cluster, mostLines = MOST_LINES): ScoreEntry[] {
  return placementEntries(cluster, mostLines).filter((entry) => 'score' in entry);
}

export type PlacementEntry = ScoreEntry | UtilizationEntry | PlacementNote;

/**
 * The score listing with the utilization listing, as far as each was kept, and notes, in the order in which they were made.
 *
 * @throws {CibRefused} `too-large` when they have more lines than that.
 */
export function placementEntries(cluster: Cluster, mostLines = MOST_LINES): PlacementEntry[] {
  requireListable(cluster, mostLines);
  const nodes = [...cluster.nodes].sort((a, b) => compareNatural(a.name, b.name));
  const entries: PlacementEntry[] = [];
  for (const record of cluster.scores) {
    if ('amounts' in record || 'note' in record) {
      entries.push(record);
    } else if ('score' in record) {
      const { phase, resource, node = '', score, trail } = record;
      entries.push(scoreEntry(cluster, phase, resource, node, score, trail));
    } else {
      const { phase, resource, table } = record;
      for (const { index, name } of nodes) {
        if (table.has(index)) entries.push(scoreEntry(cluster, phase, resource, name, table.score(index), table.trail(index)));
      }
    }
  }
  return entries;
}

function scoreEntry(
  { explains }: Cluster,
  phase: string,
  resource: string,
  node: string,
  score: number,
  trail: ScoreTrail | undefined,
): ScoreEntry {
  return explains ? { phase, resource, node, score, parts: scoreParts(trail) } : { phase, resource, node, score };
}

function requireListable({ cib: { document }, scores }: Cluster, mostLines: number): void {
  const lines = scores.reduce((sum, record) => sum + ('table' in record ? record.table.size : 1), 0);
  if (lines > mostLines) throw tooLarge(document, document, `the score listing has ${lines} lines, more than ${mostLines}: leave it out`);
}

/** An action with the line that tells of it. */
type ListedAction = readonly [action: Action, line: PlannedAction];

function fencingActions(cluster: Cluster): ListedAction[] {
  return cluster.actions
    .filter(({ task, optional, runnable }) => !optional && runnable && (task === 'stonith' || task === 'do_shutdown'))
    .map((action) => {
      const operation = action.task === 'stonith' ? `fence-${action.meta.get('stonith_action') ?? ''}` : 'shutdown';
      return [action, planned(action, action.node?.name ?? '', operation)];
    });
}

const shown = new Set(['start', 'stop', 'promote', 'demote', 'migrate_to', 'migrate_from', 'reload-agent']);

function listedActions({ resource }: ResourceChange): ListedAction[] {
  return resource.actions.all
    .filter(({ task, optional, runnable, pseudo }) => !optional && runnable && !(pseudo && task === 'start') && shown.has(task))
    .map((action) => [action, planned(action, resource.id, action.task)]);
}

/** As they will happen: none before what it waits for in the graph; else as they come. */
function inOrder(listed: readonly ListedAction[], { synapses }: TransitionGraph): PlannedAction[] {
  const inputs = new Map(synapses.map(({ action, inputs: before }) => [action.id, before]));
  const lines = new Map(listed.map(([{ id }, line]) => [id, line]));
  const ordered: PlannedAction[] = [];
  const seen = new Set<number>();
  for (const [{ id: wanted }] of listed) {
    const open = [wanted];
    for (let id = open.at(-1); id !== undefined; id = open.at(-1)) {
      const before = seen.has(id) ? [] : (inputs.get(id) ?? []).filter((input) => !seen.has(input));
      seen.add(id);
      if (before.length > 0) {
        open.push(...before.toReversed());
        continue;
      }
      open.pop();
      const line = lines.get(id);
      if (line === undefined) continue;
      ordered.push(line);
      lines.delete(id);
    }
  }
  return ordered;
}

function planned(action: Action, resource: string, operation: string): PlannedAction {
  return { resource, operation, node: action.node?.name ?? '', ...(action.reason === undefined ? {} : { reason: action.reason }) };
}
