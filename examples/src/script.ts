import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoCluster, DemoEvent } from './demo-cluster.js';
import type { ClusterView, ResourceView } from './live-table.js';

export interface Verdict {
  readonly name: string;
  readonly ok: boolean;
  /** What was seen, or what was still missing when patience ran out. */
  readonly detail: string;
  readonly seconds: number;
}

/** Something that should become true of the cluster; the text says what is missing while it is not. */
type Expectation = (view: ClusterView) => true | string;

/** How long one step may take, ms. The whole script has two minutes. */
const PATIENCE_MS = 25_000;
const POLL_MS = 200;

class Unfulfilled extends Error {}

async function waitFor(cluster: DemoCluster, what: string, expectation: Expectation, patienceMs = PATIENCE_MS): Promise<ClusterView> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const view = await cluster.view();
    const answer = expectation(view);
    if (answer === true) return view;
    if (Date.now() > deadline) throw new Unfulfilled(`${what}: not within ${patienceMs / 1000} s; ${answer}`);
    await sleep(POLL_MS);
  }
}

const resource = (view: ClusterView, id: string): ResourceView | undefined => view.resources.find((candidate) => candidate.id === id);
const activeOn = (view: ClusterView, id: string): readonly string[] => resource(view, id)?.activeOn ?? [];
const node = (view: ClusterView, name: string) => view.nodes.find((candidate) => candidate.name === name);

/** Everything runs on exactly one node that is online, nothing is going on. */
const healthy: Expectation = (view) => {
  const offline = view.nodes.filter((candidate) => !candidate.online || candidate.unclean).map(({ name }) => name);
  if (offline.length > 0) return `not online: ${offline.join(', ')}`;
  const wrong = view.resources.filter((candidate) => candidate.activeOn.length !== 1).map(({ id }) => id);
  if (wrong.length > 0) return `not active on exactly one node: ${wrong.join(', ')}`;
  return view.settled || `still busy: ${view.activity}`;
};

const runsOn =
  (id: string, name: string): Expectation =>
  (view) =>
    activeOn(view, id).join() === name || `${id} is active on ${activeOn(view, id).join(', ') || 'no node'}`;

const all =
  (...expectations: readonly Expectation[]): Expectation =>
  (view) =>
    expectations.map((expectation) => expectation(view)).find((answer) => answer !== true) ?? true;

type OperationData = Extract<DemoEvent['event'], { type: 'OperationRecorded' }>['data'];

const successfulStart = ({ operation, status, rc }: OperationData): boolean => operation === 'start' && status === 'done' && rc === 0;

async function settles(cluster: DemoCluster): Promise<string> {
  await waitFor(cluster, 'the cluster settles', all(healthy, runsOn('database', 'alpha')), 45_000);
  const view = await cluster.view();
  const [ip = 'none'] = activeOn(view, 'service-ip');
  const [web = 'none'] = activeOn(view, 'service-web');
  if (ip !== web) throw new Unfulfilled(`the group's members are apart: ${ip} and ${web}`);
  if (ip === 'alpha') throw new Unfulfilled('the service should keep away from the database');
  return `database on alpha, service on ${ip}`;
}

async function recoversFailedResource(cluster: DemoCluster): Promise<string> {
  const before = await cluster.version();
  await rm(cluster.node('alpha').stateFile('database'));
  await waitFor(
    cluster,
    'the failure is counted',
    (view) => resource(view, 'database')?.failCounts['alpha'] === '1' || 'no fail count 1 on alpha',
  );
  await waitFor(cluster, 'the database runs again', all(healthy, runsOn('database', 'alpha')));
  const restarts = (await cluster.operationsAfter(before)).filter((data) => data.resource === 'database' && successfulStart(data));
  if (restarts.length !== 1) throw new Unfulfilled(`started ${restarts.length} times instead of once`);
  await cluster.cleanUp('database');
  await waitFor(
    cluster,
    'cleanup forgets the failure',
    all(healthy, (view) => resource(view, 'database')?.failCounts['alpha'] === undefined || 'the fail count is still there'),
  );
  return 'failure noticed by the monitor, counted, restarted in place once, cleaned up';
}

async function standbyMovesResources(cluster: DemoCluster): Promise<string> {
  await cluster.setStandby('alpha', true);
  const away = await waitFor(
    cluster,
    'alpha is emptied',
    all(
      (view) => node(view, 'alpha')?.standby === true || 'alpha is not in standby',
      (view) => view.resources.every(({ activeOn: nodes }) => !nodes.includes('alpha')) || 'something is still active on alpha',
      healthy,
    ),
  );
  const [refuge = 'none'] = activeOn(away, 'database');
  await cluster.setStandby('alpha', false);
  await waitFor(cluster, 'the database returns to the node that it prefers', all(healthy, runsOn('database', 'alpha')));
  return `database moved to ${refuge} and returned`;
}

async function killedNodeIsFenced(cluster: DemoCluster): Promise<string> {
  const before = await cluster.version();
  cluster.node('alpha').kill();
  await waitFor(cluster, 'the database runs elsewhere', (view) => {
    const nodes = activeOn(view, 'database');
    return (nodes.length === 1 && nodes[0] !== 'alpha') || `database is active on ${nodes.join(', ') || 'no node'}`;
  });
  const events = await cluster.eventsAfter(before);
  const fenced = events.find(
    ({ event }) => event.type === 'FencingCompleted' && event.data.target === 'alpha' && event.data.outcome === 'succeeded',
  );
  if (fenced === undefined) throw new Unfulfilled('alpha was not fenced');
  const started = events.find(
    ({ event }) => event.type === 'OperationRecorded' && event.data.resource === 'database' && successfulStart(event.data),
  );
  if (started === undefined) throw new Unfulfilled('the database was not started again');
  if (started.version < fenced.version) throw new Unfulfilled('UNSAFE: the database was started before the lost node was fenced');
  await waitFor(cluster, 'alpha rejoins and the database returns', all(healthy, runsOn('database', 'alpha')), 40_000);
  const refuge = started.event.type === 'OperationRecorded' ? started.event.data.node : '';
  return `alpha lost, fenced, then database started on ${refuge}; alpha rejoined and the database returned`;
}

const STEPS: readonly { readonly name: string; readonly run: (cluster: DemoCluster) => Promise<string> }[] = [
  { name: 'the cluster starts everything where it belongs', run: settles },
  { name: 'a failed resource is recovered', run: recoversFailedResource },
  { name: 'standby empties a node, unstandby brings it back', run: standbyMovesResources },
  { name: 'a killed node is fenced before its resources start elsewhere', run: killedNodeIsFenced },
];

/**
 * Does what a person would try, and judges what comes of it. Stops at the first step that fails: the next ones build on it.
 *
 * @param report gets each verdict when it is reached
 */
export async function runScript(cluster: DemoCluster, report: (verdict: Verdict) => void): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const { name, run } of STEPS) {
    const begin = Date.now();
    const outcome = await run(cluster).then(
      (detail) => ({ ok: true, detail }),
      (error: unknown) => ({ ok: false, detail: error instanceof Error ? error.message : String(error) }),
    );
    const verdict = { name, ...outcome, seconds: (Date.now() - begin) / 1000 };
    verdicts.push(verdict);
    report(verdict);
    if (!verdict.ok) break;
  }
  return verdicts;
}

/** How many verdicts a passing run has. */
export const STEP_COUNT = STEPS.length;
