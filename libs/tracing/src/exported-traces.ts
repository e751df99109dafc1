import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags, type Context, type SpanContext } from '@opentelemetry/api';
import { ExportResultCode, type ExportResult } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  type IdGenerator,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import type { EndedSpan, SpanRef } from '@systole/control-plane';
import { spanIdOf, traceOf, type CallersTrace } from './trace-context.js';
import type { SpanTally, Traces, TracesParts } from './traces.js';
import type { TracingConfig } from './tracing-config.js';

/** Spans that wait or are being sent, at most: about 2 MiB. */
const MOST_WAITING = 2_048;
const MOST_AT_ONCE = 512;
const SEND_AFTER_MS = 5_000;
/** What a collector has not taken by then counts as failed, whatever it is still saying, ms. */
const TAKEN_WITHIN_MS = 15_000;
const CLOSES_WITHIN_MS = 2_000;
/** Of names that people give, characters. */
const LONGEST_VALUE = 256;

/** Ids are derived, not drawn: of the span that is about to begin. */
class DerivedIds implements IdGenerator {
  next: { readonly traceId: string; readonly spanId: string } = { traceId: '', spanId: '' };

  generateTraceId(): string {
    return this.next.traceId;
  }

  generateSpanId(): string {
    return this.next.spanId;
  }
}

/** Hears what becomes of spans, and sees to it that nothing is waited for forever. */
class WatchedExporter implements SpanExporter {
  exported = 0;
  failed = 0;
  private troubled = false;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly log: TracesParts['log'],
  ) {}

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    let open = true;
    const settle = (result: ExportResult): void => {
      if (!open) return;
      open = false;
      clearTimeout(timer);
      this.hear(spans.length, result);
      done(result);
    };
    const timer = setTimeout(() => {
      settle({ code: ExportResultCode.FAILED, error: new Error(`no answer within ${String(TAKEN_WITHIN_MS / 1_000)} s`) });
    }, TAKEN_WITHIN_MS);
    timer.unref();
    this.exporter.export(spans, settle);
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  private hear(spans: number, { code, error }: ExportResult): void {
    if (code === ExportResultCode.FAILED) {
      this.failed += spans;
      // The answer's text may be anything, and is not repeated.
      const reason = error instanceof Error ? error.message.slice(0, 200) : 'unknown';
      if (!this.troubled)
        this.log.warn({ reason }, 'the collector does not take traces: what it misses is lost, and nothing else waits for it');
      this.troubled = true;
      return;
    }
    this.exported += spans;
    if (this.troubled) this.log.info({ missed: this.failed }, 'the collector takes traces again');
    this.troubled = false;
  }
}

/** Sends spans by OTLP over HTTP, in the background. */
export class ExportedTraces implements Traces {
  private readonly ids = new DerivedIds();
  private readonly sampler: Sampler;
  private readonly exporter: WatchedExporter;
  private readonly provider: BasicTracerProvider;
  private readonly tracer: ReturnType<BasicTracerProvider['getTracer']>;
  private taken = 0;
  private dropped = 0;

  constructor({ url, sampling, serviceName, sendAfterMs = SEND_AFTER_MS }: TracingConfig, { service, version, log }: TracesParts) {
    const root = new TraceIdRatioBasedSampler(sampling.ratio);
    this.sampler = sampling.byCaller ? new ParentBasedSampler({ root }) : root;
    this.exporter = new WatchedExporter(new OTLPTraceExporter({ url, keepAlive: true }), log);
    this.provider = new BasicTracerProvider({
      // It was decided before, by the trace alone: each process comes to the same.
      sampler: new AlwaysOnSampler(),
      idGenerator: this.ids,
      resource: resourceFromAttributes({ 'service.name': service, ...(version === undefined ? {} : { 'service.version': version }) })
        .merge(detectResources({ detectors: [envDetector] }))
        .merge(resourceFromAttributes(serviceName === undefined ? {} : { 'service.name': serviceName })),
      spanLimits: { attributeValueLengthLimit: LONGEST_VALUE, linkCountLimit: 32 },
      spanProcessors: [
        new BatchSpanProcessor(this.exporter, {
          maxQueueSize: MOST_WAITING,
          maxExportBatchSize: MOST_AT_ONCE,
          scheduledDelayMillis: sendAfterMs,
          exportTimeoutMillis: 2 * TAKEN_WITHIN_MS,
        }),
      ],
    });
    this.tracer = this.provider.getTracer('systole', version);
  }

  get tally(): SpanTally {
    const { exported, failed } = this.exporter;
    return { exported, failed, dropped: this.dropped };
  }

  wants(correlationId: string): boolean {
    const { traceId, callerKeeps } = traceOf(correlationId);
    const context =
      callerKeeps === undefined
        ? ROOT_CONTEXT
        : within({ traceId, spanId: spanIdOf(correlationId, ''), traceFlags: callerKeeps ? TraceFlags.SAMPLED : TraceFlags.NONE });
    return this.sampler.shouldSample(context, traceId, '', SpanKind.INTERNAL, {}, []).decision === SamplingDecision.RECORD_AND_SAMPLED;
  }

  ended(span: EndedSpan): void {
    this.endedFor(span, undefined);
  }

  endedFor(span: EndedSpan, caller: CallersTrace | undefined): void {
    const { correlationId, key, parentKey, name, startedAt, endedAt, failed, attributes, alsoAnswers = [] } = span;
    if (!this.wants(correlationId)) return;
    if (this.taken - this.exporter.exported - this.exporter.failed >= MOST_WAITING) {
      this.dropped += 1;
      return;
    }
    this.taken += 1;
    const { traceId } = traceOf(correlationId);
    this.ids.next = { traceId, spanId: spanIdOf(correlationId, key) };
    const parent = parentKey === undefined ? caller?.spanId : spanIdOf(correlationId, parentKey);
    const started = this.tracer.startSpan(
      name,
      {
        kind: parentKey === undefined ? SpanKind.SERVER : SpanKind.INTERNAL,
        startTime: new Date(startedAt),
        attributes: { ...attributes, 'systole.correlation.id': correlationId },
        links: alsoAnswers.map((other) => ({ context: contextOf(other) })),
      },
      parent === undefined ? ROOT_CONTEXT : within({ traceId, spanId: parent, traceFlags: TraceFlags.SAMPLED }),
    );
    if (failed) started.setStatus({ code: SpanStatusCode.ERROR });
    started.end(new Date(Math.max(new Date(endedAt).getTime(), new Date(startedAt).getTime())));
  }

  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CLOSES_WITHIN_MS);
    });
    await Promise.race([this.provider.shutdown().catch(() => undefined), patience]);
    clearTimeout(timer);
  }
}

function within(context: SpanContext): Context {
  return trace.setSpanContext(ROOT_CONTEXT, { ...context, isRemote: true });
}

function contextOf({ correlationId, key }: SpanRef): SpanContext {
  return { traceId: traceOf(correlationId).traceId, spanId: spanIdOf(correlationId, key), traceFlags: TraceFlags.SAMPLED };
}
