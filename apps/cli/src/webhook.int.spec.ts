import { createServer, type Server } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { startEmbedded, type Embedded } from '@systole/embedded';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from './exit-code.js';
import { run } from './program.js';

const token = 'an-admin-token-for-the-webhooks';

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

describe('systole webhook', () => {
  let database: ScratchDatabase;
  let server: Embedded;
  let receiver: Server;
  let url: string;
  let directory: string;
  const received: string[] = [];
  let status = 204;

  const systole = async (args: readonly string[], interrupted = new AbortController().signal): Promise<Outcome> => {
    let [out, err] = ['', ''];
    const code = await run(args, {
      environment: { SYSTOLE_CONFIG: join(directory, 'config.json'), SYSTOLE_SERVER: server.url, SYSTOLE_TOKEN: token },
      home: directory,
      stdin: Readable.from([]),
      write: (text) => {
        out += text;
      },
      complain: (line) => {
        err += `${line}\n`;
      },
      interactive: false,
      interrupted,
    });
    return { code, out, err };
  };
  const done = async (args: readonly string[]): Promise<string> => {
    const { code, out, err } = await systole(args);
    expect(code === EXIT.ok ? code : err).toBe(EXIT.ok);
    return out;
  };

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'systole-webhook-'));
    receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (piece: Buffer) => (body += piece.toString()));
      request.on('end', () => {
        received.push((JSON.parse(body) as { type: string }).type);
        response.writeHead(status).end('\u001b[31mred');
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${String((receiver.address() as AddressInfo).port)}/hook`;
    database = await createScratchDatabase();
    const webhookAddresses = { allow: ['127.0.0.1'] };
    const parts = { api: { webhookAddresses }, worker: { webhookAddresses } };
    server = await startEmbedded({ databaseUrl: database.url, port: 0, logLevel: 'silent', adminToken: token, parts });
  });
  afterAll(async () => {
    await server.stop();
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });

  it('makes one, tries it, has events delivered to it, and shows how that went', async () => {
    expect(await done(['webhook', 'list'])).toBe('There is no webhook.\n');
    expect(await done(['webhook', 'create', 'on-call', url, '--type', 'ClusterCreated', '--dry-run'])).toBe(
      `Dry run: nothing was made. on-call: events of the types ClusterCreated to ${url}\n`,
    );
    expect(await systole(['webhook', 'create', 'metadata', 'http://169.254.169.254/'])).toMatchObject({
      code: EXIT.failed,
      err: expect.stringContaining('/url') as unknown,
    });
    expect(await done(['webhook', 'create', 'on-call', url, '--type', 'ClusterCreated'])).toMatch(/^whsec_\S+\n$/);
    expect(await done(['webhook', 'test', 'on-call'])).toMatch(/delivered {2}test: 204, \d+ ms/);
    await done(['cluster', 'create', 'prod']);
    await expect.poll(() => received, { timeout: 15_000 }).toEqual(['WebhookTest', 'ClusterCreated']);
    await expect.poll(() => done(['webhook', 'deliveries', 'on-call', '--json'])).toContain('"ClusterCreated"');
    const { items } = JSON.parse(await done(['webhook', 'deliveries', 'on-call', '--json'])) as { items: { id: string }[] };
    expect(await done(['webhook', 'redeliver', 'on-call', items[0]?.id ?? ''])).toMatch(
      /delivered {2}ClusterCreated .* \(redelivery\): 204/,
    );
    status = 500;
    expect(await systole(['webhook', 'test', 'on-call'])).toMatchObject({
      code: EXIT.failed,
      out: expect.stringContaining('answered 500') as unknown,
    });
  });

  it('changes it, disables it, gives it another secret and deletes it', async () => {
    expect(await done(['webhook', 'set', 'on-call', '--any-type', '--wrong', '--audit', '--rename', 'pager'])).toContain(
      "pager: what is wrong and the server's audit to",
    );
    expect(await done(['webhook', 'set', 'pager', '--no-wrong', '--no-audit'])).toContain('pager: events to');
    expect(await done(['webhook', 'disable', 'pager', '--reason', 'nights off'])).toContain('state       disabled');
    expect(await done(['webhook', 'enable', 'pager'])).not.toContain('disabled');
    expect(await done(['webhook', 'rotate-secret', 'pager'])).toMatch(/^whsec_/);
    expect(await done(['webhook', 'show', 'pager'])).toContain('signs along until');
    // While it followed everything an event may have been refused by the receiver: what no longer concerns it is passed over.
    status = 204;
    await expect.poll(() => done(['webhook', 'show', 'pager']), { timeout: 30_000 }).toMatch(/behind +nothing\n/);
    expect(await done(['webhook', 'delete', 'pager', '--dry-run'])).toContain('nothing was deleted');
    expect(await done(['webhook', 'delete', 'pager'])).toBe('Deleted pager.\n');
    expect(await systole(['webhook', 'show', 'pager'])).toMatchObject({ code: EXIT.usage });
    expect(await done(['audit', 'list'])).toContain('webhook pager changed: enabled');
  });

  it('follows the events of all clusters, beside it', async () => {
    const ended = new AbortController();
    const following = systole(['events', '--follow', '--all-clusters', '--type', 'ClusterCreated'], ended.signal);
    setTimeout(() => void done(['cluster', 'create', 'late']), 1_000);
    setTimeout(() => {
      ended.abort();
    }, 6_000);
    expect((await following).out).toMatch(/late +user:admin +cluster late created/);
    expect(await systole(['events', '--all-clusters'])).toMatchObject({ code: EXIT.usage });
  }, 30_000);
});
