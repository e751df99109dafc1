import type { ClusterEvent } from '@systole/cluster';
import { startEmbeddedPostgres } from '@systole/embedded';
import { EventStore, type EventsOfOne, type NewEvent } from '@systole/event-store';
import { ClusterStates } from '@systole/read-models';
import { randomUUID } from 'node:crypto';
import pg from 'pg';

type OperationRecorded = Extract<ClusterEvent, { type: 'OperationRecorded' }>;
type Data = OperationRecorded['data'];

const META = { actor: 'agent:load', command: 'recordOperation' };
const BATCH = 500;
const STREAMS_AT_ONCE = 4;

/** How often a server that runs saves states. */
const SNAPSHOT_EVERY = 1_000;

/**
 * Lengthens the logs of clusters to so many events each: their resources fail and are recovered again and again, as their agents would have reported it. The server
 * is not to run meanwhile. Each recovery has a correlation id of its own.
 * @param dataDir of the server
 * @param folded whether the states are folded and saved meanwhile, as a server that runs would have done it
 */
export async function lengthenLogs(dataDir: string, clusters: readonly string[], eventsEach: number, folded = false): Promise<void> {
  const postgresql = await startEmbeddedPostgres({ dataDir, progress: () => undefined });
  const pool = new pg.Pool({ connectionString: postgresql.databaseUrl, max: STREAMS_AT_ONCE + 1 });
  const store = new EventStore<ClusterEvent>(pool);
  const states = folded ? new ClusterStates(store, { snapshotEvery: SNAPSHOT_EVERY }) : undefined;
  try {
    const left = clusters.values();
    const inTurn = Array.from({ length: STREAMS_AT_ONCE }, async () => {
      for (const cluster of left) await lengthen(store, states, cluster, eventsEach);
    });
    await Promise.all(inTurn);
  } finally {
    await store.close();
    await pool.end();
    await postgresql.stop();
  }
}

async function lengthen(
  store: EventStore<ClusterEvent>,
  states: ClusterStates | undefined,
  cluster: string,
  events: number,
): Promise<void> {
  const present = await store.readStream(cluster);
  const recorded = present.flatMap((event) => (event.type === 'OperationRecorded' ? [event.data] : []));
  const monitors = recorded.filter(({ operation, intervalMs }) => operation === 'monitor' && intervalMs > 0);
  if (monitors.length === 0) throw new Error(`nothing is monitored in ${cluster}`);
  const recoveries = Math.ceil((events - present.length) / STEPS.length);
  let parts: EventsOfOne<ClusterEvent>[] = [];
  for (let turn = 0; turn < recoveries; turn++) {
    const monitor = monitors[turn % monitors.length];
    if (monitor !== undefined) {
      const events = STEPS.map((step, index) => eventOf(monitor, step, turn * STEPS.length + index));
      parts.push({ events, meta: { ...META, correlationId: randomUUID() } });
    }
    if (parts.length < BATCH / STEPS.length && turn < recoveries - 1) continue;
    await store.appendParts(cluster, 'any', parts);
    await states?.load(cluster);
    parts = [];
  }
}

/** What is reported when a resource fails and is recovered where it ran. */
const STEPS: readonly Pick<Data, 'operation' | 'rc'>[] = [
  { operation: 'monitor', rc: 7 },
  { operation: 'stop', rc: 0 },
  { operation: 'start', rc: 0 },
  { operation: 'monitor', rc: 0 },
];

function eventOf(monitor: Data, { operation, rc }: Pick<Data, 'operation' | 'rc'>, number: number): NewEvent<ClusterEvent> {
  const { resultId = '', callId, lastRcChange, intervalMs } = monitor;
  const data: Data = {
    ...monitor,
    operation,
    rc,
    intervalMs: operation === 'monitor' ? intervalMs : 0,
    resultId: `${resultId}-${number}`,
    callId: callId + number + 1,
    lastRcChange: lastRcChange + Math.floor(number / STEPS.length),
  };
  return { type: 'OperationRecorded', subjects: [data.resource, data.node], data };
}
