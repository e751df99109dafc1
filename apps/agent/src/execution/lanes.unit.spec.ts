import { describe, expect, it } from 'vitest';
import { Lanes } from './lanes.js';

/** Tasks that end when they are told. */
class Tasks {
  readonly log: string[] = [];
  private readonly ends = new Map<string, () => void>();

  task(name: string): () => Promise<void> {
    return () => {
      this.log.push(`begin ${name}`);
      return new Promise((resolve) => {
        this.ends.set(name, () => {
          this.log.push(`end ${name}`);
          resolve();
        });
      });
    };
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('lanes', () => {
  it('run the tasks of one lane one after the other', async () => {
    const tasks = new Tasks();
    const lanes = new Lanes(4);
    lanes.add('a', tasks.task('1'));
    lanes.add('a', tasks.task('2'));
    expect(tasks.log).toEqual(['begin 1']);
    await tasks.end('1');
    expect(tasks.log).toEqual(['begin 1', 'end 1', 'begin 2']);
  });

  it('run different lanes side by side, up to the limit', async () => {
    const tasks = new Tasks();
    const lanes = new Lanes(2);
    for (const lane of ['a', 'b', 'c']) lanes.add(lane, tasks.task(lane));
    expect(tasks.log).toEqual(['begin a', 'begin b']);
    await tasks.end('b');
    expect(tasks.log.at(-1)).toBe('begin c');
  });

  it('forget what has not begun', async () => {
    const tasks = new Tasks();
    const lanes = new Lanes(2);
    lanes.add('a', tasks.task('1'));
    lanes.add('a', tasks.task('2'));
    lanes.clear();
    await tasks.end('1');
    expect(tasks.log).toEqual(['begin 1', 'end 1']);
  });

  it('tell when they are idle', async () => {
    const tasks = new Tasks();
    const lanes = new Lanes(2);
    await lanes.idle();
    await lanes.idleOf('a');
    lanes.add('a', tasks.task('1'));
    let idle = false;
    void Promise.all([lanes.idle(), lanes.idleOf('a')]).then(() => (idle = true));
    await tasks.end('none');
    expect(idle).toBe(false);
    await tasks.end('1');
    expect(idle).toBe(true);
  });
});
