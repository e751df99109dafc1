/** Traces for OpenTelemetry: what of a request, and what follows from it, goes to a collector. Start at `startTraces`. */
export { callersTrace, correlationWithin, spanIdOf, traceOf, type CallersTrace, type TraceOf } from './trace-context.js';
export { InvalidTracing, tracingFrom, type Sampling, type TracingConfig } from './tracing-config.js';
export { startTraces, type SpanTally, type Traces, type TracesParts } from './traces.js';
