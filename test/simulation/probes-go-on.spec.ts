import type { ClusterEvent } from '@systole/cluster';
import { MemoryDatabase, MemoryFigures } from '@systole/control-plane/memory';
import { PROTOCOL, type AgentAction } from '@systole/protocol';
import { describe, expect, it } from 'vitest';
import { MachineClock, Process } from './process.js';
import { SimulatedQueue } from './queue.js';
import { Random } from './random.js';
import { ApiProcess, workerIn, type Ground } from './server.js';
import { VirtualTime } from './virtual-time.js';

const CLUSTER = 'c';
const NODES = ['n1', 'n2', 'n3', 'n4'];
const RESOURCES = Array.from({ length: 50 }, (_, index) => `r${String(index)}`);
const OCF_ERR_GENERIC = 1;
const OCF_NOT_RUNNING = 7;

function cibWith(options: string, more = ''): string {
  const nodes = NODES.map((name, index) => `<node id="${String(index + 1)}" uname="${name}"/>`).join('');
  const resources = RESOURCES.map((id) => `<primitive id="${id}" class="ocf" provider="systole" type="Dummy"/>`).join('');
  return (
    '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration>' +
    `<crm_config><cluster_property_set id="o">${options}</cluster_property_set></crm_config>` +
    `<nodes>${nodes}</nodes><resources>${resources}${more}</resources><constraints/>` +
    '<rsc_defaults><meta_attributes id="d"><nvpair id="d1" name="resource-stickiness" value="1"/></meta_attributes></rsc_defaults></configuration><status/></cib>'
  );
}

function option(name: string, value: string): string {
  return `<nvpair id="o-${name}" name="${name}" value="${value}"/>`;
}

const NO_FENCING = option('stonith-enabled', 'false');

/** Where a resource runs already when its cluster is made. */
function runsOn(resource: string): string {
  return NODES[RESOURCES.indexOf(resource) % NODES.length] ?? '';
}

type Happened = ReturnType<MemoryDatabase['eventsOf']>[number];

interface Behaviour {
  /** In the configuration's options. */
  readonly options?: string;
  /** In its resources. */
  readonly more?: string;
  /** A node that never joins. */
  readonly lost?: string;
  readonly takesMs: (resource: string, node: string) => number;
  /** What a probe comes to; default: what runs is found. */
  readonly finds?: (resource: string, node: string) => number | undefined;
  /** A node that is gone as soon as it was given something to do. */
  readonly dies?: string;
  /** Of what chance decides. */
  readonly seed?: number;
  /** For how long it is watched, ms. */
  readonly forMs?: number;
  /** Counts what the worker does. */
  readonly figures?: MemoryFigures;
}

