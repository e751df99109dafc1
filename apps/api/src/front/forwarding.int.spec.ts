import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request as requestOf, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KeptAnswers } from './kept-answers.js';
import { forwarding } from './forwarding.js';
import { ClientCertificates } from '../tls/client-certificates.js';
import { OperatorsApi } from './operators-api.js';

/** How long the thread may say nothing here, ms. */
const HANGS_AFTER_MS = 4_500;

/** A thread as the front knows it, that misbehaves when it is asked to. */
const THREAD = `
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
let open = 0;
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://front');
  open += 1;
  response.once('close', () => { open -= 1; });
  if (pathname === '/die') process.exit(1);
  if (pathname === '/loop') for (;;);
  if (pathname === '/wait') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  if (pathname === '/system') execFileSync('sleep', ['12']);
  if (pathname === '/block') { const until = performance.now() + Number(searchParams.get('ms')); while (performance.now() < until); response.end(); return; }
  if (pathname === '/open') { response.end(String(open)); return; }
  if (pathname === '/hang') { response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': here\\n\\n'); return; }
  if (pathname === '/half') { response.write('half'); setTimeout(() => response.destroy(), 50); return; }
  if (pathname === '/early') { response.writeHead(413).end('too much'); request.resume(); return; }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => response.setHeader('x-made-by', 'thread').end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() })));
});
server.listen({ path: workerData.frontedAt, backlog: 8 }, () => parentPort.postMessage({ kind: 'ready' }));
setInterval(() => parentPort.postMessage({ kind: 'alive' }), 100);
parentPort.on('message', ({ kind }) => { if (kind === 'close') process.exit(0); });
`;

