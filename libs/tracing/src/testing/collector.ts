import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as a collector got it. */
export interface ReceivedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty: none. */
  readonly parentSpanId: string;
  readonly name: string;
  /** Epoch ms. */
  readonly startMs: number;
  readonly endMs: number;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
}

/** A collector of OTLP over HTTP, with JSON. */
export interface Collector {
  /** Where it listens, without a path. */
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** All that was posted, as text. */
  readonly text: string;
  readonly requests: number;
  close(): Promise<void>;
}

interface Attribute {
  readonly key: string;
  readonly value: {
    readonly stringValue?: string;
    readonly intValue?: number;
    readonly doubleValue?: number;
    readonly boolValue?: boolean;
  };
}

interface OtlpTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly name: string;
        readonly startTimeUnixNano: string;
        readonly endTimeUnixNano: string;
        readonly status: { readonly code: number };
        readonly attributes: readonly Attribute[];
        readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
      }[];
    }[];
  }[];
}

/** @param answer instead of taking what comes: may hang, or answer anything @param port 0: any free one */
export async function startCollector(
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  },
  port = 0,
): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const texts: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      texts.push(text);
      spans.push(...spansIn(JSON.parse(text) as OtlpTraces));
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    spans,
    get text() {
      return texts.join('\n');
    },
    get requests() {
      return texts.length;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function spansIn({ resourceSpans }: OtlpTraces): readonly ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map(({ traceId, spanId, parentSpanId = '', name, startTimeUnixNano, endTimeUnixNano, status, attributes, links }) => ({
        ...{ service: String(valuesOf(resource.attributes)['service.name']), traceId, spanId, parentSpanId, name, links },
        startMs: Number(startTimeUnixNano) / 1_000_000,
        endMs: Number(endTimeUnixNano) / 1_000_000,
        failed: status.code === 2,
        attributes: valuesOf(attributes),
      })),
    ),
  );
}

function valuesOf(attributes: readonly Attribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
