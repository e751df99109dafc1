import type { AttributeChange } from '@systole/protocol';
import { describe, expect, it } from 'vitest';
import { AttributeWrites } from './attribute-writes.js';

const change = (name: string, add?: number): AttributeChange => ({
  name,
  value: '1',
  lifetime: 'reboot',
  ...(add === undefined ? {} : { add }),
});

class Refused extends Error {}

/** A server that answers when it is told to. */
class Server {
  readonly requests: (readonly string[])[] = [];
  private readonly answers: (() => void)[] = [];
  refuses = '';

  readonly send = async (changes: readonly AttributeChange[]): Promise<void> => {
    const names = changes.map(({ name }) => name);
    this.requests.push(names);
    await new Promise<void>((resolve) => this.answers.push(resolve));
    if (names.includes(this.refuses)) throw new Refused(`${this.refuses} is refused`);
  };

  async answer(): Promise<void> {
    this.answers.shift()?.();
    for (let tick = 0; tick < 10; tick += 1) await Promise.resolve();
  }
}

const writes = (server: Server): AttributeWrites => new AttributeWrites(server.send, (error) => error instanceof Refused);

describe('changes of attributes', () => {
  it('that are asked for while a request is under way go together in the next one, in their order', async () => {
    const server = new Server();
    const to = writes(server);
    const all = ['a', 'b', 'c', 'a'].map((name) => to.write([change(name)], 1_000));
    await server.answer();
    await server.answer();
    await Promise.all(all);
    expect(server.requests).toEqual([['a'], ['b', 'c', 'a']]);
  });

  it('of which one is refused are written all but that, and only who asked for it is told', async () => {
    const server = new Server();
    server.refuses = 'b';
    const to = writes(server);
    const outcomes = Promise.allSettled(['a', 'b', 'c'].map((name) => to.write([change(name)], 1_000)));
    for (let request = 0; request < 4; request += 1) await server.answer();
    expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(server.requests).toEqual([['a'], ['b', 'c'], ['b'], ['c']]);
  });

  it('that count up go by themselves', async () => {
    const server = new Server();
    const to = writes(server);
    const all = [
      to.write([change('a')], 1_000),
      to.write([change('b')], 1_000),
      to.write([change('n', 1)], 1_000),
      to.write([change('c')], 1_000),
    ];
    for (let request = 0; request < 4; request += 1) await server.answer();
    await Promise.all(all);
    expect(server.requests).toEqual([['a'], ['b'], ['n'], ['c']]);
  });

  it('are no more in one request than the server takes', async () => {
    const server = new Server();
    const to = writes(server);
    const all = Array.from({ length: 1_202 }, (_, index) => to.write([change(`x${String(index)}`)], 1_000));
    for (let request = 0; request < 3; request += 1) await server.answer();
    await Promise.all(all);
    expect(server.requests.map(({ length }) => length)).toEqual([1, 1_000, 201]);
  });
});
