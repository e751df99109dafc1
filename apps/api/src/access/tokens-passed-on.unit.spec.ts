import type { Socket } from 'node:net';
import type { Request, Response } from 'express';
import { expect, it } from 'vitest';
import { tokensPassedOn, type Doorkeeping } from './authentication.js';

it('tokens of what is passed on are looked for of a few connections at a time, and once of each', async () => {
  const known = new Set<unknown>();
  const waiting: (() => void)[] = [];
  const doorkeeping = {
    users: undefined,
    connections: { isKnown: (socket: Socket) => known.has(socket), noteToken: (socket: Socket) => known.add(socket) },
    tokens: {
      find: () =>
        new Promise((resolve) =>
          waiting.push(() => {
            resolve(undefined);
          }),
        ),
    },
  } as unknown as Doorkeeping;
  const look = tokensPassedOn(doorkeeping);
  let passed = 0;
  const ask = (socket: object): void => {
    const request = { socket, headers: { authorization: 'Bearer wrong' } } as unknown as Request;
    look(request, {} as Response, () => (passed += 1));
  };
  const [first, ...others] = Array.from({ length: 100 }, () => ({}));
  ask(first ?? {});
  ask(first ?? {});
  expect(waiting).toHaveLength(1);
  for (const socket of others) ask(socket);
  // Nothing waits for it.
  expect(passed).toBe(101);
  expect(waiting.length).toBeLessThan(20);
  const before = waiting.length;
  for (const end of waiting.splice(0)) end();
  await new Promise((resolve) => setImmediate(resolve));
  ask({});
  expect(before).toBeGreaterThan(1);
  expect(waiting).toHaveLength(1);
});
