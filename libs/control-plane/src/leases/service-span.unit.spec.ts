import { BEAT_MS, LONGEST_SILENCE_MS } from '../ports/heartbeats.js';
import { describe, expect, it } from 'vitest';
import { ServiceSpan, type ServedSpan } from './service-span.js';

const LOOK_MS = 500;

/** Apis whose counters go on as long as they are up, and a look at them each LOOK_MS. */
class Apis {
  now = 100_000;
  private readonly counters = new Map<string, number>();
  private readonly up = new Set<string>();
  private readonly service = new ServiceSpan(LOOK_MS);
  private span: ServedSpan | undefined;

  start(...names: readonly string[]): this {
    for (const name of names) {
      this.up.add(name);
      this.counters.set(name, this.counters.get(name) ?? 0);
    }
    return this;
  }

  /** It beats no more; its row stays for a while. */
  stop(name: string): this {
    this.up.delete(name);
    return this;
  }

  /** Its row is cleared away. */
  forget(name: string): this {
    this.counters.delete(name);
    return this;
  }

  pass(ms: number): ServedSpan | undefined {
    for (let passed = 0; passed < ms; passed += LOOK_MS) {
      this.now += LOOK_MS;
      for (const name of this.up) this.counters.set(name, (this.counters.get(name) ?? 0) + LOOK_MS / BEAT_MS);
      const beats = [...this.counters].map(([apiId, count]) => ({ apiId, beats: Math.floor(count) }));
      this.span = this.service.see(beats, { asked: this.now, answered: this.now + 1 });
    }
    return this.span;
  }
}

/** What goes on can be told up to the look before the last beat. */
const LATELY_MS = BEAT_MS + 2 * LOOK_MS;

describe('the time in which leases could be renewed', () => {
  it('goes on with apis taking over from one another in turn', () => {
    const apis = new Apis().start('a');
    const first = apis.pass(20 * BEAT_MS);
    expect(first).toBeDefined();
    for (const [old, next] of [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'd'],
    ] as const) {
      apis.start(next).pass(2 * BEAT_MS);
      const span = apis.stop(old).pass(LONGEST_SILENCE_MS * 3);
      expect(span?.since).toBe(first?.since);
      expect(span?.until).toBeGreaterThanOrEqual(apis.now - LATELY_MS);
      apis.forget(old);
    }
  });

  it('goes on where the next one begins a moment after the one before has gone', () => {
    const apis = new Apis().start('a');
    const first = apis.pass(20 * BEAT_MS);
    apis.stop('a').pass(BEAT_MS);
    const span = apis.start('b').pass(5 * BEAT_MS);
    expect(span?.since).toBe(first?.since);
    expect(span?.until).toBeGreaterThanOrEqual(apis.now - LATELY_MS);
  });

  it('begins anew after a silence of all', () => {
    const apis = new Apis().start('a', 'b');
    apis.pass(20 * BEAT_MS);
    apis.stop('a').stop('b');
    expect(apis.pass(LONGEST_SILENCE_MS + LATELY_MS)).toBeUndefined();
    const back = apis.now;
    expect(apis.start('b').pass(10 * BEAT_MS)?.since).toBeGreaterThanOrEqual(back);
  });

  it('is not known from one look alone, nor from a counter that stands still', () => {
    expect(new Apis().start('a').pass(LOOK_MS)).toBeUndefined();
    const silent = new Apis().start('a').stop('a');
    expect(silent.pass(20 * BEAT_MS)).toBeUndefined();
  });
});
