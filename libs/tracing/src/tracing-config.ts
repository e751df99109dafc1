/** A setting of the traces is not usable. */
export class InvalidTracing extends Error {
  override readonly name = 'InvalidTracing';
}

/** Which traces are kept. */
export interface Sampling {
  /** The share of those that begin here, 0 to 1. */
  readonly ratio: number;
  /** A trace that a caller brings is kept when its caller keeps it, whatever the share. */
  readonly byCaller: boolean;
}

/** Where traces go, and which. */
export interface TracingConfig {
  /** URL to which OTLP is posted. */
  readonly url: string;
  readonly sampling: Sampling;
  /** `service.name`; absent: the program's. */
  readonly serviceName?: string;
  /** How long spans are gathered before they are sent, ms; default 5,000. */
  readonly sendAfterMs?: number;
}

const SAMPLERS: Readonly<Record<string, Pick<Sampling, 'byCaller'> & { readonly ratio?: number }>> = {
  always_on: { ratio: 1, byCaller: false },
  always_off: { ratio: 0, byCaller: false },
  traceidratio: { byCaller: false },
  parentbased_always_on: { ratio: 1, byCaller: true },
  parentbased_always_off: { ratio: 0, byCaller: true },
  parentbased_traceidratio: { byCaller: true },
};

/**
 * Reads `OTEL_EXPORTER_OTLP_ENDPOINT` and `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, with one of which traces are switched on, `OTEL_SDK_DISABLED`, `OTEL_TRACES_EXPORTER`, `OTEL_EXPORTER_OTLP_PROTOCOL` and
 * `OTEL_EXPORTER_OTLP_TRACES_PROTOCOL`, `OTEL_TRACES_SAMPLER`, `OTEL_TRACES_SAMPLER_ARG`, `OTEL_SERVICE_NAME` and `OTEL_BSP_SCHEDULE_DELAY`. What else of OpenTelemetry's settings counts for the
 * sending (headers, time-out, certificates, compression) the exporter reads. An empty value counts as unset.
 *
 * @returns undefined where traces are off
 * @throws {InvalidTracing} naming the variable and what it may be; values are not repeated that may hold a password
 */
export function tracingFrom(environment: NodeJS.ProcessEnv): TracingConfig | undefined {
  const given = (name: string): string | undefined => {
    const value = environment[name]?.trim();
    return value === undefined || value === '' ? undefined : value;
  };
  if (given('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined;
  const exporter = given('OTEL_TRACES_EXPORTER') ?? 'otlp';
  const url = endpointIn(given);
  if (exporter === 'none' || url === undefined) return undefined;
  if (exporter !== 'otlp') throw new InvalidTracing(`OTEL_TRACES_EXPORTER is "${exporter}": give otlp or none`);
  checkProtocol(given);
  const serviceName = given('OTEL_SERVICE_NAME');
  const delay = given('OTEL_BSP_SCHEDULE_DELAY');
  if (delay !== undefined && !/^\d{1,6}$/.test(delay)) {
    throw new InvalidTracing(`OTEL_BSP_SCHEDULE_DELAY is "${delay}": give milliseconds, from 0 to 999999`);
  }
  return {
    url,
    sampling: samplingIn(given('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on', given('OTEL_TRACES_SAMPLER_ARG')),
    ...(serviceName === undefined ? {} : { serviceName }),
    ...(delay === undefined ? {} : { sendAfterMs: Number(delay) }),
  };
}

/** What is said of traces goes before what is said of all. @throws {InvalidTracing} */
function checkProtocol(given: (name: string) => string | undefined): void {
  const name = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'].find((each) => given(each) !== undefined);
  const protocol = name === undefined ? undefined : given(name);
  if (name === undefined || protocol === undefined || protocol === 'http/json') return;
  throw new InvalidTracing(
    `${name} is "${protocol}": this server speaks http/json, which collectors take at the same port as http/protobuf`,
  );
}

/** @throws {InvalidTracing} */
function endpointIn(given: (name: string) => string | undefined): string | undefined {
  const own = given('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  if (own !== undefined) return checked('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', own);
  const base = given('OTEL_EXPORTER_OTLP_ENDPOINT');
  return base === undefined ? undefined : `${checked('OTEL_EXPORTER_OTLP_ENDPOINT', base).replace(/\/+$/, '')}/v1/traces`;
}

/** @throws {InvalidTracing} */
function checked(name: string, text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidTracing(`${name} is not usable: give a URL that begins with http:// or https://, e.g. http://collector:4318`);
}

/** @throws {InvalidTracing} */
function samplingIn(sampler: string, argument: string | undefined): Sampling {
  const known = Object.hasOwn(SAMPLERS, sampler) ? SAMPLERS[sampler] : undefined;
  if (known === undefined) throw new InvalidTracing(`OTEL_TRACES_SAMPLER is "${sampler}": give one of ${Object.keys(SAMPLERS).join(', ')}`);
  const { byCaller, ratio = Number(argument ?? '1') } = known;
  if (ratio >= 0 && ratio <= 1) return { ratio, byCaller };
  throw new InvalidTracing(`OTEL_TRACES_SAMPLER_ARG is "${argument ?? ''}": give a number from 0 to 1`);
}