/** A cluster that is made where everything runs already: what its log holds when nothing more happens. */
async function takenOver({
  options = NO_FENCING,
  more,
  lost,
  dies,
  takesMs,
  finds = () => undefined,
  seed = 7,
  forMs = 120_000,
  figures = new MemoryFigures(),
}: Behaviour): Promise<readonly Happened[]> {
  const time = new VirtualTime();
  const random = new Random(seed);
  const database = new MemoryDatabase(new MachineClock(time));
  const report = { info: () => undefined, warn: () => undefined };
  const ground: Ground = { database, random, queue: new SimulatedQueue(time, random), report, figures };
  const spawn = (): Process => new Process(time, random, new MachineClock(time));
  const api = new ApiProcess(spawn(), ground);
  const process = spawn();
  const worker = workerIn(process, ground);
  ground.queue.consumers = [{ process, worker }];
  database.onAppended = (clusterId) => {
    worker.want(clusterId);
  };
  void api.start();
  worker.start();
  void api.operate(CLUSTER, { type: 'create-cluster', name: CLUSTER, cib: cibWith(options, more) });
  await time.runUntil(1_000);

  const serve = async (node: string): Promise<void> => {
    const caller = { clusterId: CLUSTER, node, tokenId: node, actor: `agent:${node}` };
    const joined = await api.sessions.join(caller, { protocol: PROTOCOL, agentVersion: '1', bootId: node }, 'test');
    if (!joined.ok) throw new Error(joined.rejection.message);
    const { incarnation } = joined.answer;
    const known = new Set<string>();
    const execute = ({ actionId, transitionKey, resource, operation, intervalMs, digests, fence }: AgentAction): void => {
      const callId = known.add(actionId).size;
      const found = runsOn(resource.id) === node ? 0 : OCF_NOT_RUNNING;
      const rc = operation === 'monitor' ? (finds(resource.id, node) ?? found) : fence === undefined ? 0 : OCF_ERR_GENERIC;
      time.after(takesMs(resource.id, node), () => {
        const outcome = { status: 'done', rc, callId, startedAt: 1, execMs: 1, queueMs: 0, recurring: false } as const;
        const result = {
          ...outcome,
          resultId: actionId,
          actionId,
          transitionKey,
          resource,
          operation,
          intervalMs,
          ...(digests && { digests }),
          ...(fence && { fence }),
        };
        void api.sessions.results(caller, { incarnation, results: [result] }, 'test');
      });
    };
    for (let seq = 1; ; seq++) {
      const request = { incarnation, waitMs: 5_000, seq, known: [...known], active: [], watchdog: false };
      const polled = await api.sessions.poll(caller, request, [], 'test');
      if (node === dies && polled.ok && polled.answer.actions.length > 0) return;
      if (polled.ok) polled.answer.actions.forEach(execute);
    }
  };
  for (const node of NODES.filter((name) => name !== lost)) void serve(node);
  await time.runUntil(forMs);
  return database.eventsOf(CLUSTER);
}

type Data<T extends ClusterEvent['type']> = Extract<ClusterEvent, { readonly type: T }>['data'] & { readonly atMs: number };

function of<T extends ClusterEvent['type']>(events: readonly Happened[], type: T): readonly Data<T>[] {
  return events.flatMap(({ event, occurredAt }) =>
    event.type === type ? [{ ...event.data, atMs: Date.parse(occurredAt) } as Data<T>] : [],
  );
}

