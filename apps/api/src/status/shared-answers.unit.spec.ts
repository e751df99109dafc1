import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { initialState } from '@systole/cluster';
import { describe, expect, it } from 'vitest';
import type { ClusterAtVersion } from '../reads/cluster-history.js';
import { SharedAnswers, type Made } from './shared-answers.js';

/** A cluster whose log grows, and answers about it that are made when the test says so. */
class Asked {
  version = 1;
  now = 1_000;
  readonly made: number[] = [];
  readonly #ends: (() => void)[] = [];
  readonly answers: SharedAnswers<number>;

  constructor(freshForMs: (bytes: number) => number = () => 10_000) {
    this.answers = new SharedAnswers(() => Promise.resolve(this.#present()), freshForMs);
  }

  ask(what = 'all'): Promise<number> {
    return this.answers.of('c', what, (at) => this.#make(at)).then(({ value }) => value);
  }

  /** What is being made is ready; waits until that was noticed. */
  async end(): Promise<void> {
    this.#ends.shift()?.();
    await sleep(1);
  }

  #present(): ClusterAtVersion {
    return { state: { ...initialState(), version: this.version }, now: this.now };
  }

  async #make({ state: { version } }: ClusterAtVersion): Promise<Made<number>> {
    this.made.push(version);
    await new Promise<void>((resolve) => this.#ends.push(resolve));
    return { value: version, text: Buffer.from(`version ${String(version)}`) };
  }
}

describe('answers that several get', () => {
  it('are made once for all who ask meanwhile, and after that while they are fresh', async () => {
    const asked = new Asked();
    const both = [asked.ask(), asked.ask()];
    await sleep(1);
    await asked.end();
    expect(await Promise.all([...both, asked.ask()])).toEqual([1, 1, 1]);
    expect(asked.made).toEqual([1]);
  });

  it('are made anew for who asks when something has happened since', async () => {
    const asked = new Asked();
    const first = asked.ask();
    await sleep(1);
    await asked.end();
    asked.version = 2;
    const second = asked.ask();
    await sleep(1);
    await asked.end();
    expect([await first, await second]).toEqual([1, 2]);
  });

  it('never lack what had happened before somebody asked, and are made one at a time however fast that goes', async () => {
    const asked = new Asked();
    const answers = [asked.ask()];
    await sleep(1);
    for (asked.version = 2; asked.version <= 5; asked.version++) answers.push(asked.ask());
    await sleep(1);
    expect(asked.made).toEqual([1]);
    await asked.end();
    expect(asked.made).toEqual([1, 6]);
    await asked.end();
    expect(await Promise.all(answers)).toEqual([1, 6, 6, 6, 6]);
  });

  it('are made anew for another moment, and nobody waits for that', async () => {
    const asked = new Asked();
    void asked.ask();
    await sleep(1);
    await asked.end();
    asked.now += 5;
    expect(await Promise.all([asked.ask(), asked.ask()])).toEqual([1, 1]);
    expect(asked.made).toEqual([1, 1]);
    await asked.end();
    await asked.ask();
    expect(asked.made).toEqual([1, 1]);
  });

  it('are made anew when they are not fresh any more, and given meanwhile unless something happens', async () => {
    const asked = new Asked(() => 50);
    void asked.ask();
    await sleep(1);
    await asked.end();
    await sleep(60);
    expect(await asked.ask()).toBe(1);
    expect(asked.made).toEqual([1, 1]);
    asked.version = 2;
    const next = asked.ask();
    await sleep(1);
    expect(asked.made).toEqual([1, 1, 2]);
    await asked.end();
    await asked.end();
    expect(await next).toBe(2);
    expect(await asked.ask()).toBe(2);
    expect(asked.made).toEqual([1, 1, 2]);
  });

  it('are given to nobody who asks for something else', async () => {
    const asked = new Asked();
    void asked.ask('all');
    void asked.ask('a part');
    await sleep(1);
    expect(asked.made).toEqual([1, 1]);
    await asked.end();
    await asked.end();
  });

  it('are forgotten when they are not fresh any more', async () => {
    const asked = new Asked((bytes) => bytes);
    void asked.ask();
    await sleep(1);
    await asked.end();
    // "version 1" has nine bytes.
    await sleep(30);
    void asked.ask();
    await sleep(1);
    expect(asked.made).toEqual([1, 1]);
    await asked.end();
  });

  it('fail for all who wait for them, and for nobody after that', async () => {
    const asked = new Asked();
    let failures = 0;
    const failing = (): Promise<unknown> =>
      asked.answers.of('c', 'all', async () => {
        failures += 1;
        await sleep(1);
        throw new Error('broken');
      });
    const [one, other] = [failing(), failing()];
    await expect(one).rejects.toThrow('broken');
    await expect(other).rejects.toThrow('broken');
    expect(failures).toBe(1);
    const next = asked.ask();
    await sleep(1);
    await asked.end();
    expect(await next).toBe(1);
  });

  it('are compressed once', async () => {
    const asked = new Asked();
    const answering = asked.answers.of('c', 'all', () => Promise.resolve({ value: 1, text: Buffer.from('abc') }));
    const { compressed } = await answering;
    const [one, other] = await Promise.all([compressed(), compressed()]);
    expect(one).toBe(other);
    expect(gunzipSync(one).toString()).toBe('abc');
  });
});
