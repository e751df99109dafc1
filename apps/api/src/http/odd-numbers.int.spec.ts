import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type ApiUnderTest } from '../testing/api-under-test.js';
import { WorkerByHand } from '../testing/worker-by-hand.js';

/** Around the ends of what the database's types and JavaScript's numbers hold. */
const NUMBERS = [
  ...['2147483646', '2147483647', '2147483648', '4294967296', '999999999', '999999999999999', '9007199254740991', '9007199254740993'],
  ...['9223372036854775807', '9223372036854775808', '9'.repeat(400), '1e400', '-1', '-9223372036854775809', '0', '00', '1.5', 'NaN', '%00'],
];

describe('a number that is beyond what there can be', () => {
  let under: ApiUnderTest;
  let worker: WorkerByHand;
  let cluster: string;
  beforeAll(async () => {
    under = await apiUnderTest();
    worker = new WorkerByHand(under);
    cluster = `/v1/clusters/${await under.cluster('planned', CIB)}`;
    await worker.plan(cluster.slice('/v1/clusters/'.length));
  });
  afterAll(async () => {
    await worker.close();
    await under.close();
  });

  it.each([
    ['a page of transitions', (number: string) => `${cluster}/transitions?cursor=${number}`],
    ['a page of transitions (limit)', (number: string) => `${cluster}/transitions?limit=${number}`],
    ['a transition', (number: string) => `${cluster}/transitions/${number}`],
    ['a graph', (number: string) => `${cluster}/transitions/${number}/dot`],
    ['a replay', (number: string) => `${cluster}/transitions/${number}/replay`],
    ['an explanation of a transition', (number: string) => `${cluster}/transitions/${number}/explanation`],
    ['an explanation', (number: string) => `${cluster}/explanation?version=${number}`],
    ['a page of events', (number: string) => `${cluster}/events?cursor=${number}`],
    ['a page of events (limit)', (number: string) => `${cluster}/events?limit=${number}`],
    ['an event', (number: string) => `${cluster}/events/${number}`],
    ['the status', (number: string) => `${cluster}/status?version=${number}`],
    ['the nodes', (number: string) => `${cluster}/nodes?version=${number}`],
    ['the configuration', (number: string) => `${cluster}/cib?version=${number}`],
    ['a page of clusters', (number: string) => `/v1/clusters?cursor=${number}`],
    ['a page of tokens', (number: string) => `/v1/tokens?cursor=${number}`],
    ['a token', (number: string) => `/v1/tokens/${number}`],
  ])('names nothing: %s', async (_, path) => {
    const answers: (readonly [string, number])[] = [];
    for (const number of NUMBERS) answers.push([number, (await under.call('GET', path(number))).status]);
    expect(answers.filter(([, status]) => status >= 500)).toEqual([]);
  });
});
