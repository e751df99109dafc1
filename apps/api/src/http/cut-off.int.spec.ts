import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Response } from 'express';
import { afterEach, describe, expect, it } from 'vitest';
import { writeTexts } from '../events/event-export.js';

describe('an export that fails in the middle', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  async function* failing(): AsyncGenerator<string, void, void> {
    yield '{"version":1}\n';
    // As a page that can't be read any more.
    await new Promise((resolve) => setTimeout(resolve, 50));
    throw new Error('the database has gone');
  }

  /** What a client sees of it: all bytes, and how the connection ended. */
  async function seen(
    version: '1.0' | '1.1',
    texts: () => AsyncIterable<string>,
  ): Promise<{ readonly text: string; readonly end: string }> {
    server = createServer((_, response) => {
      response.setHeader('content-type', 'application/x-ndjson');
      void writeTexts(response as Response, texts(), []).catch(() => undefined);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let text = '';
    let end = 'closed';
    client.on('data', (bytes) => (text += bytes.toString()));
    client.on('error', (error: NodeJS.ErrnoException) => (end = error.code ?? ''));
    client.write(`GET / HTTP/${version}\r\nHost: x\r\nConnection: close\r\n\r\n`);
    await new Promise<void>((resolve) =>
      client.once('close', () => {
        resolve();
      }),
    );
    return { text, end };
  }

  it('is without its last chunk', async () => {
    const { text } = await seen('1.1', failing);
    expect(text).toContain('{"version":1}\n');
    expect(text).not.toContain('\r\n0\r\n');
  });

  it('has no ordinary end where there are no chunks', async () => {
    expect(await seen('1.0', failing)).toMatchObject({ end: 'ECONNRESET' });
  });

  it('is told from one that is complete', async () => {
    const whole = async function* (): AsyncGenerator<string, void, void> {
      yield await Promise.resolve('{"version":1}\n');
    };
    expect((await seen('1.1', whole)).text).toMatch(/\r\n0\r\n\r\n$/);
    server?.close();
    expect(await seen('1.0', whole)).toMatchObject({
      text: expect.stringMatching(/\n\r\n\{"version":1\}\n$|\{"version":1\}\n$/) as string,
      end: 'closed',
    });
  });
});
