import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { oneAtATime } from './one-at-a-time.js';

describe('the requests of one connection', () => {
  let server: Server;
  let client: Socket;
  let begun: (readonly [url: string, response: ServerResponse])[];
  let refused: number;
  let answers: string;
  let atOnce: boolean;
  beforeEach(async () => {
    begun = [];
    refused = 0;
    answers = '';
    atOnce = false;
    server = createServer((request, response) => {
      begun.push([request.url ?? '', response]);
      if (atOnce) response.end();
    });
    oneAtATime(server, () => {
      refused += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined).on('data', (data: Buffer) => (answers += data.toString()));
  });
  afterEach(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });

  const ask = (...urls: readonly string[]): void => {
    client.write(urls.map((url) => `GET ${url} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
  };
  const urls = (): readonly string[] => begun.map(([url]) => url);

  it('are begun one after another, in their order', async () => {
    ask('/1', '/2', '/3');
    for (const url of ['/1', '/2', '/3']) {
      await expect.poll(() => urls().at(-1)).toBe(url);
      begun.at(-1)?.[1].end(url);
    }
    await expect.poll(() => answers).toMatch(/\/1[^]*\/2[^]*\/3/);
    ask('/4');
    await expect.poll(urls).toEqual(['/1', '/2', '/3', '/4']);
    expect(refused).toBe(0);
  });

  it('end it when too many of them are unanswered; none of the rest is begun', async () => {
    ask(...Array.from({ length: 2_000 }, (_, index) => `/${String(index)}`));
    await expect.poll(() => client.closed).toBe(true);
    expect([urls(), refused]).toEqual([['/0'], 1]);
    await expect.poll(() => begun[0]?.[1].closed).toBe(true);
  });

  it('end it just so when each is answered at once', async () => {
    atOnce = true;
    ask(...Array.from({ length: 2_000 }, (_, index) => `/${String(index)}`));
    await expect.poll(() => client.closed).toBe(true);
    expect(refused).toBe(1);
    expect(begun.length).toBeLessThan(5);
  });

  it('are not begun any more when it has ended', async () => {
    ask('/1', '/2', '/3');
    await expect.poll(urls).toEqual(['/1']);
    client.resetAndDestroy();
    await expect.poll(() => begun[0]?.[1].closed).toBe(true);
    expect(urls()).toEqual(['/1']);
  });
});