describe('a cluster that is made where everything runs already', () => {
  it('finds all of it in one transition, and has two plans instead of one for every few that are found', async () => {
    // All are done well within the 10 s for which what was found waits for the others.
    const events = await takenOver({ takesMs: () => 50 });
    expect(of(events, 'TransitionPlanned')).toHaveLength(2);
    expect(of(events, 'OperationRecorded').filter(({ operation }) => operation === 'monitor')).toHaveLength(
      NODES.length * RESOURCES.length,
    );
    expect(of(events, 'OperationRecorded').filter(({ operation }) => operation !== 'monitor')).toEqual([]);
  });

  it('is told of in numbers that add up: what was handed out was answered, taken back or given up', async () => {
    const figures = new MemoryFigures();
    const finds = (resource: string, node: string): number | undefined => (resource === 'r9' && runsOn(resource) === node ? 1 : undefined);
    const events = await takenOver({ options: NO_FENCING + option('batch-limit', '8'), takesMs: () => 500, finds, figures });
    const { handedOut, takenBack, expected, unexpected, givenUp } = figures.actions;
    expect(expected + unexpected + takenBack + givenUp).toBe(handedOut);
    const recorded = of(events, 'OperationRecorded');
    expect([expected + unexpected, givenUp]).toEqual([recorded.length, 0]);
    // What is found to run was not expected, either.
    const foundTo = recorded.filter(({ transitionKey, rc }) => Number(transitionKey.split(':')[2]) !== rc).length;
    expect(unexpected).toBe(foundTo);
    expect(figures.plans).toHaveLength(of(events, 'TransitionPlanned').length);
    const ended = of(events, 'TransitionCompleted').map(({ outcome }) => outcome);
    expect(figures.transitions).toEqual({
      complete: ended.filter((outcome) => outcome === 'complete').length,
      aborted: ended.filter((outcome) => outcome === 'aborted').length,
    });
  });

  it('is told of as given up where no answer comes in time, and not as answered', async () => {
    const figures = new MemoryFigures();
    const takesMs = (resource: string, node: string): number => (resource === 'r3' && node === 'n1' ? 3_600_000 : 100);
    // Its 80 s are counted only while agents could surely report, and the machines' clocks and ways have their whims.
    const events = await takenOver({ takesMs, figures, forMs: 300_000 });
    const recorded = of(events, 'OperationRecorded');
    const timeouts = recorded.filter(({ status }) => status === 'timeout').length;
    expect(timeouts).toBeGreaterThan(0);
    expect(figures.actions.givenUp).toBe(timeouts);
    expect(figures.actions.expected + figures.actions.unexpected).toBe(recorded.length - timeouts);
  });

  it('is told of as given up where a node was lost with what it was given', async () => {
    const figures = new MemoryFigures();
    const events = await takenOver({ takesMs: () => 100, dies: 'n1', figures });
    expect(of(events, 'NodeLeaseLost').map(({ node }) => node)).toEqual(['n1']);
    const { handedOut, takenBack, expected, unexpected, givenUp } = figures.actions;
    expect(givenUp).toBeGreaterThan(0);
    expect(expected + unexpected + takenBack + givenUp).toBe(handedOut);
    expect(expected + unexpected).toBe(of(events, 'OperationRecorded').length);
  });

  it('recovers what has failed at once, whatever else is to be looked for', async () => {
    const finds = (resource: string, node: string): number | undefined => (resource === 'r9' && runsOn(resource) === node ? 1 : undefined);
    const delays: number[] = [];
    for (const seed of [1, 3, 4, 5, 7]) {
      const events = await takenOver({ options: NO_FENCING + option('batch-limit', '8'), takesMs: () => 500, finds, seed });
      const failed = of(events, 'OperationRecorded').find(({ rc }) => rc === 1)?.atMs ?? 0;
      const next = of(events, 'TransitionPlanned').find(({ atMs }) => atMs > failed);
      expect(next?.trigger).toContain('monitor of r');
      delays.push((next?.atMs ?? Number.POSITIVE_INFINITY) - failed);
    }
    // What is under way when it fails takes half a second more, and up to a second and a half on its ways.
    const [, , median, , longest] = delays.toSorted((a, b) => a - b);
    expect(median).toBeLessThan(1_500);
    expect(longest).toBeLessThan(3_000);
  });

  it('lets what it has found wait for the other probes for some seconds, not until the last of them has been answered', async () => {
    const events = await takenOver({ options: NO_FENCING + option('batch-limit', '8'), takesMs: () => 1_000 });
    const found = of(events, 'OperationRecorded').find(({ rc }) => rc === 0)?.atMs ?? 0;
    const [, second] = of(events, 'TransitionPlanned');
    expect((second?.atMs ?? 0) - found).toBeGreaterThan(9_000);
    expect((second?.atMs ?? 0) - found).toBeLessThan(13_000);
    expect(of(events, 'TransitionAborted').map(({ reason }) => reason)).toContain('what was found waits for the other probes no longer');
  });

  it('tries at once again to fence a node when that has failed, before it looks for anything else', async () => {
    const device = '<primitive id="f" class="stonith" type="fence_simulated"/>';
    const lost = 'n4';
    // Runs in which the servers were not away for a moment meanwhile: n4 would be waited for then, for a reason of its own.
    for (const seed of [2, 3, 4, 6]) {
      const events = await takenOver({ options: option('batch-limit', '8'), more: device, lost, takesMs: () => 700, seed });
      const failed = of(events, 'FencingCompleted')[0]?.atMs ?? Number.NaN;
      const next = of(events, 'TransitionPlanned').find(({ atMs }) => atMs > failed);
      expect(of(events, 'TransitionAborted').map(({ reason }) => reason)).toContain(`${lost} is to be fenced`);
      // What is under way then is waited for, with its ways; the other probes would take ten seconds.
      expect((next?.atMs ?? Number.NaN) - failed).toBeLessThan(3_500);
    }
  });
});
