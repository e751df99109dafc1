import { describe, expect, it } from 'vitest';
import { KnownClusters, type KnownCluster } from './known-clusters.js';

describe('the clusters that are known', () => {
  it('are read once for many, again for one that is new, and now and then', async () => {
    let [now, reads] = [0, 0];
    const all: KnownCluster[] = [{ id: 'a', name: 'first', deleted: false }];
    const catalog = {
      everything: () => {
        reads += 1;
        return Promise.resolve([...all]);
      },
    };
    const clusters = new KnownClusters(catalog, () => now);
    const found = await Promise.all(['a', 'a', 'a'].map((id) => clusters.find(id)));
    expect([found.map((one) => one?.name), reads]).toEqual([['first', 'first', 'first'], 1]);
    all.push({ id: 'b', name: 'second', deleted: false });
    expect([(await clusters.find('b'))?.name, reads]).toEqual(['second', 2]);
    // What is no cluster is not looked for each time.
    for (let time = 0; time < 3; time++) expect(await clusters.find('x')).toBeUndefined();
    expect(reads).toBe(3);
    now = 5_001;
    all[0] = { id: 'a', name: 'first', deleted: true };
    expect([(await clusters.find('a'))?.deleted, reads]).toEqual([true, 4]);
  });
});
