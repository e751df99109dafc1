import type { ClusterEvent } from '@systole/cluster';
import { describePorts, type PortsUnderTest } from '@systole/control-plane/testing';
import { EventStore, limitedPool } from '@systole/event-store';
import { createScratchDatabase } from '@systole/event-store/testing';
import { ClusterStates } from '@systole/read-models';
import { unansweredPool, type NextCommit } from './testing/unanswered-pool.js';
import { PostgresClaims } from './claims/postgres-claims.js';
import { openInstallation } from './installation/installation.js';
import { PostgresDispatchSignals } from './dispatches/dispatch-signals.js';
import { postgresPorts } from './postgres-ports.js';

async function start(pipeline: boolean): Promise<PortsUnderTest> {
  const database = await createScratchDatabase();
  const connections = limitedPool({ databaseUrl: database.url, applicationName: 'test', pipeline });
  const next: NextCommit = { fate: 'answered' };
  const pool = unansweredPool(connections, next);
  const closing: (() => Promise<void>)[] = [];
  return {
    open: async () => {
      const store = new EventStore<ClusterEvent>(pool);
      const claims = new PostgresClaims(database.url);
      const { seals } = await openInstallation(database.pool);
      const signals = await PostgresDispatchSignals.open(database.pool);
      closing.push(
        () => store.close(),
        () => claims.close(),
        () => signals.close(),
      );
      return {
        ...postgresPorts(pool, store, new ClusterStates(store), { by: 'test', report: { warn: () => undefined } }),
        claims,
        signals,
        seals,
      };
    },
    nextCommit: (fate) => {
      next.fate = fate;
    },
    loseTail: async (clusterId, lastVersion) => {
      const client = await database.pool.connect();
      try {
        // What the database refuses, a restored copy does all the same.
        await client.query('BEGIN; ALTER TABLE events DISABLE TRIGGER USER');
        await client.query('DELETE FROM events WHERE stream_id = $1 AND version > $2', [clusterId, lastVersion]);
        for (const trigger of ['events_refuse_change', 'events_refuse_row_change']) {
          await client.query(`ALTER TABLE events ENABLE ALWAYS TRIGGER ${trigger}`);
        }
        await client.query('COMMIT');
      } finally {
        client.release();
      }
    },
    close: async () => {
      for (const close of closing) await close();
      await connections.end();
      await database.drop();
    },
  };
}

describePorts('on PostgreSQL', () => start(false));
describePorts('on PostgreSQL, over connections that pipeline', () => start(true));
