import { describe, expect, it } from 'vitest';
import { AppendFeed } from './append-feed.js';

describe('the feed of appends', () => {
  it('reports no version of a stream twice, and remembers that of no more than 100,000 streams', async () => {
    const feed = new AppendFeed({ host: '127.0.0.1', port: 1 }, 1_000);
    const told: string[] = [];
    feed.listen({
      appended: (streamId, version) => {
        if (!streamId.startsWith('other')) told.push(`${streamId} ${String(version)}`);
      },
    });
    feed.report('old', 5);
    feed.report('busy', 1);
    feed.report('old', 5);
    for (let index = 0; index < 99_999; index++) feed.report(`other-${String(index)}`, 1);
    feed.report('busy', 2);
    feed.report('other-one-more', 1);
    feed.report('busy', 2);
    expect(told).toEqual(['old 5', 'busy 1', 'busy 2']);
    feed.report('old', 5);
    expect(told.at(-1)).toBe('old 5');
    await feed.close();
  });
});
