import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from './exit-code.js';
import { CommandLine, type Given, type Outcome } from './testing/command-line.js';

let commandLine: CommandLine;

beforeAll(async () => {
  commandLine = await CommandLine.start();
});

afterAll(() => commandLine.stop());

function systole(args: readonly string[], given?: Given): Promise<Outcome> {
  return commandLine.systole(args, given);
}

/** Of a cluster in which nothing is. */
const status = {
  ...{ clusterId: 'c', name: 'prod', version: 7, settled: true },
  ...{
    troubles: [],
    nodes: [],
    resources: [],
    failures: [],
    failCounts: [],
    tickets: [],
    fencing: [],
    safety: [],
    messages: [],
    findings: { count: 0, items: [] },
  },
};

describe('status --watch', () => {
  it('says how old its picture is while the server is away', async () => {
    const brief = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.setHeader('connection', 'close');
      response.end(JSON.stringify(status), () => brief.close());
    });
    await new Promise<void>((resolve) => {
      brief.listen(0, '127.0.0.1', resolve);
    });
    const { port } = brief.address() as AddressInfo;
    const watching = new AbortController();
    const patience = setTimeout(() => {
      watching.abort();
    }, 20_000);
    const { out } = await systole(['--server', `http://127.0.0.1:${port}`, '--token', 'any', '--cluster', 'prod', 'status', '-w', '1'], {
      signal: watching.signal,
      onOutput: (text) => {
        if (text.includes('STALE')) watching.abort();
      },
    });
    clearTimeout(patience);
    expect(out).toContain('prod  version 7, settled');
    expect(out).toMatch(/STALE: as of .*, \d+ s ago; the server can't be reached/);
  });

  it('goes on, and says what it shows is old, while the server has no database', async () => {
    const away = {
      type: 'https://systole.dev/problems/database-unavailable',
      title: 'x',
      status: 503,
      detail: 'PostgreSQL cannot be reached',
      instance: '/',
    };
    let asked = 0;
    const server = createServer((_request, response) => {
      const lost = ++asked === 2;
      response.writeHead(lost ? 503 : 200, { 'content-type': lost ? 'application/problem+json' : 'application/json' });
      response.end(JSON.stringify(lost ? away : status));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const watching = new AbortController();
    let shown = '';
    const { out, err } = await systole(
      ['--server', `http://127.0.0.1:${port}`, '--token', 'any', '--cluster', 'prod', 'status', '-w', '1'],
      {
        signal: AbortSignal.any([watching.signal, AbortSignal.timeout(20_000)]),
        onOutput: (text) => {
          shown += text;
          if (/STALE[^]*prod {2}version 7/.test(shown)) watching.abort();
        },
      },
    );
    server.close();
    expect(out).toMatch(
      /prod {2}version 7[^]*STALE: as of .*, \d+ s ago; the server answers, but not with the status[^]*prod {2}version 7/,
    );
    expect(err).toContain('PostgreSQL cannot be reached');
  });
});

describe('status --watch on a terminal', () => {
  const HOSTILE = 'x\u001b[H\u001b[J\u001b[32mprod  settled\u001b[0m\nprod  settled';
  const node = (name: string): object => {
    const flags = { online: true, unclean: false, standby: false, maintenance: false, pending: false, shutdown: false };
    return { name, id: name, kind: 'cluster', membership: 'joined', ...flags };
  };
  const status = {
    ...{
      clusterId: 'c',
      name: 'prod',
      version: 7,
      settled: true,
      health: 'warn',
      resources: [],
      failCounts: [],
      tickets: [],
      fencing: [],
      safety: [],
      messages: [],
    },
    troubles: [{ code: 'failed-operations', level: 'warn', text: HOSTILE }],
    nodes: Array.from({ length: 20 }, (_, index) => node(`node-with-a-long-name-${index}`)),
    failures: [{ resource: 'db', node: 'n1', operation: 'monitor', intervalMs: 0, rc: 1, exitReason: HOSTILE }],
    findings: { count: 0, items: [] },
  };

  it.each([
    { columns: 20, rows: 6 },
    { columns: 200, rows: 60 },
  ])('fits on $columns columns and $rows rows, and obeys nobody else', async (size) => {
    const busy = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(status));
    });
    await new Promise<void>((resolve) => {
      busy.listen(0, '127.0.0.1', resolve);
    });
    const { port } = busy.address() as AddressInfo;
    const watching = new AbortController();
    const { out } = await systole(['--server', `http://127.0.0.1:${port}`, '--token', 'any', '--cluster', 'prod', 'status', '-w', '1'], {
      size,
      signal: AbortSignal.any([watching.signal, AbortSignal.timeout(20_000)]),
      onOutput: () => {
        watching.abort();
      },
    });
    busy.closeAllConnections();
    busy.close();
    const [before, screen = '', ...more] = out.split('\u001b[H\u001b[J');
    expect([before, more]).toEqual(['', []]);
    const lines = screen.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(size.rows);
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(size.columns);
    expect(lines.filter((line) => stripVTControlCharacters(line).startsWith('prod')).length).toBe(1);
    expect(screen).not.toContain('\u001b[32mprod');
    expect(lines[0]).not.toContain('settled');
  });
});

describe('status --check', () => {
  const LINE = /^SYSTOLE (OK|WARNING|CRITICAL|UNKNOWN) - [^|\n]*(\| nodes_online=\d+[^|\n]*)?\n$/;
  const on = (...args: string[]): Promise<Outcome> => systole(['--server', commandLine.server.url, '--token', commandLine.token, ...args]);

  it('says in one line how a cluster is, with an exit code that monitoring understands', async () => {
    expect((await on('cluster', 'create', 'checked')).code).toBe(EXIT.ok);
    for (const flag of ['--check', '--simple']) {
      const { code, out, err } = await on('--cluster', 'checked', 'status', flag);
      expect([out, err]).toEqual([expect.stringMatching(LINE), '']);
      const [, word = ''] = LINE.exec(out) ?? [];
      expect(code).toBe({ OK: 0, WARNING: 1, CRITICAL: 2 }[word]);
    }
  });

  it('is unknown, whatever keeps it from finding out', async () => {
    const unknown = { code: 3, out: expect.stringMatching(/^SYSTOLE UNKNOWN - [^\n|]+\n$/) as string, err: '' };
    expect(await on('--cluster', 'nowhere', 'status', '--check')).toEqual(unknown);
    expect(await systole(['--server', 'http://127.0.0.1:9', '--token', 'any', '--cluster', 'prod', 'status', '--check'])).toEqual(unknown);
    expect(await systole(['--server', commandLine.server.url, '--token', 'nobody', '--cluster', 'checked', 'status', '--check'])).toEqual(
      unknown,
    );
    expect(await systole(['--server', 'no address', '--token', 'nobody', 'status', '--check'])).toEqual(unknown);
  });

  it('is of the whole present cluster', async () => {
    expect(await on('status', '--check', '--node', 'n1')).toMatchObject({ code: EXIT.usage });
    expect(await on('status', '--check', '--at', '1')).toMatchObject({ code: EXIT.usage });
  });
});
