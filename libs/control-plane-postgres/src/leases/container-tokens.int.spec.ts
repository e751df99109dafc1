import { randomUUID } from 'node:crypto';
import { AccessTokens } from '@systole/access';
import type { ClusterCommand, ClusterEvent, ReportedResult } from '@systole/cluster';
import { EventStore } from '@systole/event-store';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { ClusterStates } from '@systole/read-models';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { postgresPorts } from '../postgres-ports.js';

let database: ScratchDatabase;

beforeAll(async () => {
  database = await createScratchDatabase();
});
afterAll(() => database.drop());

const STOPPED: ReportedResult = {
  ...{ resultId: 'r', actionId: 'a', transitionKey: '1:1:0:none', operation: 'stop', intervalMs: 0, status: 'done', rc: 0, callId: 1 },
  resource: { id: 'db-podman-0', historyId: 'db-podman-0', class: 'ocf', provider: 'heartbeat', type: 'podman' },
  ...{ startedAt: 1, execMs: 1, queueMs: 0, recurring: false },
};

it('The token of the agent in a container ends with the event that says that the container was stopped or does not run, and the audit has it', async () => {
  const store = new EventStore<ClusterEvent>(database.pool);
  const ports = postgresPorts(database.pool, store, new ClusterStates(store), { by: 'test', report: { warn: () => undefined } });
  const commands = ports.commands();
  const id = randomUUID();
  const tokens = new AccessTokens(database.pool);
  const does = async (...all: readonly ClusterCommand[]): Promise<void> => {
    for (const command of all) {
      const result = await commands.execute(id, command, { actor: 'agent:alpha', correlationId: 'the-stop' });
      if (!result.ok) throw new Error(result.rejection.message);
    }
  };
  await does({ type: 'create-cluster', name: id }, { type: 'join-node', node: 'alpha', agentVersion: '1', leaseMs: 10_000 });
  const made = async (node: string): Promise<string> =>
    (
      await tokens.createInContainer(
        { role: 'agent', clusterId: id, node, container: { host: 'alpha', resource: `db-podman-${node.slice(-1)}` } },
        node,
        { actor: 'agent:alpha' },
      )
    ).secret;
  const [stopped, other] = [await made('db-0'), await made('db-1')];
  // The configuration has the bundle no more: that the node was handed the stop is what counts.
  await does({ type: 'record-results', node: 'alpha', incarnation: 1, results: [STOPPED], handedOut: new Set(['a']) });
  expect(await tokens.find(stopped)).toBeUndefined();
  expect(await tokens.find(other)).toMatchObject({ node: 'db-1' });
  // Its host has stopped the other one by itself, as it had lost its lease: it finds that out when it is there again, and nobody tells it to stop what does not run.
  const probed: ReportedResult = {
    ...{ ...STOPPED, resultId: 'p', actionId: 'p', operation: 'monitor', rc: 7 },
    resource: { ...STOPPED.resource, id: 'db-podman-1', historyId: 'db-podman-1' },
  };
  await does(
    { type: 'lose-lease', node: 'alpha', incarnation: 1, expiredAt: new Date().toISOString() },
    { type: 'join-node', node: 'alpha', agentVersion: '1', leaseMs: 10_000 },
  );
  expect(await tokens.find(other), 'nothing is known yet').toBeDefined();
  await does({ type: 'record-results', node: 'alpha', incarnation: 2, results: [probed], handedOut: new Set(['p']) });
  expect(await tokens.find(other)).toBeUndefined();
  const { rows } = await database.pool.query(
    `SELECT actor, data->>'reason' AS reason FROM events WHERE type = 'TokenWithdrawn' AND correlation_id = 'the-stop'`,
  );
  expect(rows).toEqual(Array(2).fill({ actor: 'agent:alpha', reason: 'the container on alpha has ended' }));
  await store.close();
});
