import { describe, expect, it } from 'vitest';
import { LEAST_API_CONNECTIONS } from '@systole/settings';
import { DEFAULT_CONNECTIONS, sharesOf } from './database-connections.js';

describe('the connections of an api process', () => {
  it.each([
    [DEFAULT_CONNECTIONS, { front: 3, appends: 4, deliveries: 3, looks: 1, operators: 4 }],
    [LEAST_API_CONNECTIONS, { front: 2, appends: 2, deliveries: 1, looks: 1, operators: 2 }],
    [61, { front: 15, appends: 16, deliveries: 8, looks: 1, operators: 16 }],
  ])('%i in all, with those for the queue and for hearing, are shared so: %o', (connections, shares) => {
    expect(sharesOf(connections)).toEqual(shares);
  });
});
