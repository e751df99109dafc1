import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { EndedSpan } from '@systole/control-plane';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startCollector, type Collector } from './testing/collector.js';
import { traceOf } from './trace-context.js';
import { startTraces, type Traces } from './traces.js';

const BY_CALLER = { ratio: 1, byCaller: true };

let collector: Collector | undefined;
let other: Server | undefined;
let traces: Traces | undefined;
let said: string[] = [];

async function traced(url: string, sampling = BY_CALLER): Promise<Traces> {
  said = [];
  const log = {
    warn: (fields: object, message: string) => said.push(`warn ${message} ${JSON.stringify(fields)}`),
    info: (fields: object, message: string) => said.push(`info ${message} ${JSON.stringify(fields)}`),
  };
  traces = await startTraces({ url: `${url}/v1/traces`, sampling, sendAfterMs: 10 }, { service: 'systole-test', log });
  return traces;
}

function spanOf(correlationId: string, more: Partial<EndedSpan> = {}): EndedSpan {
  return { correlationId, key: 'k', name: 'n', startedAt: 1_000, endedAt: 2_000, failed: false, attributes: {}, ...more };
}

afterEach(async () => {
  await traces?.close();
  await collector?.close();
  other?.close();
  [traces, collector, other] = [undefined, undefined, undefined];
});

describe('spans', () => {
  it('of several processes make one trace, by nothing but their correlation id', async () => {
    collector = await startCollector();
    const id = crypto.randomUUID();
    const api = await traced(collector.url);
    api.ended(spanOf(id, { key: 'beginning', name: 'POST' }));
    await api.close();
    const worker = await traced(collector.url);
    worker.ended(
      spanOf(id, { key: 't', parentKey: 'beginning', name: 'transition', failed: true, attributes: { 'systole.transition': 3 } }),
    );
    await worker.close();
    const [request, transition] = collector.spans;
    expect(request).toMatchObject({
      service: 'systole-test',
      traceId: id.replaceAll('-', ''),
      parentSpanId: '',
      startMs: 1_000,
      endMs: 2_000,
    });
    expect(transition).toMatchObject({ traceId: request?.traceId, parentSpanId: request?.spanId, name: 'transition', failed: true });
    expect(transition?.attributes).toEqual({ 'systole.transition': 3, 'systole.correlation.id': id });
  });

  it('are kept or not by their trace: everybody comes to the same, and a caller may decide', async () => {
    collector = await startCollector();
    const half = await traced(collector.url, { ratio: 0.5, byCaller: true });
    const ids = Array.from({ length: 400 }, () => crypto.randomUUID());
    const kept = ids.filter((id) => half.wants(id));
    expect(kept.length).toBeGreaterThan(120);
    expect(kept.length).toBeLessThan(280);
    await half.close();
    const again = await traced(collector.url, { ratio: 0.5, byCaller: true });
    expect(ids.filter((id) => again.wants(id))).toEqual(kept);
    const { traceId } = traceOf(kept[0] ?? '');
    expect([again.wants(`x.${traceId}-01`), again.wants(`x.${traceId}-00`)]).toEqual([true, false]);
    await again.close();
    const own = await traced(collector.url, { ratio: 0, byCaller: false });
    expect(own.wants(`x.${traceId}-01`)).toBe(false);
    own.ended(spanOf(`x.${traceId}-01`));
    await own.close();
    expect(collector.requests).toBe(0);
  });

  it('that end before they begin, as clocks step, take no time', async () => {
    collector = await startCollector();
    const kept = await traced(collector.url);
    kept.ended(spanOf('a', { startedAt: '2026-01-01T00:00:01.000Z', endedAt: '2026-01-01T00:00:00.000Z' }));
    await kept.close();
    expect(collector.spans.map(({ startMs, endMs }) => endMs - startMs)).toEqual([0]);
  });

  it('have no names longer than 256 characters', async () => {
    collector = await startCollector();
    const kept = await traced(collector.url);
    kept.ended(spanOf('a', { attributes: { 'systole.resource': 'x'.repeat(5_000) } }));
    await kept.close();
    expect(collector.spans[0]?.attributes['systole.resource']).toBe('x'.repeat(256));
  });
});

describe('a collector', () => {
  it('gets the headers that are set for it, and none of them is in what is said of its troubles', async () => {
    const seen: unknown[] = [];
    collector = await startCollector((request, response) => {
      seen.push(request.headers['x-key']);
      response.writeHead(403).end();
    });
    vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-key=secret');
    const kept = await traced(collector.url);
    vi.unstubAllEnvs();
    kept.ended(spanOf('a'));
    await expect.poll(() => kept.tally.failed).toBe(1);
    expect(seen).toEqual(['secret']);
    expect(said).toHaveLength(1);
    expect(said.join()).not.toContain('secret');
  });

  it('that is away is told of once, and once when it is back', async () => {
    const gone = await startCollector();
    const port = Number(new URL(gone.url).port);
    await gone.close();
    const kept = await traced(gone.url);
    kept.ended(spanOf('a'));
    // The exporter tries again for some seconds, until its time is over.
    await expect.poll(() => kept.tally.failed, { timeout: 20_000 }).toBe(1);
    kept.ended(spanOf('b'));
    await expect.poll(() => kept.tally.failed, { timeout: 20_000 }).toBe(2);
    expect(said).toEqual([expect.stringMatching(/^warn the collector does not take traces/)]);
    collector = await startCollector(undefined, port);
    kept.ended(spanOf('c'));
    await expect.poll(() => kept.tally.exported, { timeout: 20_000 }).toBe(1);
    expect(said.slice(1)).toEqual(['info the collector takes traces again {"missed":2}']);
  }, 60_000);

  it('that hangs fills no more than the places there are, and holds up no end', async () => {
    other = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const kept = await traced(`http://127.0.0.1:${String((other.address() as AddressInfo).port)}`);
    const begun = performance.now();
    for (let count = 0; count < 10_000; count++) kept.ended(spanOf(`a${String(count)}`));
    const tookMs = performance.now() - begun;
    expect(kept.tally).toEqual({ exported: 0, failed: 0, dropped: 10_000 - 2_048 });
    expect(tookMs).toBeLessThan(5_000);
    const closing = performance.now();
    await kept.close();
    expect(performance.now() - closing).toBeLessThan(4_000);
  });

  it.each([
    ['with rubbish', 200, '\u0000<html>', { exported: 1, failed: 0, dropped: 0 }, 0],
    ['that it does not want them', 400, 'secret words', { exported: 0, failed: 1, dropped: 0 }, 1],
    ['with more than anybody reads', 200, 'x'.repeat(5 * 1024 * 1024), { exported: 0, failed: 1, dropped: 0 }, 1],
  ])('that answers %s is borne', async (_, status, text, tally, told) => {
    collector = await startCollector((__, response) => response.writeHead(status).end(text));
    const kept = await traced(collector.url);
    kept.ended(spanOf('a'));
    await expect.poll(() => kept.tally).toEqual(tally);
    expect(said).toHaveLength(told);
    expect(said.join()).not.toContain('secret');
  });
});