describe('the front', () => {
  let directory: string;
  let operators: OperatorsApi;
  let server: Server;
  let url: string;
  const told: string[] = [];
  const refused: string[] = [];
  const log = { error: (_: object, message?: string): void => void told.push(message ?? '') };
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'front-'));
    const entry = join(directory, 'thread.mjs');
    await writeFile(entry, THREAD);
    operators = await OperatorsApi.start(
      { databaseUrl: 'postgres://none', operatorsHangAfterMs: HANGS_AFTER_MS },
      log,
      pathToFileURL(entry),
    );
    const app = express();
    app.use(
      forwarding(operators, new ClientCertificates(undefined, false), new KeptAnswers(), {
        refused: (reason) => void refused.push(reason),
      }),
    );
    app.use((_request, response) => {
      response.send('front');
    });
    server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await operators.ready();
  });
  afterAll(async () => {
    await operators.close();
    server.closeAllConnections();
    server.close();
    await rm(directory, { recursive: true });
  });

  const openThere = async (): Promise<number> => Number(await (await fetch(`${url}/open`)).text()) - 1;

  it('keeps what leases depend on, and passes everything else on, whatever it is', async () => {
    const duties = ['poll', 'join', 'results?x=1', 'attributes'].map((route) => `/v1/agent/${route}`);
    for (const path of [...duties, '/health/live', '/health/ready', '/health/ready/operators', '/metrics']) {
      expect(await (await fetch(`${url}${path}`)).text()).toBe('front');
    }
    for (const path of [
      '/',
      '/v1/agent/cib',
      '/V1/agent/poll',
      '/v1/agent/poll/',
      '/v1//agent/poll',
      '/v1/%61gent/poll',
      '/v1/clusters?limit=1',
    ]) {
      expect(await (await fetch(`${url}${path}`)).json()).toMatchObject({ method: 'GET', url: path, body: '' });
    }
  });

  it('passes on method, headers and body, says whose it is, and hands back the answer', async () => {
    const headers = { authorization: 'Bearer x', 'if-match': '"3"', 'x-forwarded-for': '10.0.0.9', 'content-type': 'text/xml' };
    const answer = await fetch(`${url}/v1/clusters/c/cib?dryRun=true`, { method: 'PUT', headers, body: '<cib/>' });
    expect(answer.headers.get('x-made-by')).toBe('thread');
    expect(await answer.json()).toMatchObject({
      method: 'PUT',
      url: '/v1/clusters/c/cib?dryRun=true',
      headers: { authorization: 'Bearer x', 'if-match': '"3"', 'x-forwarded-for': '10.0.0.9, 127.0.0.1', 'content-length': '6' },
      body: '<cib/>',
    });
    const chunked = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('in '));
        controller.enqueue(new TextEncoder().encode('pieces'));
        controller.close();
      },
    });
    const pieces = await fetch(`${url}/v1/simulate`, { method: 'POST', body: chunked, duplex: 'half' });
    expect(await pieces.json()).toMatchObject({ headers: { 'transfer-encoding': 'chunked' }, body: 'in pieces' });
    const bodiless = await fetch(`${url}/v1/clusters/c`, { method: 'DELETE' });
    expect(await bodiless.json()).toMatchObject({ method: 'DELETE', body: '' });
    expect((await fetch(`${url}/v1/clusters`, { method: 'HEAD' })).headers.get('x-made-by')).toBe('thread');
  });

  it('passes streams on from their first byte, and lets go of them when the client goes', async () => {
    const client = new AbortController();
    const stream = await fetch(`${url}/hang`, { signal: client.signal });
    const first = await stream.body?.getReader().read();
    expect(Buffer.from(first?.value as Uint8Array).toString()).toBe(': here\n\n');
    expect(await openThere()).toBe(1);
    client.abort();
    await expect.poll(openThere).toBe(0);
  });

  it('cuts off what was cut off there', async () => {
    const answer = await fetch(`${url}/half`);
    await expect(answer.text()).rejects.toThrow();
  });

  it('passes on a refusal that comes before the body, and takes the next request of that connection', async () => {
    const { statuses } = await new Promise<{ statuses: number[] }>((resolve, reject) => {
      const seen: number[] = [];
      const post = requestOf(
        `${url}/early`,
        { method: 'POST', headers: { 'content-length': String(20 * 1024 * 1024) } },
        (answer: IncomingMessage) => {
          seen.push(answer.statusCode ?? 0);
          answer.resume();
          resolve({ statuses: seen });
        },
      );
      post.on('error', reject);
      post.write(Buffer.alloc(1024 * 1024));
    });
    expect(statuses).toEqual([413]);
    expect((await fetch(`${url}/v1/clusters`)).status).toBe(200);
  });

  it('answers what leases depend on while the thread is silent', async () => {
    const blocking = fetch(`${url}/block?ms=1500`);
    await sleep(100);
    const start = performance.now();
    for (let turn = 0; turn < 20; turn++) expect((await fetch(`${url}/v1/agent/poll`)).status).toBe(200);
    expect(performance.now() - start).toBeLessThan(1_000);
    await blocking;
  });

  it('keeps those for whom the thread has no place at once, and lets tokens take turns: it is not away', { timeout: 20_000 }, async () => {
    const blocking = fetch(`${url}/block?ms=1500`);
    await sleep(100);
    const done: string[] = [];
    const ask = async (token: string): Promise<number> => {
      const { status } = await fetch(`${url}/block?ms=5`, { headers: { authorization: `Bearer ${token}` } });
      done.push(token);
      return status;
    };
    const many = Array.from({ length: 150 }, () => ask('many'));
    await sleep(500);
    const statuses = await Promise.all([...many, ask('other')]);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(done.indexOf('other')).toBeLessThan(75);
    expect(refused).toEqual([]);
    await blocking;
  });

  it('answers what leases depend on when the thread has ended, and starts it again for those who wait', async () => {
    const killing = await fetch(`${url}/die`);
    expect(killing.status).toBe(503);
    expect(killing.headers.get('retry-after')).toBe('2');
    expect(await killing.json()).toMatchObject({ type: 'https://systole.dev/problems/operators-thread-away', instance: '/die' });
    expect(refused).toEqual(['operators-thread-away']);
    await expect.poll(() => operators.isReady, { interval: 5 }).toBe(false);
    expect((await fetch(`${url}/v1/agent/poll`)).status).toBe(200);
    expect((await fetch(`${url}/v1/clusters`)).status).toBe(200);
    expect(operators.isReady).toBe(true);
  });

  it.each([
    ['loops without end', '/loop'],
    ['waits for what never comes', '/wait'],
    ['stands in the operating system', '/system'],
  ])('ends a thread that %s, says so to all who wait for it, and starts another one', { timeout: 40_000 }, async (_, path) => {
    const { hung } = operators.ends;
    const stream = await fetch(`${url}/hang`);
    const hanging = [path, '/v1/clusters', '/v1/simulate'].map((each) => fetch(`${url}${each}`));
    await expect.poll(() => operators.trouble, { timeout: 10_000, interval: 20 }).toMatch(/said nothing for [34] s/);
    expect((await fetch(`${url}/v1/agent/poll`)).status).toBe(200);
    const answers = await Promise.all(hanging);

    expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(Array(3).fill([503, '2']));
    expect(await answers[0]?.json()).toMatchObject({ type: 'https://systole.dev/problems/operators-thread-away', instance: path });
    await expect(stream.text()).rejects.toThrow();
    expect(operators.ends.hung).toBe(hung + 1);
    expect(told.at(-1)).toContain('hangs');
    expect(await (await fetch(`${url}/v1/clusters`)).json()).toMatchObject({ url: '/v1/clusters' });
    expect(operators.trouble).toBeUndefined();
  });

  it('refuses what can not be answered any more when it closes', async () => {
    const closing = operators.close();
    expect((await fetch(`${url}/v1/clusters`)).status).toBe(503);
    await closing;
    expect((await fetch(`${url}/v1/agent/poll`)).status).toBe(200);
  });
});
