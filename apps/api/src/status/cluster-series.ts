import { addScores, INFINITY_SCORE, parseScore, primitiveIdOf } from '@systole/cib';
import { Gauge, Registry } from 'prom-client';
import { primitivesIn } from './status-counts.js';
import type { StatusDto } from './status.dto.js';

/** Series of one metric that one answer holds at most, where they name what there is any number of. */
const MOST_NAMED = 10_000;

const HEALTHS = ['good', 'warn', 'bad'] as const;
const NODE_STATES = ['online', 'unclean', 'pending', 'offline', 'standby', 'maintenance', 'shutdown'] as const;
const ROLES = ['Started', 'Unpromoted', 'Promoted', 'Stopped', 'Unknown'] as const;

/** What is read of a status. */
export type CountedStatus = Pick<
  StatusDto,
  | ('clusterId' | 'name' | 'version' | 'settled' | 'health' | 'troubles' | 'quorum' | 'counts' | 'nodes' | 'resources' | 'failures')
  | ('failCounts' | 'fencing' | 'transition' | 'tickets' | 'recompute' | 'planningFailed')
>;

type Labels = Readonly<Record<string, string>>;

/** Something with labels, and its number. */
type Series = readonly (readonly [labels: Labels, value: number])[];

/** What a scrape of one cluster holds. */
export interface ClusterSeriesOptions {
  /** Also a series for each node and for each place of each resource; without them there are about sixty, however large the cluster is, and those of what failed. */
  readonly named: boolean;
}

/**
 * How one cluster is, for Prometheus: what a status says in numbers. All series bear the cluster's name as `cluster`.
 *
 * @returns in the text format 0.0.4
 */
export function clusterSeries(status: CountedStatus, { named }: ClusterSeriesOptions): Promise<string> {
  const shown = new Shown(status.name);
  shown.one('systole_cluster_info', 'Always 1: which id the cluster has.', [[{ id: status.clusterId }, 1]]);
  shown.number('systole_cluster_version', 'Version of the cluster: how many events it has.', status.version);
  showHealth(shown, status);
  showQuorum(shown, status);
  showNodes(shown, status, named);
  showResources(shown, status, named);
  showActivity(shown, status);
  return shown.text();
}

function showHealth(shown: Shown, { health, settled, troubles }: CountedStatus): void {
  shown.one(
    'systole_cluster_health',
    '1 for the health that the cluster has, 0 for the others: good, warn (somebody should look), bad (services are down or in danger).',
    HEALTHS.map((one) => [{ health: one }, Number(one === health)]),
  );
  shown.one(
    'systole_cluster_troubles',
    'What is wrong with the cluster, by code and level; absent for what is not.',
    counted(troubles.map(({ code, level }) => ({ code, level }))),
  );
  shown.number('systole_cluster_settled', '1: nothing is under way or to be computed, and a worker is there; else 0.', Number(settled));
}

function showQuorum(shown: Shown, { quorum }: CountedStatus): void {
  if (quorum === undefined) return;
  shown.number('systole_cluster_quorate', '1: enough votes are there; else 0. Absent until the first node joined.', Number(quorum.quorate));
  shown.number('systole_cluster_votes', 'Votes that are there now.', quorum.votes);
  shown.number('systole_cluster_expected_votes', 'Votes that there are when all nodes are there.', quorum.expectedVotes);
}

function showNodes(shown: Shown, { counts, nodes }: CountedStatus, named: boolean): void {
  shown.one(
    'systole_cluster_nodes',
    'Nodes by state, each counted once, in the worst of its states; guests and the nodes of bundles are resources, and not among them.',
    NODE_STATES.map((state) => [{ state }, counts.nodes[state]]),
  );
  if (!named) return;
  shown.some(
    'systole_cluster_node_state',
    'Always 1: in which state a node is, the worst where there are several.',
    nodes.map(({ name, kind, wrong }) => [{ node: name, kind, state: wrong?.[0] ?? 'online' }, 1]),
  );
}

