import { describe, expect, it } from 'vitest';
import { InvalidTracing, tracingFrom } from './tracing-config.js';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

describe('traces', () => {
  it.each([
    ['as nothing is set', {}],
    ['as what is set is empty', { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }],
    ['as all of OpenTelemetry is', { ...ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' }],
    ['as nobody is to get them', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
    ['as something else is set', { OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'always_on' }],
  ])('are off %s', (_, environment) => {
    expect(tracingFrom(environment)).toBeUndefined();
  });

  it('go to the endpoint of OTLP, and are all kept, but for those that a caller does not keep', () => {
    const all = { ratio: 1, byCaller: true };
    expect(tracingFrom(ENDPOINT)).toEqual({ url: 'http://collector:4318/v1/traces', sampling: all });
    expect(tracingFrom({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c/base/' })?.url).toBe('https://c/base/v1/traces');
    expect(tracingFrom({ ...ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t/x' })?.url).toBe('http://t/x');
    expect(tracingFrom({ ...ENDPOINT, OTEL_SERVICE_NAME: 'ha', OTEL_BSP_SCHEDULE_DELAY: '100' })).toMatchObject({
      serviceName: 'ha',
      sendAfterMs: 100,
    });
  });

  it.each([
    ['always_on', undefined, { ratio: 1, byCaller: false }],
    ['always_off', undefined, { ratio: 0, byCaller: false }],
    ['traceidratio', '0.25', { ratio: 0.25, byCaller: false }],
    ['parentbased_always_off', '0.5', { ratio: 0, byCaller: true }],
    ['parentbased_traceidratio', '0.5', { ratio: 0.5, byCaller: true }],
    ['parentbased_traceidratio', undefined, { ratio: 1, byCaller: true }],
  ])('are kept by %s %s', (sampler, argument, sampling) => {
    expect(tracingFrom({ ...ENDPOINT, OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: argument })?.sampling).toEqual(sampling);
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'ftp://u:secret@c' }, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'],
    [{ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'zipkin' }, 'OTEL_TRACES_EXPORTER'],
    [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL'],
    [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf' }, 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'],
    [{ ...ENDPOINT, OTEL_TRACES_SAMPLER: 'jaeger_remote' }, 'OTEL_TRACES_SAMPLER'],
    [{ ...ENDPOINT, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: 'half' }, 'OTEL_TRACES_SAMPLER_ARG'],
    [{ ...ENDPOINT, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' }, 'OTEL_TRACES_SAMPLER_ARG'],
    [{ ...ENDPOINT, OTEL_BSP_SCHEDULE_DELAY: 'soon' }, 'OTEL_BSP_SCHEDULE_DELAY'],
  ])('are refused as they are set, with what may be: %o', (environment, name) => {
    const refused = (): unknown => tracingFrom(environment);
    expect(refused).toThrow(InvalidTracing);
    expect(refused).toThrow(new RegExp(`^${name} `));
    expect(refused).not.toThrow(/secret/);
  });
});
