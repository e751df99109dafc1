import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { ServerConnection, ServerRefused, ServerUnavailable } from './server-connection.js';

/** What becomes of attributes for a server that answers so. */
async function writing(status: number, problem: object): Promise<unknown> {
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return new ServerConnection('token').attributes(url, { incarnation: 1, changes: [], write: 0 }).catch((error: unknown) => error);
}

const spent = (kind: string): object => ({
  type: 'https://systole.dev/problems/report-budget-spent',
  detail: 'n1 has changed the configuration more often than 6 times a minute',
  budget: { kind, of: 'reports', perMinute: 6 },
});

it('a server that has heard enough changes of the configuration has answered: whoever asked is told why at once', async () => {
  const refused = await writing(429, spent('configurations'));
  expect(refused).toBeInstanceOf(ServerRefused);
  expect(refused).toMatchObject({ statusCode: 429, detail: 'n1 has changed the configuration more often than 6 times a minute' });
});

it('one that has heard enough of anything else, or can not answer, is waited for', async () => {
  for (const kind of ['attributes', 'disturbances']) expect(await writing(429, spent(kind))).toBeInstanceOf(ServerUnavailable);
  expect(await writing(429, {})).toBeInstanceOf(ServerUnavailable);
  expect(await writing(503, { type: 'https://systole.dev/problems/log-too-new' })).toBeInstanceOf(ServerUnavailable);
});
