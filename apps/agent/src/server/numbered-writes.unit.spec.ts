import { expect, it } from 'vitest';
import { NumberedWrites, type NumberedWritesParts } from './numbered-writes.js';
import { ServerRefused, ServerUnavailable } from './server-connection.js';

const away = (): Promise<never> => Promise.reject(new ServerUnavailable('away'));
const refused = (type: string): Promise<never> => Promise.reject(new ServerRefused(409, `https://systole.dev/problems/${type}`, 'no'));
const once = <T>(attempt: () => Promise<T>): Promise<T> => attempt();
/** Asks again while the server is away, as whoever has patience. */
const again = async <T>(attempt: () => Promise<T>): Promise<T> => attempt().catch(() => attempt());

function numbered(parts: Partial<NumberedWritesParts> = {}): NumberedWrites {
  return new NumberedWrites({
    tell: () => Promise.resolve(),
    pause: () => Promise.resolve(),
    stop: new AbortController().signal,
    ...parts,
  });
}

it('bears the same number as long as everything is answered, whatever the answer is', async () => {
  const numbers: number[] = [];
  const writes = numbered();
  const send = (number: number): Promise<string> => {
    numbers.push(number);
    return Promise.resolve('written');
  };
  expect(await writes.send(once, send)).toBe('written');
  await expect(writes.send(once, () => refused('attributes-full'))).rejects.toThrow(ServerRefused);
  await writes.send(once, send);
  expect(numbers).toEqual([0, 0]);
});

it('bears a higher number when it is sent again, and after what was given up', async () => {
  const numbers: number[] = [];
  const writes = numbered();
  const send = (number: number): Promise<string> => {
    numbers.push(number);
    return numbers.length === 1 ? away() : Promise.resolve('written');
  };
  await writes.send(again, send);
  expect(numbers).toEqual([0, 1]);
  await expect(writes.send(once, away)).rejects.toThrow(ServerUnavailable);
  await writes.send(once, send);
  expect(numbers).toEqual([0, 1, 2]);
});

it('is sent anew when another request that was given up has overtaken it, for nothing of it was written', async () => {
  const numbers: number[] = [];
  const writes = numbered();
  let overtake = (): void => undefined;
  const waiting = new Promise<void>((resolve) => (overtake = resolve));
  const slow = writes.send(once, async (number) => {
    numbers.push(number);
    if (numbers.length > 1) return 'written';
    await waiting;
    return refused('write-overtaken');
  });
  await expect(writes.send(once, away)).rejects.toThrow(ServerUnavailable);
  overtake();
  expect(await slow).toBe('written');
  expect(numbers).toEqual([0, 1]);
});

it('does not go on for ever against a server that refuses each number', async () => {
  let asked = 0;
  const writes = numbered();
  const send = (): Promise<never> => {
    asked += 1;
    return refused('write-overtaken');
  };
  await expect(writes.send(once, send)).rejects.toThrow(ServerRefused);
  expect(asked).toBe(3);
});

it('is said to be given up until a server has heard it, also when nothing else is written', async () => {
  const told: string[] = [];
  let heard = (): void => undefined;
  const isHeard = new Promise<void>((resolve) => (heard = resolve));
  const writes = numbered({
    tell: (number) => {
      told.push(`tell ${String(number)}`);
      if (told.length < 5) return away();
      heard();
      return Promise.resolve();
    },
    pause: async () => {
      told.push('pause');
      // Meanwhile another one is given up.
      if (told.length === 2) await writes.send(once, away).catch(() => undefined);
    },
  });
  await expect(writes.send(once, away)).rejects.toThrow(ServerUnavailable);
  await isHeard;
  expect(told).toEqual(['tell 1', 'pause', 'tell 2', 'pause', 'tell 2']);
});

it('says nothing more when the servers refuse to hear it, or the agent ends', async () => {
  let told = 0;
  const refusing = numbered({
    tell: () => {
      told += 1;
      return refused('incarnation-superseded');
    },
    pause: () => Promise.reject(new Error('asked again')),
  });
  await expect(refusing.send(once, away)).rejects.toThrow(ServerUnavailable);
  const ending = numbered({ stop: AbortSignal.abort(), tell: () => Promise.reject(new Error('told')) });
  await expect(ending.send(once, away)).rejects.toThrow(ServerUnavailable);
  expect(told).toBe(1);
});