function showResources(shown: Shown, { counts, resources, failures, failCounts }: CountedStatus, named: boolean): void {
  const primitives = [...primitivesIn(resources)];
  const byKind = new Map(ROLES.flatMap((role) => ['true', 'false'].map((managed) => [`${role} ${managed}`, 0])));
  for (const { role, managed } of primitives) {
    const kind = `${role} ${String(managed)}`;
    byKind.set(kind, (byKind.get(kind) ?? 0) + 1);
  }
  shown.one(
    'systole_cluster_resources',
    'Primitives by role and whether they are managed, each instance of a clone counted.',
    [...byKind].map(([kind, value]) => {
      const [role = '', managed = ''] = kind.split(' ');
      return [{ role, managed }, value];
    }),
  );
  const { failed, blocked, disabled } = counts.resources;
  shown.number('systole_cluster_resources_failed', 'Primitives of which the last operation failed.', failed);
  shown.number('systole_cluster_resources_blocked', 'Primitives that need something that can not be done.', blocked);
  shown.number('systole_cluster_resources_disabled', 'Primitives that their target-role keeps from running as they could.', disabled);
  shown.number('systole_cluster_failed_operations', 'Operations of which the last result is a failure.', failures.length);
  const ids = new Set(primitives.map(({ id }) => primitiveIdOf(id)));
  const byPlace = new Map<string, [Labels, number]>();
  for (const { resource, node, count } of failCounts) {
    const place = JSON.stringify([resource, node]);
    const score = parseScore(count);
    // Nodes may set what they like as fail counts of their own: what the scheduler does not read, or what is no resource, is none.
    if (score === undefined || !ids.has(primitiveIdOf(resource))) continue;
    byPlace.set(place, [{ resource, node }, addScores(byPlace.get(place)?.[1] ?? 0, score)]);
  }
  shown.some(
    'systole_cluster_fail_count',
    'Failures of a resource on a node that count until they are cleaned up or expire, of all operations together; +Inf: it can not run there. Absent where there are none.',
    [...byPlace.values()].map(([labels, count]) => [labels, count >= INFINITY_SCORE ? Number.POSITIVE_INFINITY : count]),
  );
  if (!named) return;
  shown.some(
    'systole_cluster_resource_state',
    'Always 1: a primitive, or an instance of one, and a node where it is active; `node` is empty where it is active nowhere. `state` is the worst of what is wrong with it, or `ok`.',
    primitives.flatMap(({ id, role, managed, activeOn, wrong }) =>
      (activeOn.length === 0 ? [''] : activeOn).map((node): [Labels, number] => [
        { resource: id, node, role, managed: String(managed), state: wrong?.[0] ?? 'ok' },
        1,
      ]),
    ),
  );
}

function showActivity(shown: Shown, { fencing, transition, tickets, recompute, planningFailed }: CountedStatus): void {
  shown.number('systole_cluster_fencing_pending', 'Attempts to fence nodes that are under way.', fencing.length);
  shown.number('systole_cluster_transition_running', '1: a transition is in progress; else 0.', Number(transition !== undefined));
  shown.number('systole_cluster_actions_in_flight', 'Actions that agents were given and have not answered.', transition?.inFlight ?? 0);
  shown.number('systole_cluster_plan_due', '1: the next plan is to be computed; else 0.', Number(recompute !== undefined));
  shown.number(
    'systole_cluster_planning_tries',
    'How often in a row a worker failed to plan or move it; 0: it goes.',
    planningFailed?.tries ?? 0,
  );
  shown.some(
    'systole_cluster_ticket_granted',
    '1: this cluster has the ticket; else 0.',
    tickets.map(({ id, granted }) => [{ ticket: id }, Number(granted)]),
  );
}

/** How often each is there. */
function counted(all: readonly Labels[]): Series {
  const counts = new Map<string, [Labels, number]>();
  for (const labels of all) {
    const key = JSON.stringify(labels);
    counts.set(key, [labels, (counts.get(key)?.[1] ?? 0) + 1]);
  }
  return [...counts.values()];
}

/** Of one cluster and one scrape. */
class Shown {
  readonly #registry = new Registry();
  readonly #leftOff: [Labels, number][] = [];

  constructor(private readonly cluster: string) {}

  number(name: string, help: string, value: number): void {
    this.one(name, help, [[{}, value]]);
  }

  /** Series of which there are only so many. */
  one(name: string, help: string, series: Series): void {
    const labelNames = ['cluster', ...new Set(series.flatMap(([labels]) => Object.keys(labels)))];
    const gauge = new Gauge({ name, help, labelNames, registers: [this.#registry] });
    for (const [labels, value] of series) gauge.set({ cluster: this.cluster, ...labels }, value);
  }

  /** Series of which there may be any number. */
  some(name: string, help: string, series: Series): void {
    this.one(name, help, series.slice(0, MOST_NAMED));
    this.#leftOff.push([{ metric: name }, Math.max(0, series.length - MOST_NAMED)]);
  }

  text(): Promise<string> {
    this.one(
      'systole_cluster_series_left_off',
      `Series that this answer lacks, as there are more than ${String(MOST_NAMED)} of their metric.`,
      this.#leftOff,
    );
    return this.#registry.metrics();
  }
}
