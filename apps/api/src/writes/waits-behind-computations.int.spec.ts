import { afterAll, beforeAll, beforeEach, afterEach, expect, it } from 'vitest';
import { ComputingLanes } from '../computing/computing-lanes.js';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';
import { ENDLESS_CIB } from '../testing/endless-cib.js';
import { WorkerByHand } from '../testing/worker-by-hand.js';

let under: ApiUnderTest;
let worker: WorkerByHand;
const others = { client: new AbortController(), asked: Promise.resolve() };
const lane = (): ComputingLanes['status'] => under.api.app.get(ComputingLanes).status;

beforeAll(async () => {
  under = await apiUnderTest();
  worker = new WorkerByHand(under);
});
afterAll(async () => {
  await worker.close();
  await under.close();
});

/** The lane is taken by what nobody waits for in this test. */
beforeEach(async () => {
  others.client = new AbortController();
  const task = { kind: 'picture', cib: { format: 'xml', text: ENDLESS_CIB }, now: 1_800_000_000 } as const;
  others.asked = lane()
    .compute({ owner: 'other', gone: others.client.signal }, () => task)
    .then(
      () => undefined,
      () => undefined,
    );
  await expect.poll(() => lane().length).toBe(1);
});
afterEach(async () => {
  others.client.abort();
  await others.asked;
});

it('answers at its time though the status of another cluster is being computed; what it asked for is computed all the same, for whoever asks next', async () => {
  const id = await under.cluster('waiting', CIB);
  const start = performance.now();
  const late = await under.call('POST', `/v1/clusters/${id}/nodes/n1/commands/standby?wait=settled&timeout=1`);
  expect(performance.now() - start).toBeLessThan(5_000);
  expect(late).toMatchObject({
    status: 200,
    json: {
      version: 2,
      settled: {
        outcome: 'timed-out',
        notRunning: [],
        waitingFor: [expect.stringMatching(/^it is to be planned anew|^waiting for/)],
        unseen: 'the status of the cluster was not computed in time',
      },
    },
  });
  expect(lane().length).toBe(2);
}, 30_000);

it('says of a cluster that settled that it did, and that nobody could look how it is', async () => {
  const id = await under.cluster('settling', CIB);
  const waiting: Promise<Answer> = under.call('POST', `/v1/clusters/${id}/nodes/n1/commands/standby?wait=settled&timeout=3`);
  await expect.poll(async () => (await worker.states.load(id)).version).toBe(2);
  const number = await worker.plan(id);
  await worker.commands.execute(
    id,
    { type: 'complete-transition', result: { number, outcome: 'complete', completed: 1, skipped: 0, failed: 0 } },
    { actor: 'worker', correlationId: 'test' },
  );
  const { settled } = (await waiting).json as { readonly settled: object };
  expect(settled).toMatchObject({ outcome: 'settled', waitingFor: [], unseen: 'the status of the cluster was not computed in time' });
  expect(settled).not.toHaveProperty('troubles');
  expect(lane().length).toBe(2);
}, 30_000);
