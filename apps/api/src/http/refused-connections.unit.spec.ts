import { expect, it } from 'vitest';
import { RefusedConnections } from './refused-connections.js';

function told(): {
  readonly lines: { readonly address?: string; readonly text: string }[];
  readonly refused: RefusedConnections;
  readonly pass: (ms: number) => void;
} {
  const lines: { readonly address?: string; readonly text: string }[] = [];
  let now = 0;
  const refused = new RefusedConnections({
    clock: { monotonic: () => now },
    log: { warn: ({ address }, text) => lines.push({ ...(address === undefined ? {} : { address }), text }) },
  });
  return { lines, refused, pass: (ms) => (now += ms) };
}

it('That an address has too many connections is said with the address, of each once a minute, and how many were closed since', () => {
  const { lines, refused, pass } = told();
  for (let count = 0; count < 1_000; count++) refused.note({ refusal: 'own', address: '10.0.0.1' });
  refused.note({ refusal: 'own', address: '10.0.0.2' });
  expect(lines).toEqual([
    { address: '10.0.0.1', text: expect.stringContaining('SYSTOLE_CONNECTIONS_EACH') as string },
    { address: '10.0.0.2', text: expect.stringContaining('a proxy') as string },
  ]);
  pass(59_999);
  refused.note({ refusal: 'own', address: '10.0.0.1' });
  expect(lines).toHaveLength(2);
  pass(1);
  refused.note({ refusal: 'own', address: '10.0.0.1' });
  expect(lines.at(2)).toMatchObject({ address: '10.0.0.1', text: expect.stringContaining('1000 more') as string });
});

it('That all connections are taken is said once a minute, whoever comes', () => {
  const { lines, refused, pass } = told();
  for (const address of ['a', 'b', 'c']) refused.note({ refusal: 'total', address });
  expect(lines).toEqual([{ text: expect.stringContaining('no lease is judged') as string }]);
  pass(60_000);
  refused.note({ refusal: 'total', address: 'a' });
  expect(lines).toHaveLength(2);
});

it('That connections without a token make room for others is said once a minute for all, and those of a network of IPv6 are one', () => {
  const { lines, refused } = told();
  for (const address of ['a', 'b']) refused.note({ refusal: 'stranger', address });
  for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1']) refused.note({ refusal: 'own', address });
  expect(lines).toEqual([
    { text: expect.stringContaining('Agents are served') as string },
    { address: '2001:db8::1', text: expect.stringContaining('/64') as string },
    { address: '2001:db8:0:1::1', text: expect.stringContaining('/64') as string },
  ]);
});
