import { describe, expect, it } from 'vitest';
import { DEFAULT_CONNECTIONS, LEAST_CONNECTIONS, sharesOf } from './database-connections.js';

describe('the connections of an api process', () => {
  it.each([
    [DEFAULT_CONNECTIONS, { front: 6, deliveries: 3, operators: 4 }],
    [LEAST_CONNECTIONS, { front: 3, deliveries: 1, operators: 2 }],
    [61, { front: 29, deliveries: 8, operators: 19 }],
  ])('%i in all, with those for the queue and for hearing, are shared so: %o', (connections, shares) => {
    expect(sharesOf(connections)).toEqual(shares);
  });
});
